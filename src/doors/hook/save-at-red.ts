import type { RedInput } from "../../policy/advice/follow-red.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { saveState } from "./save-state.ts";
import { openSessionData } from "./session-data.ts";

/** Puts what the session has come to on disk, and says whether that worked: only then may the model be told that it did. */
export function saveAtRed(input: HookInput, context: HookContext): RedInput {
  try {
    const data = openSessionData(input, context);
    if (data === undefined) return { kind: "saveFailed", why: "the transcript cannot be read" };
    saveState(data.happened(), context);
    data.save();
    return { kind: "saveConfirmed" };
  } catch (error) {
    return { kind: "saveFailed", why: error instanceof Error ? error.message : String(error) };
  }
}
