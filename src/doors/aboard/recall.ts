import type { JsonObject } from "../../core/json.ts";
import { type Message, renderResultText, type ToolResultBlock } from "../../core/message.ts";
import { findOwnHandle } from "../../fold/marker.ts";
import { answerRecall, type RecallAnswer, refuse } from "../../survive/recall/answer-recall.ts";
import { choosePageSize, keepPageSize } from "../../survive/recall/page-size.ts";
import type { Wanted } from "../../survive/recall/parse-handles.ts";
import { type Picked, pickParts } from "../../survive/recall/pick-parts.ts";
import { nameQuestion, parseRecall } from "../../survive/recall/recall-request.ts";
import type { Aboard } from "./aboard.ts";

export interface RecallOccasion {
  readonly model: string;
  readonly contextTokens: number | undefined;
  /** All that the client still has of the conversation, what left the window included. */
  readonly history: () => readonly Message[];
}

/** A page of what the handles stand for. */
export function recall(
  aboard: Aboard,
  input: JsonObject,
  { model, contextTokens, history }: RecallOccasion,
): RecallAnswer {
  const request = parseRecall(input);
  if ("problem" in request) return refuse(request.problem);
  const picked = request.wanted.map((wanted) => pick(aboard, wanted, history));
  const pageCharacters = keepPageSize(aboard.pageSizes, nameQuestion(request), () =>
    choosePageSize({ model, contextTokens, share1h: 0 }),
  );
  const isComplete = picked.every((each) => "parts" in each);
  return answerRecall(request, picked, { known: isComplete ? [] : aboard.shelf.handles(), pageCharacters });
}

function pick({ shelf }: Aboard, wanted: Wanted, history: () => readonly Message[]): Picked {
  const { name, digits } = wanted;
  const stored = digits === undefined ? undefined : shelf.read(digits);
  if (typeof stored === "string") return pickParts(wanted, stored);
  if (stored !== undefined) return { missing: { name, why: stored.why } };
  const result = findResult(history(), name.replace(/^call:/, ""));
  if (result === undefined) return { missing: { name, why: "" } };
  const text = renderResultText(result);
  // What was found may itself be a fold: asked for is the output, not its preview.
  const own = findOwnHandle(text)?.slice("plimsoll:".length);
  const original = own === undefined ? undefined : shelf.read(own);
  return { parts: [{ name, handle: name, text: typeof original === "string" ? original : text }] };
}

function findResult(messages: readonly Message[], callId: string): ToolResultBlock | undefined {
  for (const { blocks } of messages)
    for (const block of blocks) if (block.kind === "toolResult" && block.callId === callId) return block;
  return undefined;
}
