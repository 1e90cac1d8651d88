import { hashText } from "../../core/hash.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { PolicyState } from "../policy-state.ts";

/**
 * Whether an ending session leaves something for the next one. A session that only looked around must not replace an earlier session's
 * notes with "nothing is open". A session that was compacted was saved in the middle of its work, so its end is saved too.
 */
export function leavesSomething({ state }: Happened): boolean {
  return (
    state.work.length > 0 ||
    state.compactions > 0 ||
    state.decided.decisions.length > 0 ||
    state.files.some(({ edits, isCreated }) => edits > 0 || isCreated)
  );
}

/** Whether an earlier session's pause is over: this session was told about it, continued from there, and did not pause itself. */
export function endsPause({ told: injected, loop }: PolicyState, paused: string): boolean {
  return paused !== "" && injected.paused === hashText(paused) && loop?.kind !== "paused";
}
