/** If red: messages of pi come back changed, or a command that the person ran is lost. */
import { describe, expect, it } from "vitest";
import { applyEdits, findViolations } from "../../core/apply-edits.ts";
import { replaceBlock, replaceSpan } from "../../core/propose-edit.ts";
import { parseConversation, type WireMessage } from "../conversation.ts";
import { piFormat } from "./messages.ts";

const text = (words: string): object => ({ type: "text", text: words });
const SUMMARY = { role: "compactionSummary", summary: "what was", tokensBefore: 9, timestamp: 1 };
const CALL = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };
const RESULT = {
  role: "toolResult",
  toolCallId: "c1",
  toolName: "bash",
  content: [text("a.ts\nb.ts")],
  isError: false,
  timestamp: 4,
};
const EXECUTION = { role: "bashExecution", command: "make", output: "done", exitCode: 2, timestamp: 5 };

/** Every kind of message there is, and one that nobody knows. */
function conversation(): readonly WireMessage[] {
  return JSON.parse(
    JSON.stringify([
      SUMMARY,
      { role: "user", content: "paint it", timestamp: 2 },
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, CALL],
        timestamp: 3,
      },
      RESULT,
      EXECUTION,
      { role: "user", content: [text("look"), { type: "image", data: "aGk=", mimeType: "image/png" }], timestamp: 6 },
      { role: "custom", customType: "other", content: "from elsewhere", display: true, timestamp: 7 },
      { role: "branchSummary", summary: "a branch", fromId: "x", timestamp: 8 },
      { role: "later", anything: 1 },
    ]),
  );
}

describe("pi's messages", () => {
  it("leave as the identical objects where nobody changed them", () => {
    const raws = conversation();
    const parsed = parseConversation(raws, piFormat);
    expect(parsed.render(parsed.messages)).toBe(raws);
    expect(parsed.render([...parsed.messages]).every((raw, index) => raw === raws[index])).toBe(true);
    expect(findViolations(parsed.messages)).toEqual([]);
  });

  it("tell what a person ran in the words that pi tells it in", () => {
    const [, , , , ran] = parseConversation(conversation(), piFormat).messages;
    expect(ran?.blocks[0]).toMatchObject({
      kind: "text",
      author: "host",
      text: "Ran `make`\n```\ndone\n```\n\nCommand exited with code 2",
    });
  });

  it("keep everything of a result but what was put in its place", () => {
    const { messages, render } = parseConversation(conversation(), piFormat);
    const block = messages[3]?.blocks[0];
    if (block?.kind !== "toolResult") throw new Error("no result");
    const edit = replaceBlock(block, { content: { text: "folded" }, by: "test", reason: "", handles: [] });
    const { messages: after, applied } = applyEdits(messages, [edit]);
    expect(applied).toHaveLength(1);
    expect(render(after)[3]).toEqual({ ...RESULT, content: [text("folded")] });
  });

  it("take a segment of ledger as the words of a user message", () => {
    const { messages, render } = parseConversation(conversation(), piFormat);
    const span = messages.slice(1, 4);
    const block = { kind: "text", id: "ledger:1:0", text: "[LEDGER: 1]", author: "host" } as const;
    const ledger = { id: "ledger:1", role: "user", blocks: [block] } as const;
    const edit = replaceSpan(span, { messages: [ledger], by: "test", reason: "", handles: [] });
    const after = render(applyEdits(messages, [edit]).messages);
    expect(after[1]).toEqual({ role: "user", content: [text("[LEDGER: 1]")], timestamp: 0 });
    expect(after).toHaveLength(7);
  });
});
