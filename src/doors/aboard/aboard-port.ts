import { type Message, renderResultText } from "../../core/message.ts";
import { choosePageSize, keepPageSize } from "../../survive/recall/page-size.ts";
import type { RecallPort } from "../../survive/recall/recall.ts";
import type { Aboard } from "./aboard.ts";

export interface RecallOccasion {
  readonly model: string;
  readonly contextTokens: number | undefined;
  /** All that the client still has of the conversation, what left the window included. */
  readonly history: () => readonly Message[];
}

/** What the session's store keeps, and what its conversation holds. */
export function createAboardPort(
  { shelf, pageSizes }: Aboard,
  { model, contextTokens, history }: RecallOccasion,
): RecallPort {
  return {
    stored: shelf.read,
    called: (handle) => findResult(history(), handle.replace(/^call:/, "")),
    known: shelf.handles,
    pageCharacters: (question) =>
      keepPageSize(pageSizes, question, () => choosePageSize({ model, contextTokens, share1h: 0 })),
  };
}

function findResult(messages: readonly Message[], callId: string): readonly string[] | undefined {
  for (const { blocks } of messages)
    for (const block of blocks)
      if (block.kind === "toolResult" && block.callId === callId) return [renderResultText(block)];
  return undefined;
}
