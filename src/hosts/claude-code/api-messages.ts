import type { SessionEvent } from "../../core/event.ts";
import { isObject, textField } from "../../core/json.ts";
import { parseBlock } from "./parse-blocks.ts";
import { decidePromptAuthor } from "./prompt-author.ts";

/**
 * A conversation in the form of the Messages API as events, for a session whose beginning was not followed. It
 * has no times and no usage, and after a compaction it begins with the summary; what is not in it stays unknown.
 */
export function readApiMessages(messages: unknown): readonly SessionEvent[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).flatMap((message, index): readonly SessionEvent[] => {
    const raw = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    const origin = `message:${index}`;
    if (message.role === "assistant") {
      const blocks = raw.map((block) => parseBlock(block, "model", () => ""));
      return [
        {
          kind: "output",
          origin,
          atMs: undefined,
          stepId: origin,
          model: "",
          usage: undefined,
          isOutputFinal: false,
          blocks,
        },
      ];
    }
    return raw.map((part) => {
      const block = parseBlock(part, decidePromptAuthor(textField(part, "text")), () => "");
      const source = block.kind === "toolResult" ? "toolResult" : "prompt";
      return {
        kind: "arrival",
        origin,
        atMs: undefined,
        source,
        label: source,
        role: "user",
        block,
        detail: undefined,
      };
    });
  });
}
