import { findHandles } from "../../../fold/marker.ts";
import { findByDigits } from "../../../survive/recall/hash-port.ts";
import { parseRecall } from "../../../survive/recall/recall-request.ts";
import type { RecalledAnswer, RecalledCall } from "./recalled-answer.ts";

/** Which of what left a request a call gave back, or named in its answer. */
export function listNeeds(
  { input, parts }: Pick<RecalledCall, "input" | "parts">,
  left: readonly string[],
): readonly string[] {
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const named = findHandles(text).map((handle) => handle.replace(/^plimsoll:/, ""));
  return [...new Set([...listAsked(input), ...named].flatMap((digits) => findByDigits(left, digits)))];
}

/**
 * Whether what an answer fetched has left this request, too. Runs of one prompt may be answered in the same words about different
 * results: what one of them fetched is never put into another.
 */
export function isWithinReach({ rounds }: RecalledAnswer, left: readonly string[]): boolean {
  return rounds.every(({ calls }) => calls.every((call) => isCallWithinReach(call, left)));
}

function isCallWithinReach({ input, isError, needs }: RecalledCall, left: readonly string[]): boolean {
  if (needs) return needs.every((hash) => left.includes(hash));
  // Older versions did not keep what was needed: it was asked for by these digits.
  return isError || listAsked(input).every((digits) => findByDigits(left, digits).length > 0);
}

function listAsked(input: RecalledCall["input"]): readonly string[] {
  const request = parseRecall(input);
  return "problem" in request ? [] : request.wanted.flatMap(({ digits }) => digits ?? []);
}
