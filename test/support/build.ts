import { createBlockIds, type Identity } from "../../src/core/block-id.ts";
import type { ReplaceBlock, ReplaceSpan } from "../../src/core/edit.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type {
  Block,
  ImagePart,
  Message,
  OpaqueBlock,
  ResultPart,
  Role,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../src/core/message.ts";
import { replaceBlock, replaceSpan } from "../../src/core/propose-edit.ts";

/**
 * Builders that let a test read like a transcript. They make drafts; `conversation` names everything:
 *
 *     conversation(user("fix it"), assistant(call("Bash", { command: "ls" })), results("a.ts"))
 *
 * Messages become `m1`, `m2`, ...; the calls of a tool `Bash#1`, `Bash#2`, ...; blocks are named as the entry points name them.
 * What comes out is deeply frozen, so code that changes what it was given fails by itself.
 */
export interface MessageDraft {
  readonly role: Role;
  readonly blocks: readonly BlockDraft[];
}

type CallDraft = Omit<ToolCallBlock, "id" | "callId"> & { readonly callId?: string };
type ResultDraft = Omit<ToolResultBlock, "id" | "callId"> & { readonly callId?: string };
type OpaqueDraft = Omit<OpaqueBlock, "id">;
export type BlockDraft =
  | Omit<TextBlock, "id">
  | Omit<ThinkingBlock, "id">
  | ImagePart
  | OpaqueDraft
  | CallDraft
  | ResultDraft;

/** What a tool gave back: a text, an image, a part nobody understands, or several of them. */
type Output = string | ImagePart | OpaqueDraft | readonly (string | ImagePart | OpaqueDraft)[];

/** Bare strings are the person's own words. */
export function user(...said: readonly (string | BlockDraft)[]): MessageDraft {
  return { role: "user", blocks: said.map((part) => (typeof part === "string" ? text(part, "person") : part)) };
}

export function assistant(...said: readonly (string | BlockDraft)[]): MessageDraft {
  return { role: "assistant", blocks: said.map((part) => (typeof part === "string" ? text(part, "model") : part)) };
}

/** A system message in the middle of the conversation. */
export function system(...said: readonly string[]): MessageDraft {
  return { role: "system", blocks: said.map(reminder) };
}

/** A user message that answers the calls still open, in their order. A bare output means success; see `failed`. */
export function results(...outputs: readonly (Output | ResultDraft)[]): MessageDraft {
  return { role: "user", blocks: outputs.map((output) => (isResult(output) ? output : toResult(output))) };
}

export function call(tool: string, input: JsonObject = {}, callId?: string): CallDraft {
  return { kind: "toolCall", tool, input, ...(callId === undefined ? {} : { callId }) };
}

/** The answer to one named call, for what `results` cannot say: another order, a call left out, an orphan. */
export function resultOf(callId: string, output: Output, isError = false): ResultDraft {
  return { ...toResult(output), callId, isError };
}

export function failed(output: Output): ResultDraft {
  return { ...toResult(output), isError: true };
}

/** Text the host put into the conversation. */
export function reminder(words: string): BlockDraft {
  return text(words, "host");
}

export function thinking(words: string): BlockDraft {
  return { kind: "thinking", text: words, signature: `signed ${words}` };
}

export function image(data = "iVBORw0KGgo"): ImagePart {
  const source = { type: "base64", media_type: "image/png", data };
  return { kind: "image", mediaType: "image/png", encodedLength: data.length, raw: { type: "image", source } };
}

/** A block, or a part of a result, of a type from the future. */
export function opaque(type: string, payload: JsonObject = {}): OpaqueDraft {
  return { kind: "opaque", type, raw: { type, ...payload } };
}

/** Names the drafts as an entry point would: the same beginning gets the same ids however much follows. */
export function conversation(...drafts: readonly MessageDraft[]): readonly Message[] {
  return nameMessages(drafts, "");
}

/** Messages to put in the place of a span: their ids start with `prefix`, so they never meet those of the conversation. */
export function replacement(prefix: string, ...drafts: readonly MessageDraft[]): readonly Message[] {
  return nameMessages(drafts, prefix);
}

export interface EditBuilders {
  /** A text for texts, results and images; an input for tool calls. */
  replaceBlock(block: string, content: string | JsonObject): ReplaceBlock;
  replaceSpan(first: string, last: string, messages: readonly Message[]): ReplaceSpan;
}

/** Edits of this conversation by the ids in it, also by ids that are not in it. */
export function editsOf(messages: readonly Message[]): EditBuilders {
  const blocks = new Map(messages.flatMap((message) => message.blocks.map((block) => [block.id, block] as const)));
  return {
    replaceBlock(id, content) {
      const target: Block = blocks.get(id) ?? { kind: "text", id, text: "", author: "host" };
      const change = { content: typeof content === "string" ? { text: content } : { input: content }, ...accountable };
      return deepFreeze(replaceBlock(target, change));
    },
    replaceSpan(first, last, instead) {
      const [from, to] = [first, last].map((id) => messages.findIndex((message) => message.id === id));
      const span = from !== undefined && to !== undefined && from >= 0 ? messages.slice(from, to + 1) : [];
      return deepFreeze({ ...replaceSpan(span, { messages: instead, ...accountable }), first, last });
    },
  };
}

/** The id of a block by its place: `blockId(messages, "m2", 1)` is the second block of the second message. */
export function blockId(messages: readonly Message[], messageId: string, index = 0): string {
  const block = messages.find((message) => message.id === messageId)?.blocks[index];
  if (block === undefined) throw new Error(`the test's conversation has no block ${index} in a message ${messageId}`);
  return block.id;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

const accountable = { by: "test", reason: "a test asks for it", handles: [] } as const;

function text(words: string, author: TextBlock["author"]): Omit<TextBlock, "id"> {
  return { kind: "text", text: words, author };
}

function isResult(output: Output | ResultDraft): output is ResultDraft {
  return typeof output === "object" && "kind" in output && output.kind === "toolResult";
}

function toResult(output: Output): ResultDraft {
  const outputs = typeof output === "string" || "kind" in output ? [output] : output;
  return { kind: "toolResult", parts: outputs.map(toPart), isError: false };
}

function toPart(output: string | ImagePart | OpaqueDraft): ResultPart {
  if (typeof output === "string") return { kind: "text", text: output };
  return output.kind === "opaque" ? { kind: "opaque", raw: output.raw } : output;
}

function nameMessages(drafts: readonly MessageDraft[], prefix: string): readonly Message[] {
  const createId = createBlockIds();
  const nameCall = createCallNames();
  return deepFreeze(
    drafts.map(({ role, blocks }, index) => ({
      id: `${prefix}m${index + 1}`,
      role,
      blocks: blocks.map((draft): Block => {
        const named = nameCall(draft);
        return { ...named, id: prefix + createId(identify(named)) };
      }),
    })),
  );
}

type CalledDraft =
  | Exclude<BlockDraft, CallDraft | ResultDraft>
  | Omit<ToolCallBlock, "id">
  | Omit<ToolResultBlock, "id">;

/** Gives each call without an id the next name of its tool, and each result without one the oldest call still open. */
function createCallNames(): (draft: BlockDraft) => CalledDraft {
  const timesCalled = new Map<string, number>();
  const open = new Set<string>();
  return (draft) => {
    if (draft.kind === "toolCall") {
      const times = (timesCalled.get(draft.tool) ?? 0) + 1;
      timesCalled.set(draft.tool, times);
      const callId = draft.callId ?? `${draft.tool}#${times}`;
      open.add(callId);
      return { ...draft, callId };
    }
    if (draft.kind !== "toolResult") return draft;
    const [callId] = draft.callId === undefined ? open : [draft.callId];
    if (callId === undefined) throw new Error("the test's conversation has more results than calls");
    open.delete(callId);
    return { ...draft, callId };
  };
}

function identify(draft: CalledDraft): Identity {
  switch (draft.kind) {
    case "toolCall":
    case "toolResult":
      return { kind: draft.kind, callId: draft.callId };
    case "text":
      return { kind: "text", content: draft.text };
    case "thinking":
      return { kind: "thinking", content: draft.signature };
    case "image":
    case "opaque":
      return { kind: draft.kind, content: JSON.stringify(draft.raw) };
  }
}
