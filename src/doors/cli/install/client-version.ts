import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";

/** What the client can do, by its version. Numbers from its changelog, those of modules from runs of the client itself. */

export const FIRST_WITH_MODULES = "2.1.305";
/**
 * Plugins came with 2.0.12. Ours starts its program without a shell (`args`), and a client that does not know that drops
 * such hooks without a word.
 */
const FIRST_WITH_OUR_PLUGINS = "2.1.139";

/** Until this version an event that the client does not know makes it ignore the whole settings file. */
const FIRST_TO_PASS_OVER_EVENTS = "2.1.101";

const FIRST_WITH_EVENT: Readonly<Record<string, string>> = {
  PreToolUse: "1.0.38",
  PostToolUse: "1.0.38",
  Notification: "1.0.38",
  Stop: "1.0.38",
  SubagentStop: "1.0.41",
  PreCompact: "1.0.48",
  UserPromptSubmit: "1.0.54",
  SessionStart: "1.0.62",
  SessionEnd: "1.0.85",
  PostCompact: "2.1.76",
};

const FIRST_WITH_STATUS_LINE = "1.0.71";

/** `2.1.325` of `2.1.325 (Claude Code)`; `undefined` where there is no version in it. */
export function parseVersion(text: string): string | undefined {
  return /\b(\d+\.\d+\.\d+)\b/.exec(text)?.[1];
}

export function hasModules(version: string): boolean {
  return isVersionAtLeast(version, FIRST_WITH_MODULES);
}

export function runsPlugins(version: string): boolean {
  return isVersionAtLeast(version, FIRST_WITH_OUR_PLUGINS);
}

export function hasStatusLine(version: string): boolean {
  return isVersionAtLeast(version, FIRST_WITH_STATUS_LINE);
}

export function knowsEvent(version: string, event: string): boolean {
  const first = FIRST_WITH_EVENT[event] ?? FIRST_TO_PASS_OVER_EVENTS;
  return isVersionAtLeast(version, first);
}
