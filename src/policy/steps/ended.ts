import { hashText } from "../../core/hash.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { PolicyState } from "../policy-state.ts";

/**
 * Whether a session that ends leaves something to the next one. One that only looked around must not put "nothing is open" in
 * the place of what an earlier session left; one that was compacted was saved in the middle of its work, and is finished now.
 */
export function leavesSomething({ state }: Happened): boolean {
  return (
    state.work.length > 0 ||
    state.compactions > 0 ||
    state.decided.decisions.length > 0 ||
    state.files.some(({ edits, isCreated }) => edits > 0 || isCreated)
  );
}

/** Whether the pause that an earlier session left is past: this one was told of it, went on from there, and paused nowhere. */
export function endsPause({ told, loop }: PolicyState, paused: string): boolean {
  return paused !== "" && told.paused === hashText(paused) && loop?.kind !== "paused";
}
