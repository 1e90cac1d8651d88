import { type Message, renderResultText } from "../../core/message.ts";

/** What the client writes when it wants its history summarised; on newer models a system message may follow it. */
const MARKS: readonly string[] = ["CRITICAL: Respond with TEXT ONLY", "create a detailed summary"];

/** Whether a request is the client's own compaction: the whole history once more, and a summary wanted. */
export function isCompactionRequest(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === "user");
  const text = (last?.blocks ?? []).map((block) =>
    block.kind === "text" ? block.text : block.kind === "toolResult" ? renderResultText(block) : "",
  );
  return MARKS.every((mark) => text.some((part) => part.includes(mark)));
}
