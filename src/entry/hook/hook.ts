import type { JsonObject } from "../../core/json.ts";
import type { HookEvent } from "../../hosts/claude-code/hook-input.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import type { Settings } from "../../policy/settings/settings.ts";

/** An event, and what its handler needs to know. The event's own fields may all be empty in an unknown client. */
export interface HookContext extends HookEvent {
  readonly nowMs: () => number;
  readonly configFolder: string;
  /** The project: `CLAUDE_PROJECT_DIR`, else the event's directory. */
  readonly project: string;
  /** The plugin's own folder, with `contexts/`; empty outside a plugin. */
  readonly pluginRoot: string;
  /** This session's private data folder, which exists; `undefined` if it cannot be created. */
  readonly folder: string | undefined;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The answer to the client. If nothing is set, nothing is printed, and the client goes on as if there were no hook. */
export interface HookAnswer {
  /** Plain text on stdout, the only kind that PreCompact takes. */
  readonly text?: string;
  /** The body of `hookSpecificOutput` without the event name, which the frame adds. */
  readonly output?: JsonObject;
  readonly systemMessage?: string;
  /** What to write into the journal, after the answer is out. */
  readonly actions?: readonly ActionDetail[];
  /** The client's version, if the handler has learned it. */
  readonly client?: string;
}

/** One event's handler. It may throw: the frame fails open and records it in the journal. */
export type Hook = (context: HookContext) => HookAnswer | Promise<HookAnswer>;

export const NOTHING: HookAnswer = {};
