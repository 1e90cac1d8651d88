import { parseObject } from "../../core/json.ts";
import { openAgreedFiles } from "../../files/agreed-files.ts";
import { readApiMessages } from "../../hosts/claude-code/api-messages.ts";
import { parseCompactionSettings } from "../../hosts/claude-code/parse-compaction-settings.ts";
import { locateData, locateSession, locateWeights, SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { parseWeights } from "../../policy/objective.ts";
import { INITIAL_POLICY } from "../../policy/policy-state.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../../policy/settings/settings.ts";
import { locateColdHome } from "../../survive/cold-tasks/cold-paths.ts";
import { CALM } from "./breaker.ts";
import { readSetLife } from "./cache-life.ts";
import type { ClientPort } from "./client-port.ts";
import { NOTHING_BESIDE } from "./compaction/beside-rows.ts";
import { IDLE, repairWaits } from "./compaction/life.ts";
import { engineProjectFiles } from "./engine-project-files.ts";
import { createJournal } from "./journal.ts";
import { type Live, styleOf } from "./live.ts";
import { parseCheckpoints, parseMemory } from "./memory-file.ts";
import { createShelf } from "./originals/keep-original.ts";
import { readRegular } from "./read-regular.ts";
import { runTool } from "./run-tool.ts";
import { createWatch } from "./watch.ts";

export async function openLive($: ClientPort, nowMs: () => number = Date.now): Promise<Live> {
  const [sessionId, root, home, moved] = await Promise.all([
    $.session.id(),
    $.session.root(),
    $.env.get("HOME"),
    $.env.get("CLAUDE_CONFIG_DIR"),
  ]);
  const configFolder = moved ?? `${home ?? ""}/.claude`;
  const folder = locateSession(configFolder, sessionId);
  if (folder === undefined) throw new Error(`not a valid session id: ${sessionId}`);
  const [saved, deeds, settings, version] = await Promise.all([
    readQuietly($, `${folder}/${SESSION_FILES.moduleState}`),
    readQuietly($, `${folder}/${SESSION_FILES.moduleDeeds}`),
    readSettings($, configFolder, root),
    $.session.version().catch(() => ({ version: "" })),
  ]);
  const conversation = `${configFolder}/projects/${root.replaceAll(/[^0-9A-Za-z]/g, "-")}/${sessionId}`;
  const memory = parseMemory(saved);
  const { beside = NOTHING_BESIDE, keptAnswers = [], hasAnswered = false, dueRepair = "" } = memory ?? {};
  const checkpoints = parseCheckpoints(await readQuietly($, `${folder}/${SESSION_FILES.checkpoints}`));
  const line = {
    window: await $.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
    percent: await $.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"),
    isLowered: false,
  };
  const ofClient = await readOfClient($, configFolder, root);
  const { profile, lineTokens } = settings;
  const limits = parseCompactionSettings({ ...line, files: ofClient });
  // The load is judged by where the client compacts, or by the person's own line if that is lower.
  const health = { profile, settings: lineTokens === null ? limits : { ...limits, lineTokens } };
  const model = await $.session.model().catch(() => "");
  const watch = createWatch(memory?.watch, styleOf(root, settings), { ...health, model });
  if (memory === undefined) watch.events(readApiMessages(await $.session.messages({ as: "api" }).catch(() => [])));
  const earlier = deeds.split("\n").flatMap((line) => (line === "" ? [] : [`${line}\n`]));
  return {
    sessionId,
    nowMs,
    coldHome: locateColdHome(configFolder, home),
    root,
    folder,
    transcript: `${conversation}.jsonl`,
    settings,
    watch,
    shelf: createShelf($, { root, data: locateData(configFolder), folder, sessionId, nowMs }),
    journal: createJournal($, folder, version.version, earlier),
    toolResults: `${conversation}/tool-results/`,
    inputs: new Map(),
    groups: [],
    line,
    health,
    cacheLife: await readSetLife($, ofClient.map(parseObject)),
    learned: parseWeights(await readQuietly($, locateWeights(configFolder))),
    totals: { folds: 0, savedTokens: 0, compactions: 0 },
    policy: memory?.policy ?? INITIAL_POLICY,
    window: {
      opening: memory === undefined && watch.happened().state.requests.count === 0 ? "startup" : "resume",
      standing: memory?.standing,
    },
    limits: [],
    ignoreRules: undefined,
    life: repairWaits(IDLE, dueRepair),
    conversation: { beside, keptAnswers, hasAnswered, checkpoints },
    breaker: CALM,
    steering: {
      isOn: true,
      isTidyDue: keptAnswers.length > 0,
      said: new Set(),
      by: undefined,
      why: "",
      stepsAtLast: undefined,
    },
    shown: { status: "", isIdle: false, budgetCheckedMs: 0, spent: {} },
    runsOwnHooks: true,
  };
}

/** Makes the data folder private once it exists: the engine's file system cannot. */
export async function closeFolder($: ClientPort, { folder }: Live): Promise<void> {
  const data = folder.slice(0, folder.lastIndexOf("/sessions/"));
  await runTool($, "chmod", ["700", data, folder]).catch(() => undefined);
}

/** The client's own settings, highest precedence first. */
function readOfClient($: ClientPort, configFolder: string, root: string): Promise<readonly string[]> {
  const files = [`${root}/.claude/settings.local`, `${root}/.claude/settings`, `${configFolder}/settings`];
  return Promise.all(files.map((file) => readQuietly($, `${file}.json`)));
}

async function readQuietly($: ClientPort, path: string): Promise<string> {
  return readRegular($, path).catch(() => "");
}

const MAX_SETTINGS_BYTES = 1 << 16;

/** The person's settings, then the project's, as far as the person agreed to them. */
async function readSettings($: ClientPort, configFolder: string, root: string): Promise<Settings> {
  if (((await $.env.get("PLIMSOLL_OFF")) ?? "") !== "") return { ...DEFAULT_SETTINGS, isOn: false };
  const files = openAgreedFiles(engineProjectFiles($), { project: root, dataFolder: locateData(configFolder) });
  const [person, found] = await Promise.all([
    readRegular($, `${configFolder}/plimsoll.json`).catch(() => ""),
    (await hasLink($, root)) ? undefined : files.read(`${root}/.plimsoll/settings.json`, MAX_SETTINGS_BYTES),
  ]);
  const project = found !== undefined && "text" in found ? found.text : "";
  return parseSettings([parseObject(person), parseObject(project)], 1).settings;
}

/** A repository may contain a link in this place, and what we store must not end up where it leads. */
async function hasLink($: ClientPort, root: string): Promise<boolean> {
  const stat = await $.fs.stat(`${root}/.plimsoll`).catch(() => undefined);
  return stat?.isLink === true;
}
