import { listAll } from "../../../hosts/catalogue.ts";
import { hasCacheLife, CACHE_LIFE_PLACES as PLACES } from "../../../hosts/claude-code/disk/installed.ts";
import { chooseLife } from "../../../replay/compare-lives.ts";
import type { ReplayAnswer } from "../../../replay/parse-answer.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "../../../replay/policy-names.ts";
import { readLastReplay } from "../../person/read-last-replay.ts";
import { reportAnswer, reportProposedLife, warnOfLimits } from "../../person/report-saving.ts";
import { isReplayCheap } from "../../person/start-replay.ts";
import type { Invocation, Terminal } from "../command.ts";
import { replayLastDays } from "../replay/replay-sessions.ts";
import { readRecord } from "./installation-record.ts";
import { type OwnText, planOwnTexts, type Target } from "./plan-settings.ts";
import { locateSettings, type SettingsFile } from "./settings-file.ts";

const set = (text: string, path: readonly string[]): OwnText => ({ path, text, isListed: false });
/** A subagent works without breaks, so a cache of an hour would only cost more. */
const SUBAGENTS = set("5m", PLACES.subagents);

/** Each cache lifetime in Claude Code's settings. */
const LIFE_TEXTS: Readonly<Record<SetCacheLife, readonly OwnText[]>> = {
  "5m": [set("5m", PLACES.main), SUBAGENTS],
  "1h": [set("1h", PLACES.main), SUBAGENTS],
  "1h+5m": [set("1h", PLACES.main), set("5m", PLACES.messages), SUBAGENTS],
};

const KEEP = "keep";
export const CACHE_LIFE_CHOICES: readonly string[] = [...SET_CACHE_LIVES, KEEP];

interface PlannedLife {
  readonly life: Target["life"];
  readonly notes: readonly string[];
}

/** The life that was asked for; otherwise the one that the person's own sessions pay for, if they have set none. */
export async function planLife(user: SettingsFile, { values }: Invocation, terminal: Terminal): Promise<PlannedLife> {
  const given = values.get("cache-life");
  const { configFolder } = locateSettings(terminal);
  const known = readRecord(configFolder)?.files.find((file) => file.path === user.path)?.own ?? [];
  const asked = SET_CACHE_LIVES.find((name) => name === given);
  if (asked) {
    const { theirs } = planOwnTexts(user.settings, LIFE_TEXTS[asked], known);
    const notes = theirs.map(({ path }) => `You have set ${path.join(".")} yourself: it stays as it is.`);
    return { life: { wanted: LIFE_TEXTS[asked], known }, notes };
  }
  const answer = await findAnswer(terminal);
  const reported = answer ? [reportAnswer(answer)].filter((text) => text !== "") : [];
  const compared = answer?.cacheLives;
  const life = compared && chooseLife(compared);
  if (!life || given === KEEP || hasCacheLife(terminal.environment)) return { life: undefined, notes: reported };
  const wanted = LIFE_TEXTS[life.life];
  const proposal = `${reportProposedLife(compared)}, which these lines set. To leave it as it is, add --cache-life ${KEEP}`;
  const notes = [...reported, `${proposal}.`, warnOfLimits(compared)].filter((text) => text !== "");
  return { life: { wanted, known }, notes };
}

/** The last answer about the person's own sessions. A new one is computed where that takes seconds, for a dry run, too: it shows what would change. */
async function findAnswer(terminal: Terminal): Promise<ReplayAnswer | undefined> {
  const { environment, hosts } = terminal;
  const last = readLastReplay(environment);
  const files = last ? [] : listAll(environment, hosts);
  if (files.length > 0 && isReplayCheap(files, undefined)) await replayLastDays(terminal);
  return last ?? readLastReplay(environment);
}
