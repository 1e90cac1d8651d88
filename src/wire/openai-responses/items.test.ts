/** If red: a request to the Responses API loses items or their order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { parseConversation } from "../conversation.ts";
import { createResponsesFormat, groupItems } from "./items.ts";

const format = createResponsesFormat((text) => (text.startsWith("<") ? "host" : "person"));

function read(items: readonly object[]) {
  return parseConversation(
    groupItems(items).map(({ message }) => message),
    format,
  );
}

/** What the items of a row are, one line a message. */
function shape(items: readonly object[]): readonly string[] {
  return read(items).messages.map(({ role, blocks }) => `${role}: ${blocks.map(({ kind }) => kind).join(" ")}`);
}

const said = (role: string, ...texts: readonly string[]) => ({
  type: "message",
  role,
  content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text })),
});
const called = (call_id: string) => ({
  type: "function_call",
  call_id,
  name: "exec_command",
  arguments: '{"cmd":"ls"}',
});
const gave = (call_id: string, output: unknown) => ({ type: "function_call_output", call_id, output });
const thought = { type: "reasoning", summary: [], encrypted_content: "e" };

describe("items of the Responses API", () => {
  it("are taken together as what one side says before the other does", () => {
    expect(
      shape([
        said("developer", "Be brief."),
        said("user", "<environment_context>", "Fix it."),
        thought,
        said("assistant", "I look."),
        called("a"),
        { type: "custom_tool_call", call_id: "b", name: "apply_patch", input: "*** Begin Patch" },
        gave("a", "out"),
        { type: "custom_tool_call_output", call_id: "b", output: [{ type: "input_text", text: "ok" }] },
        { type: "web_search_call", id: "w", status: "completed" },
        { type: "something_new", of: "tomorrow" },
      ]),
    ).toEqual([
      "system: text",
      "user: text text",
      "assistant: thinking text toolCall toolCall",
      "user: toolResult toolResult",
      "assistant: opaque",
      "system: opaque",
    ]);
  });

  it("go back as the identical objects where nobody changed them, and only what was changed is another", () => {
    const items = [
      said("user", "Fix it.", "And that."),
      thought,
      called("a"),
      { ...gave("a", "long"), id: "fco", more: 1 },
    ];
    const conversation = read(items);
    const rendered = conversation.messages.map((message) => conversation.renderMessage(message).content);
    expect(rendered.flat()).toEqual(items);
    for (const [index, item] of rendered.flat().entries()) expect(item).toBe(items[index]);
    const results = conversation.messages[2];
    const [block] = results?.blocks ?? [];
    if (!results || block?.kind !== "toolResult") throw new Error("no result");
    const folded = { ...results, blocks: [{ ...block, parts: [{ kind: "text" as const, text: "short" }] }] };
    expect(conversation.renderMessage(folded).content).toEqual([{ ...items[3], output: "short" }]);
  });

  it("keep the parts of a message together, and give a layer's words a message of their own", () => {
    const items = [said("user", "one", "two"), said("user", "three")];
    const conversation = read(items);
    const [message] = conversation.messages;
    const made = { kind: "text", id: "made", text: "made", author: "host" } as const;
    expect(
      conversation.renderMessage({ id: "x", role: "user", blocks: [made, ...(message?.blocks ?? [])] }).content,
    ).toEqual([{ type: "message", role: "user", content: [{ type: "input_text", text: "made" }] }, ...items]);
  });

  it("of any kind and any order survive being read and written", () => {
    const item = fc.oneof(
      fc.record({ type: fc.constantFrom("message", "reasoning", "compaction"), role: fc.constantFrom("user", "x") }),
      fc.constantFrom<object>(
        said("user", "a", "b"),
        said("assistant", "c"),
        thought,
        called("1"),
        gave("1", "x"),
        gave("2", []),
      ),
      fc.object({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        const conversation = read(items);
        const rendered = conversation.messages.flatMap((message) =>
          [conversation.renderMessage(message).content].flat(),
        );
        expect(rendered.length).toBe(items.length);
        for (const [index, each] of rendered.entries()) expect(each).toBe(items[index]);
      }),
      { numRuns: tries(60, 2_000) },
    );
  });
});
