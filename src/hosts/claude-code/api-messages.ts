import type { SessionEvent } from "../../core/event.ts";
import { isObject, textField } from "../../core/json.ts";
import { createArrival } from "../create-events.ts";
import { parseBlock } from "./parse-blocks.ts";
import { decidePromptAuthor } from "./prompt-author.ts";

/** A conversation of the Messages API as events, without times and usage; after a compaction it begins with the summary. */
export function readApiMessages(messages: unknown): readonly SessionEvent[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).flatMap((message, index): readonly SessionEvent[] => {
    const raw = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    const stamp = { origin: `message:${index}`, atMs: undefined };
    if (message.role === "assistant") {
      const blocks = raw.map((block) => parseBlock(block, "model"));
      const unknown = { model: "", usage: undefined, isOutputFinal: false };
      return [{ kind: "output", ...stamp, stepId: stamp.origin, ...unknown, blocks }];
    }
    return raw.map((part) => {
      const block = parseBlock(part, decidePromptAuthor(textField(part, "text")));
      return createArrival(block, { ...stamp, source: block.kind === "toolResult" ? "toolResult" : "prompt" });
    });
  });
}
