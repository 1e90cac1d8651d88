import type { Author, Block, Role, ToolCallBlock } from "../../core/message.ts";
import type { Format, Raw, WireMessage } from "../conversation.ts";
import { findOnlyText, parseOpaqueMessage, renderResultParts } from "../draft.ts";
import { isRecord } from "../is-json.ts";
import { parseItem, roleOf } from "./parse-item.ts";

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
