/** If red: a conversation in the API's form is misread, and what the client says counts as the person's words. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readApiMessages } from "./api-messages.ts";

const CONVERSATION = [
  { role: "user", content: [{ type: "text", text: "Paint it." }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I paint." },
      { type: "tool_use", id: "c1", name: "Bash", input: { command: "paint" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "c1", content: "painted" },
      { type: "text", text: "<system-reminder>dry</system-reminder>" },
    ],
  },
  { role: "assistant", content: [{ type: "text", text: "Done." }] },
];

describe("a conversation in the form of the API", () => {
  it("is told as events, an answer a step, with the person's words and the client's told apart", () => {
    const events = readApiMessages(CONVERSATION);
    expect(events).toMatchObject([
      { kind: "arrival", source: "prompt", block: { kind: "text", text: "Paint it.", author: "person" } },
      { kind: "output", blocks: [{ kind: "text" }, { kind: "toolCall", callId: "c1", tool: "Bash" }] },
      { kind: "arrival", source: "toolResult", block: { kind: "toolResult", callId: "c1" } },
      { kind: "arrival", source: "prompt", block: { author: "host" } },
      { kind: "output", blocks: [{ text: "Done." }] },
    ]);
    const steps = events.flatMap((event) => (event.kind === "output" ? [event.stepId] : []));
    expect(new Set(steps).size).toBe(2);
    expect(events.every(({ atMs }) => atMs === undefined)).toBe(true);
  });

  it("that is no list is no conversation", () => {
    for (const value of [undefined, null, {}, "words", 7]) expect(readApiMessages(value)).toEqual([]);
  });

  it("is never thrown over, whatever it holds", () => {
    const message = fc.record(
      {
        role: fc.oneof(fc.constantFrom("user", "assistant"), fc.jsonValue()),
        content: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(message, fc.anything())), (messages) => {
        expect(Array.isArray(readApiMessages(messages))).toBe(true);
      }),
    );
  });
});
