/** If red: messages of OpenCode come back changed, or lose results. */
import { describe, expect, it } from "vitest";
import { applyEdits, findViolations } from "../../core/apply-edits.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { parseConversation } from "../conversation.ts";
import { isOpenCodeMessage, joinMessages, type OpenCodeMessage, openCodeFormat, splitMessages } from "./messages.ts";

const info = (id: string, role: string): Readonly<Record<string, unknown>> => ({ id, role, sessionID: "ses_1" });
const state = { status: "completed", input: { command: "ls" }, output: "a.ts", time: { start: 1, end: 2 } };
const said: readonly OpenCodeMessage[] = [
  { info: info("m1", "user"), parts: [{ type: "text", text: "paint it" }] },
  {
    info: info("m2", "assistant"),
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "hm", metadata: { signature: "s" } },
      { type: "text", text: "I look." },
      { type: "tool", callID: "c1", tool: "bash", state },
      { type: "tool", callID: "c2", tool: "bash", state: { status: "running", input: {} } },
      { type: "step-finish", tokens: {} },
    ],
  },
  {
    info: info("m3", "user"),
    parts: [
      { type: "compaction", auto: true },
      { type: "later", anything: 1 },
    ],
  },
];

describe("the messages of OpenCode", () => {
  it("come back as the identical objects where nobody changed them", () => {
    const halves = splitMessages(said);
    const parsed = parseConversation(halves, openCodeFormat);
    expect(parsed.render(parsed.messages)).toBe(halves);
    expect(joinMessages(halves)).toEqual(said);
    expect(joinMessages(halves).every((message, index) => message === said[index])).toBe(true);
    expect(findViolations(parsed.messages)).toEqual([]);
  });

  it("tell a call and its result apart, leave bookkeeping out, and do not touch what they do not know", () => {
    const { messages } = parseConversation(splitMessages(said), openCodeFormat);
    expect(messages.map(({ role, blocks }) => [role, ...blocks.map(({ kind }) => kind)])).toEqual([
      ["user", "text"],
      ["assistant", "thinking", "text", "toolCall", "opaque"],
      ["user", "toolResult"],
      ["user", "opaque", "opaque"],
    ]);
  });

  it("give a segment of ledger the place of what left, as words of the session", () => {
    const parsed = parseConversation(splitMessages(said.slice(0, 1)), openCodeFormat);
    const block = { kind: "text", id: "ledger:1:0", text: "[LEDGER: 1]", author: "host" } as const;
    const ledger = { id: "ledger:1", role: "user", blocks: [block] } as const;
    const span = parsed.messages.slice(0, 1);
    const edit = replaceSpan(span, { messages: [ledger], by: "test", reason: "", handles: [] });
    const after = joinMessages([
      ...parsed.render(applyEdits(parsed.messages, [edit]).messages),
      ...splitMessages(said),
    ]);
    expect(after[0]?.info).toMatchObject({ role: "user", sessionID: "ses_1" });
    expect(after[0]?.parts).toMatchObject([{ type: "text", text: "[LEDGER: 1]" }]);
    expect(after.every(isOpenCodeMessage)).toBe(true);
  });
});
