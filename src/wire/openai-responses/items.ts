import { type Json, type JsonObject, parseJson, textField } from "../../core/json.ts";
import type { Author, Block, ImagePart, Role, ToolCallBlock } from "../../core/message.ts";
import {
  type Draft,
  type Format,
  isJsonObject,
  isRecord,
  type ParsedPart,
  type Raw,
  type WireMessage,
} from "../conversation.ts";
import {
  draftCall,
  findOnlyText,
  parseOpaque,
  parseOpaqueMessage,
  parsePart,
  parseResultParts,
  renderResultParts,
} from "../draft.ts";

/** Items that form one message: everything that one side says before the other does. */
export interface ItemGroup {
  readonly message: WireMessage;
  readonly count: number;
}

/**
 * The `input` of a Responses request is a flat list of items. The model's one answer (reasoning, text, calls) becomes
 * one message of ours, and so does what comes back to it, so that what belongs together stays or goes together.
 */
export function groupItems(items: readonly object[]): readonly ItemGroup[] {
  const groups: { role: Role; items: object[] }[] = [];
  let open: Role | undefined;
  for (const item of items) {
    const known = isRecord(item) ? roleOf(item) : undefined;
    const role = known ?? "system";
    const last = groups.at(-1);
    if (last && open === role && role !== "system") last.items.push(item);
    else groups.push({ role, items: [item] });
    open = known;
  }
  return groups.map(({ role, items: own }) => ({ message: { role, content: own }, count: own.length }));
}

/** Writes blocks that were changed, or that a layer made. All other fields of their source stay. */
export function createResponsesFormat(decideAuthor: (text: string) => Author): Format {
  /** The message that a part came from. */
  const owners = new WeakMap<object, Raw>();
  return {
    parseMessage(raw) {
      const role = isRecord(raw) ? ROLES.find((known) => known === raw.role) : undefined;
      if (!isRecord(raw) || !role || !Array.isArray(raw.content)) return parseOpaqueMessage(raw);
      const parts = raw.content.flatMap((item: unknown) => {
        const parsed = parseItem(item, decideAuthor);
        if (isRecord(item))
          for (const part of parsed) if (isRecord(part.raw) && part.raw !== item) owners.set(part.raw, item);
        return parsed;
      });
      return { role, parts };
    },
    renderBlock(block, source) {
      const made = render(block, source);
      const owner = source && owners.get(source);
      if (owner) owners.set(made, owner);
      return made;
    },
    renderMessage: ({ role }, parts) => ({ role, content: joinParts(role, parts, owners) }),
  };
}

const ROLES: readonly Role[] = ["user", "assistant", "system"];

/** Parts go back into the messages they came from; what a layer made gets one of its own. */
function joinParts(role: Role, parts: readonly object[], owners: WeakMap<object, Raw>): readonly object[] {
  const items: object[] = [];
  let open: { readonly owner: Raw | undefined; readonly parts: object[] } | undefined;
  const close = (): void => {
    if (open) items.push(closeMessage(role, open.owner, open.parts));
    open = undefined;
  };
  for (const part of parts) {
    const owner = owners.get(part);
    if (!owner && !(isRecord(part) && PARTS.has(part.type))) {
      close();
      items.push(part);
    } else if (open && open.owner === owner) open.parts.push(part);
    else {
      close();
      open = { owner, parts: [part] };
    }
  }
  close();
  return items;
}

function closeMessage(role: Role, owner: Raw | undefined, parts: readonly object[]): object {
  if (!owner) return { type: "message", role: role === "system" ? "developer" : role, content: parts };
  const { content } = owner;
  const isWhole =
    Array.isArray(content) && content.length === parts.length && content.every((part, at) => part === parts[at]);
  return isWhole ? owner : { ...owner, content: parts };
}

const PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "input_image", "input_file"]);

function render(block: Block, raw: Raw = {}): object {
  switch (block.kind) {
    case "text":
      if (typeof raw.content === "string") return { ...raw, content: block.text };
      if (typeof raw.text === "string") return { ...raw, text: block.text };
      return { type: block.author === "model" ? "output_text" : "input_text", text: block.text };
    case "toolCall":
      return renderCall(block, raw);
    case "toolResult": {
      const type = typeof raw.type === "string" ? raw.type : "function_call_output";
      const output = findOnlyText(block.parts) ?? renderResultParts(block.parts, "input_text");
      return { ...raw, type, call_id: block.callId, output };
    }
    case "thinking":
      // Only the model makes these, and they are never changed.
      return { ...raw, type: "reasoning", summary: [], encrypted_content: block.signature };
    default:
      return block.raw;
  }
}

function renderCall({ callId, tool, input }: ToolCallBlock, raw: Raw): object {
  if (raw.type === "custom_tool_call") return { ...raw, input: typeof input.input === "string" ? input.input : "" };
  if (raw.type === "local_shell_call") return { ...raw, action: input };
  return { ...raw, type: "function_call", call_id: callId, name: tool, arguments: JSON.stringify(input) };
}

/** Who speaks in an item; `undefined` if it is unknown. */
export function roleOf(item: Raw): Role | undefined {
  switch (item.type) {
    // Only a message may lack the type.
    case undefined:
    case "message":
      return MESSAGE_ROLES.get(item.role);
    case "reasoning":
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call":
      return "assistant";
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return "user";
    default:
      return undefined;
  }
}

const MESSAGE_ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>(
  Object.entries({ user: "user", assistant: "assistant", developer: "system", system: "system" } as const),
);

/** One item of `input` as blocks: a message has one for each of its parts, everything else is one. */
function parseItem(item: unknown, decideAuthor: (text: string) => Author): readonly ParsedPart[] {
  const role = isRecord(item) ? roleOf(item) : undefined;
  if (!isRecord(item) || role === undefined || item.type === "web_search_call") return [parseOpaque(item)];
  if (item.type !== undefined && item.type !== "message") return [parsePart(item, draftItem)];
  const draftText = (text: string): Draft => {
    const author = role === "user" ? decideAuthor(text) : role === "assistant" ? "model" : "host";
    return { kind: "text", text, author };
  };
  const { content } = item;
  if (typeof content === "string") return [{ draft: draftText(content), raw: item }];
  if (!Array.isArray(content) || content.length === 0 || !content.every(isRecord)) return [parseOpaque(item)];
  return content.map((raw: Raw) => {
    if (TEXT_PARTS.has(raw.type) && typeof raw.text === "string") return { draft: draftText(raw.text), raw };
    return parsePart(raw, (part) => {
      const image = parseImage(part);
      return image && { ...image, identity: nameImage(part) };
    });
  });
}

const TEXT_PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"]);

function draftItem(item: JsonObject): Draft | undefined {
  const { call_id: callId } = item;
  switch (item.type) {
    case "reasoning": {
      const text = renderSummary(item.summary);
      const signature = textField(item, "encrypted_content");
      return { kind: "thinking", text, signature, identity: signature || textField(item, "id") || text };
    }
    case "function_call":
      return draftCall(callId, item.name, parseCallArguments(item.arguments));
    case "custom_tool_call":
      return draftCall(callId, item.name, typeof item.input === "string" ? { input: item.input } : undefined);
    case "local_shell_call":
      return draftCall(callId, "local_shell", item.action);
    default: {
      const parts = parseResultParts(item.output, parseImage, TEXT_PARTS);
      if (typeof callId !== "string" || !parts) return undefined;
      return { kind: "toolResult", callId, parts, isError: false };
    }
  }
}

/** A model's arguments for a tool: text that should be JSON. */
export function parseCallArguments(raw: unknown): JsonObject | undefined {
  if (typeof raw !== "string") return undefined;
  if (raw.trim() === "") return {};
  const parsed = parseJson(raw);
  return isJsonObject(parsed) ? parsed : undefined;
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  if (raw.type !== "input_image") return undefined;
  const data = nameImage(raw);
  return { kind: "image", mediaType: /^data:([^;,]+)/.exec(data)?.[1] ?? "", encodedLength: data.length, raw };
}

function nameImage(raw: JsonObject): string {
  return textField(raw, "image_url") || textField(raw, "file_id");
}

function renderSummary(summary: Json | undefined): string {
  const parts = Array.isArray(summary) ? summary.filter(isJsonObject) : [];
  return parts.map((part) => textField(part, "text")).join("\n");
}
