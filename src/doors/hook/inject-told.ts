import path from "node:path";
import { isObject } from "../../core/json-fields.ts";
import { writeAtomically } from "../../files/write-file.ts";
import { initialModeState, type ModeState } from "../../policy/mode/decide-mode-injection.ts";
import type { SaidLimits } from "../../policy/rules/rate-limits.ts";
import { readObject } from "./session-files.ts";

/** What a session has been told so far, so that nothing is told twice. */
export interface Told {
  readonly mode: ModeState;
  readonly limits: SaidLimits;
  /** Hashes of the rules and of the project's state as they stand in the window; empty for none. */
  readonly rules: string;
  readonly state: string;
  /** Whether the conventions for documents stand in the window; absent before they were first told. */
  readonly docs?: boolean;
  /** The compactions of the session when the person was last told that their line is reached. */
  readonly line?: number | undefined;
}

const NOTHING_TOLD: Told = { mode: initialModeState, limits: {}, rules: "", state: "" };
const FILE = "told.json";

export function readTold(folder: string | undefined): Told {
  const saved: unknown = folder === undefined ? undefined : readObject(path.join(folder, FILE));
  return isTold(saved) ? saved : NOTHING_TOLD;
}

export function writeTold(folder: string | undefined, told: Told): void {
  if (folder !== undefined) writeAtomically(path.join(folder, FILE), JSON.stringify(told));
}

/** Our own file in a private folder. */
function isTold(value: unknown): value is Told {
  return (
    isObject(value) &&
    isObject(value.mode) &&
    isObject(value.limits) &&
    typeof value.rules === "string" &&
    typeof value.state === "string"
  );
}
