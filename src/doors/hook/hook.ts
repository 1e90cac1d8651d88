import type { JsonObject } from "../../core/json.ts";
import type { HookEvent } from "../../hosts/claude-code/hook-input.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import type { Settings } from "../../policy/settings/settings.ts";

/** The fields that every event of the client carries; all of them may be empty in a client we do not know. */
export type HookInput = HookEvent;

/** What a hook is given instead of reaching for it. */
export interface HookContext {
  readonly nowMs: () => number;
  /** The client's configuration folder. */
  readonly configFolder: string;
  /** The project: `CLAUDE_PROJECT_DIR`, else the event's directory. */
  readonly project: string;
  /** The plugin's own folder, where `contexts/` lies; empty outside a plugin. */
  readonly pluginRoot: string;
  /** This session's data folder, made and private; `undefined` where it cannot be made. */
  readonly folder: string | undefined;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the client is told. Nothing set: nothing is printed, and the client goes on as if there were no hook. */
export interface HookAnswer {
  /** Plain text on stdout: PreCompact takes nothing else. */
  readonly text?: string;
  /** The body of `hookSpecificOutput`, without its event name, which the frame adds. */
  readonly output?: JsonObject;
  /** Shown to the person. */
  readonly systemMessage?: string;
  /** What to write into the journal, after the answer is out. */
  readonly deeds?: readonly DeedDetail[];
  /** The client's version, where the handler came to know it. */
  readonly client?: string;
}

/** One event's handler. It may throw: the frame fails open, and the journal says so. */
export type Hook = (input: HookInput, context: HookContext) => HookAnswer | Promise<HookAnswer>;

export const NOTHING: HookAnswer = {};
