import { createBlockIds, type Identity } from "../core/block-id.ts";
import type { Block, Message, Role } from "../core/message.ts";

export type Identify = (identity: Identity) => string;

/** What every chat format has in common. Nothing more is asked of a message, so any SDK's own type fits. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A block with what it came from. */
export interface ParsedBlock {
  readonly block: Block;
  readonly raw: unknown;
}

export interface ParsedMessage {
  readonly role: Role;
  readonly blocks: readonly ParsedBlock[];
}

/** How one wire format is read and written. Only what was changed, or is new, is ever written. */
export interface Format {
  parseMessage(raw: unknown, identify: Identify): ParsedMessage;
  /** `source` is what the block came from; `undefined` where a layer made it. */
  renderBlock(block: Block, source: unknown): object;
  renderMessage(message: Message, blocks: readonly object[], source: unknown): WireMessage;
}

/** A conversation as it came, and the way back. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** What nobody changed is the identical object, down to its blocks; where nothing changed, the identical array. */
  render(messages: readonly Message[]): readonly WireMessage[];
}

interface Source extends ParsedMessage {
  readonly message: Message;
  readonly raw: WireMessage;
}

/** Parses once, at the door, and remembers what everything came from. Never throws on data. */
export function parseConversation(raws: readonly WireMessage[], format: Format): Conversation {
  const identify = createBlockIds();
  const sources = new Map<string, Source>();
  const blocks = new Map<string, ParsedBlock>();
  const messages = raws.map((raw): Message => {
    const parsed = format.parseMessage(raw, identify);
    for (const entry of parsed.blocks) blocks.set(entry.block.id, entry);
    const own = parsed.blocks.map(({ block }) => block);
    // Breakpoints and other markings move from request to request; what a block is named by does not hold them.
    const id = identify({ kind: "message", content: [parsed.role, ...own.map((block) => block.id)].join("\n") });
    const message: Message = { id, role: parsed.role, blocks: own };
    sources.set(id, { ...parsed, message, raw });
    return message;
  });

  const renderBlock = (block: Block): unknown => {
    const source = blocks.get(block.id);
    if (!source) return format.renderBlock(block, undefined);
    return isSame(source.block, block) ? source.raw : format.renderBlock(block, source.raw);
  };
  const renderMessage = (message: Message): WireMessage => {
    const source = sources.get(message.id);
    if (source?.message === message) return source.raw;
    const rendered = message.blocks.map(renderBlock);
    const isWhole =
      source?.blocks.length === rendered.length && source.blocks.every(({ raw }, index) => raw === rendered[index]);
    if (source && isWhole) return source.raw;
    return format.renderMessage(message, rendered.filter(isObject), source?.raw);
  };
  return {
    messages,
    render(edited) {
      if (edited === messages) return raws;
      const rendered = edited.map(renderMessage);
      return rendered.length === raws.length && rendered.every((raw, index) => Object.is(raw, raws[index]))
        ? raws
        : rendered;
    },
  };
}

/** A ledger that was saved holds copies of blocks: they are the same when they say the same. */
function isSame(left: Block, right: Block): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
