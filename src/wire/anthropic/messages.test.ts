/** If red: a request in Anthropic's format changes outside of what was edited. */
import type Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Block } from "../../core/message.ts";
import { replaceBlock } from "../../core/propose-edit.ts";
import { type Conversation, parseConversation, type WireMessage } from "../conversation.ts";
import { createAnthropicFormat } from "./messages.ts";

const parse = (messages: readonly WireMessage[]): Conversation => parseConversation(messages, createAnthropicFormat());

const words = fc.oneof(fc.constantFrom("ok", "continue", "src/a.ts"), fc.string({ unit: "binary", maxLength: 20 }));
const cacheControl = fc.constantFrom({}, { cache_control: { type: "ephemeral" } }, { cache_control: null });
/** Fields that only a later API knows. */
const unknownFields = fc.oneof(fc.constant({}), fc.record({ citations: fc.jsonValue(), x_new: fc.jsonValue() }));
const withExtras = <Value extends object>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<JsonObject> =>
  fc.tuple(arbitrary, cacheControl, unknownFields).map(([value, ...extras]) => Object.assign({}, ...extras, value));

const text = withExtras(fc.record({ type: fc.constant("text"), text: words }));
const image = withExtras(
  fc.record({
    type: fc.constant("image"),
    source: fc.constantFrom(
      { type: "base64", media_type: "image/png", data: "iVBORw0KGgo" },
      { type: "url", url: "https://example.com/a.png" },
      { type: "file", file_id: "file_1" },
    ),
  }),
);
const document = withExtras(
  fc.constant({ type: "document", source: { type: "text", media_type: "text/plain", data: "a" } }),
);
const toolReference = withExtras(fc.constant({ type: "tool_reference", tool_name: "Edit" }));
const serverTool = withExtras(
  fc.constantFrom(
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ type: "web_search_result", url: "u" }] },
    { type: "container_upload", file_id: "f" },
    { type: "from_the_future", payload: [1, { deep: null }] },
  ),
);
const thinking = withExtras(
  fc.oneof(
    fc.record({ type: fc.constant("thinking"), thinking: words, signature: words }),
    fc.record({ type: fc.constant("redacted_thinking"), data: words }),
  ),
);
const toolUse = withExtras(
  fc.record({
    type: fc.constant("tool_use"),
    id: fc.constantFrom("a", "b", "c"),
    name: words,
    input: fc.dictionary(words, fc.jsonValue()),
  }),
);
const toolResult = withExtras(
  fc.record(
    {
      type: fc.constant("tool_result"),
      tool_use_id: fc.constantFrom("a", "b", "c"),
      content: fc.oneof(words, fc.array(fc.oneof(text, image, document, toolReference), { maxLength: 3 })),
      is_error: fc.boolean(),
    },
    { requiredKeys: ["type", "tool_use_id"] },
  ),
);
const content = fc.oneof(
  words,
  fc.array(fc.oneof(text, image, document, serverTool, thinking, toolUse, toolResult), { maxLength: 4 }),
);
const message = fc
  .tuple(fc.constantFrom("user", "assistant", "system"), content, unknownFields)
  .map(([role, said, extras]): WireMessage => ({ ...extras, role, content: said }));
const body = fc.array(message, { maxLength: 8 });

describe("createAnthropicFormat", () => {
  it("gives back the identical array and objects where nothing was changed", () => {
    fc.assert(
      fc.property(body, (raw) => {
        const before = structuredClone(raw);
        const { messages, render } = parse(raw);
        expect(render(messages)).toBe(raw);
        // A ledger that was saved and read again holds copies.
        expect(render(structuredClone(messages))).toBe(raw);
        expect(raw).toEqual(before);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("changes the edited blocks and nothing else", () => {
    fc.assert(
      fc.property(body, fc.infiniteStream(fc.boolean()), (raw, coins) => {
        const { messages, render } = parse(raw);
        const blocks = messages.flatMap(({ blocks: own }) => own);
        const edits = blocks.filter(() => coins.next().value === true).map(planEdit);
        const { messages: after, applied } = applyEdits(messages, edits);
        const rendered = render(after);
        const changed = new Set(applied.map((edit) => (edit.kind === "replaceBlock" ? edit.block : "")));
        for (const [index, message] of messages.entries())
          expectOnlyChanges(raw[index], rendered[index], (at) => changed.has(message.blocks[at]?.id ?? ""));
        // What was written says what was meant: read again it is the edited conversation.
        expect(parse(rendered).messages.map(({ blocks: own }) => own.map(withoutName))).toEqual(
          after.map(({ blocks: own }) => own.map(withoutName)),
        );
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("leaves whatever it is given as it is, however broken, and never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything().filter(isCalledMessage), message)), (raw) => {
        const { messages, render } = parse(raw);
        expect(render([...messages])).toBe(raw);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("names blocks and messages alike in every request, wherever the breakpoint stands", () => {
    const breakpoint = { cache_control: { type: "ephemeral" } };
    const document = { type: "document", source: { type: "text", data: "a" } };
    const first = parse([{ role: "user", content: [{ ...document, ...breakpoint }] }]);
    const later = parse([
      { role: "user", content: [document] },
      { role: "assistant", content: "ok" },
      { role: "user", content: [{ type: "text", text: "go on", ...breakpoint }] },
    ]);
    expect(later.messages[0]?.id).toBe(first.messages[0]?.id);
    expect(later.messages[0]?.blocks[0]?.id).toBe(first.messages[0]?.blocks[0]?.id);
  });

  it("keeps a string a string, and a breakpoint where it was", () => {
    const { messages, render } = parse([
      { role: "user", content: "one" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Read", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [{ type: "text", text: "long", cache_control: { type: "ephemeral" } }],
          },
        ],
      },
    ]);
    const { messages: after } = applyEdits(messages, messages.flatMap(({ blocks }) => blocks).map(planEdit));
    expect(render(after)).toEqual([
      { role: "user", content: "edited" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Read", input: { edited: true } }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [{ type: "text", text: "edited", cache_control: { type: "ephemeral" } }],
          },
        ],
      },
    ]);
  });

  it("takes the SDK's own type", () => {
    const own: Anthropic.MessageParam[] = [{ role: "user", content: "hello" }];
    expect(parse(own).messages).toMatchObject([{ role: "user", blocks: [{ kind: "text", author: "person" }] }]);
  });

  it("lets a host say which words are its own", () => {
    const format = createAnthropicFormat((words) => (words.startsWith("<system-reminder>") ? "host" : "person"));
    const { messages } = parseConversation([{ role: "user", content: "<system-reminder>x" }], format);
    expect(messages[0]?.blocks[0]).toMatchObject({ author: "host" });
  });
});

function planEdit(block: Block): Edit {
  const content = block.kind === "toolCall" ? { input: { edited: true } } : { text: "edited" };
  return replaceBlock(block, { content, by: "test", reason: "", handles: [] });
}

function withoutName(block: Block): unknown {
  // Names come from contents, and a picture's place in a text block keeps the picture's name and author.
  const { id: _, ...rest } = block;
  return rest.kind === "text" ? { ...rest, author: "" } : rest;
}

function expectOnlyChanges(
  before: WireMessage | undefined,
  after: WireMessage | undefined,
  isChanged: (block: number) => boolean,
): void {
  const { content: oldContent, ...oldRest } = before ?? { content: [] };
  const { content: newContent, ...newRest } = after ?? { content: [] };
  expect(newRest).toEqual(oldRest);
  if (typeof oldContent === "string" || typeof newContent === "string") {
    expect(typeof newContent).toBe(typeof oldContent);
    if (!isChanged(0)) expect(newContent).toBe(oldContent);
    return;
  }
  expect(newContent).toHaveLength(oldContent.length);
  for (const [index, block] of oldContent.entries()) {
    if (!isChanged(index)) expect(newContent[index]).toBe(block);
    else expect(omitChanged(newContent[index], block)).toEqual(omitChanged(block, block));
  }
}

const CHANGED = ["text", "input", "content"];
/** Of a picture that gave way to a text nothing stays but its breakpoint. */
const CHANGED_OF_PICTURE = ["type", "source", "citations", "x_new", "text"];

function omitChanged(block: object | undefined, before: object): object {
  const changed = "source" in before ? CHANGED_OF_PICTURE : CHANGED;
  return Object.fromEntries(Object.entries(block ?? {}).filter(([key]) => !changed.includes(key)));
}

/** The compiler takes a caller's word for it; so must a test of what happens when the word is broken. */
function isCalledMessage(value: unknown): value is WireMessage {
  return value !== isCalledMessage;
}
