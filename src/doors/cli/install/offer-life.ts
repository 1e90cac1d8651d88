import type { Readable } from "node:stream";
import { chooseLife, readComparedLives } from "../../../replay/compare-lives.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "../../../replay/prompt-cache.ts";
import { readLastReplay } from "../../person/look-around.ts";
import { tellCacheLives } from "../../person/tell-look-back.ts";
import type { Invocation, Terminal } from "../command.ts";
import { renderSafely } from "../print/style.ts";
import { canAsk, confirm } from "./confirm.ts";
import { type OwnText, planOwnTexts } from "./plan-settings.ts";
import { locateSettings, readSettingsFile, type SettingsFile } from "./settings-file.ts";

const set = (text: string, ...path: readonly string[]): OwnText => ({ path, text, isListed: false });
/** A subagent works without breaks: an hour would only cost more. */
const SUBAGENTS = set("5m", "subagentPromptCacheTtl");

/** Each cache life as Claude Code's settings name it. The messages' own variable can only shorten what the setting gives to all. */
export const LIFE_TEXTS: Readonly<Record<SetCacheLife, readonly OwnText[]>> = {
  "5m": [set("5m", "promptCacheTtl"), SUBAGENTS],
  "1h": [set("1h", "promptCacheTtl"), SUBAGENTS],
  "1h+5m": [set("1h", "promptCacheTtl"), set("5m", "env", "CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL"), SUBAGENTS],
};

export function parseLife(given: string | undefined): SetCacheLife | undefined {
  return SET_CACHE_LIVES.find((life) => life === given);
}

export function noteTheirs(theirs: readonly OwnText[]): readonly string[] {
  return theirs.map(({ path }) => `You have set ${path.join(".")} yourself: it stays as it is.`);
}

/** What the last replay advises, where nothing is set yet. */
export function noteLife(user: SettingsFile, terminal: Terminal): readonly string[] {
  const told = adviseLife(user, terminal);
  return told ? [told.text] : [];
}

function adviseLife({ settings }: SettingsFile, { environment }: Terminal) {
  const compared = readComparedLives(readLastReplay(environment));
  const life = compared && chooseLife(compared)?.life;
  const isSet = planOwnTexts(settings, LIFE_TEXTS["1h+5m"], []).theirs.length > 0;
  return compared && life && !isSet ? { life, text: tellCacheLives(compared) } : undefined;
}

/** Asks whether the cheapest cache life is to be set, too; only a yes adds it to what was asked for. */
export async function offerLife(
  invocation: Invocation,
  terminal: Terminal,
  input: Readable | undefined = canAsk(terminal) ? process.stdin : undefined,
): Promise<Invocation> {
  const { flags, values } = invocation;
  const isAnswered = ["cache-life", "scope"].some((name) => values.has(name));
  if (!input || isAnswered || ["yes", "dry-run", "json"].some((name) => flags.has(name))) return invocation;
  const advice = adviseLife(readSettingsFile(locateSettings(terminal).user), terminal);
  if (!advice) return invocation;
  const lines = LIFE_TEXTS[advice.life].map(({ path, text }) => `+ ${path.join(".")}: "${text}"`);
  terminal.remark(`${renderSafely(advice.text)}\n\n${lines.join("\n")}\n\n`);
  if (!(await confirm("Set these lines in your settings, too?", terminal, input))) return invocation;
  return { ...invocation, values: new Map([...values, ["cache-life", advice.life]]) };
}
