import { clipLine } from "../../core/clip-text.ts";
import { findFailure } from "../record/find-failure.ts";
import type { Happened } from "../record/happened.ts";

const MAX_COMMAND = 80;
const MAX_LINE = 160;

/** What stands in the way of what the person wants now: the last failure that nothing has resolved or gone around. A change that was refused is made anew. */
export function findBlockers(happened: Happened): readonly string[] {
  const evidence = findFailure(happened)?.evidence;
  const error = happened.state.errors.findLast(({ callId }) => `call:${callId}` === evidence);
  return error && !/^(?:edit|write) /.test(error.attempt)
    ? [`\`${clipLine(error.attempt, MAX_COMMAND)}\`: ${clipLine(error.line, MAX_LINE)}`]
    : [];
}
