/** If red: an edit is made in front of signed thinking, and the API refuses the request. */
import { describe, expect, it } from "vitest";
import type { Edit } from "../core/edit.ts";
import type { Block, Message } from "../core/message.ts";
import { replaceBlock, replaceSpan } from "../core/propose-edit.ts";
import { findBound, findLastThinking, keepBound } from "./request-coming.ts";

const text = (id: string): Block => ({ kind: "text", id, text: `words of ${id}`, author: "person" });
const thinking = (id: string): Block => ({ kind: "thinking", id, text: "hm", signature: "s" });
const messages: readonly Message[] = [
  { id: "m0", role: "user", blocks: [text("t0")] },
  { id: "m1", role: "assistant", blocks: [thinking("h1")] },
  { id: "m2", role: "user", blocks: [text("t2")] },
  { id: "m3", role: "assistant", blocks: [thinking("h3")] },
  { id: "m4", role: "user", blocks: [text("t4")] },
];
const ACCOUNT = { by: "test", reason: "test", handles: [] };
const edit = (id: string): Edit => replaceBlock(text(id), { ...ACCOUNT, content: { text: "short" } });

describe("what thinking is bound to", () => {
  it("ends with the last message that thinks, not with the first", () => {
    expect(findLastThinking(messages)).toBe(3);
    expect(findLastThinking(messages.slice(0, 1))).toBe(-1);
  });

  it("is nothing for a model that does not bind it", () => {
    expect(findBound(messages, "claude-sonnet-4-5")).toBe(0);
  });

  it("keeps edits behind the bound, and those of the bound message itself", () => {
    const edits = [edit("t0"), edit("t2"), edit("t4")];
    expect(keepBound(edits, messages, 3)).toEqual([edits[2]]);
    expect(keepBound(edits, messages, 2)).toEqual([edits[1], edits[2]]);
    expect(keepBound(edits, messages, 0)).toBe(edits);
  });

  it("judges a span by its last message", () => {
    const span = replaceSpan(messages.slice(0, 3), { ...ACCOUNT, messages: [] });
    expect(keepBound([span], messages, 2)).toEqual([span]);
    expect(keepBound([span], messages, 3)).toEqual([]);
  });
});
