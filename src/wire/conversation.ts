import { createBlockIds, forgetBlockId } from "../core/block-id.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Block, Message, Role } from "../core/message.ts";

/** What every chat format has in common. Nothing more is required of a message, so any SDK's own type fits. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

export type Raw = Readonly<Record<string, unknown>>;

type WithoutId<Known> = Known extends Block ? Omit<Known, "id"> : never;

/** A block as a format reads it. `identity` is what its id is made of, where that is neither its call nor its text. */
export type Draft = WithoutId<Block> & { readonly identity?: string };

export interface ParsedPart {
  readonly draft: Draft;
  readonly raw: unknown;
}

export interface ParsedMessage {
  readonly role: Role;
  readonly parts: readonly ParsedPart[];
}

interface ParsedBlock {
  readonly block: Block;
  readonly raw: unknown;
}

/** Reads and writes one wire format. Only what was changed, or is new, is ever written. */
export interface Format {
  parseMessage(raw: unknown): ParsedMessage;
  /** What the layers see of a block; the block itself by default. */
  seal?(block: Block, raw: unknown): Block;
  /** `source` is what the block was parsed from; `undefined` if a layer made it. */
  renderBlock(block: Block, source: Raw | undefined): object;
  renderMessage(message: Message, blocks: readonly object[], source: Raw | undefined): object;
}

/** A parsed conversation, and how to write it back. */
export interface Conversation<Raw extends object = WireMessage> {
  readonly messages: readonly Message[];
  /** Unchanged messages are the identical objects, down to their blocks; if nothing changed, so is the array. */
  render(messages: readonly Message[]): readonly Raw[];
  /** One message alone; the identical object if it is unchanged. */
  renderMessage(message: Message): Raw;
  /** The next request of the same conversation: its first `kept` messages are known to be unchanged. */
  grow(raws: readonly Raw[], kept: number): Conversation<Raw>;
}

type Identify = ReturnType<typeof createBlockIds>;

interface Source {
  readonly message: Message;
  readonly blocks: readonly ParsedBlock[];
  readonly raw: object;
}

/** Parses once, at the entry point, and remembers the source of everything. Never throws on data. */
export function parseConversation(raws: readonly WireMessage[], format: Format): Conversation;
export function parseConversation(raws: readonly object[], format: Format): Conversation<object>;
export function parseConversation(raws: readonly object[], format: Format): Conversation<object> {
  return continueConversation([], new Map(), raws, format);
}

/** `timesSeen` is its own copy, because later messages are counted in it. */
function continueConversation(
  beginning: readonly Source[],
  timesSeen: Map<string, number>,
  raws: readonly object[],
  format: Format,
): Conversation<object> {
  const identify = createBlockIds(timesSeen);
  const sources: readonly Source[] = [
    ...beginning,
    ...raws.slice(beginning.length).map((raw) => parseSource(raw, format, identify)),
  ];
  const messages = sources.map(({ message }) => message);
  // Most requests are sent unchanged, so the index is built on demand.
  let origins: Origins | undefined;
  const indexAll = (): Origins => {
    origins ??= indexSources(sources);
    return origins;
  };
  const renderMessage = (message: Message): object => {
    // Changed messages are mostly new ones, so searching from the end finds them at once.
    const source = sources.findLast((candidate) => candidate.message.id === message.id);
    const isOwn = source && message.blocks.every(({ id }) => source.blocks.some(({ block }) => block.id === id));
    return renderFrom(isOwn ? indexSources([source]) : indexAll(), message, format);
  };
  return {
    messages,
    renderMessage,
    render(edited) {
      if (edited === messages) return raws;
      const all = indexAll();
      const rendered = edited.map((message) => renderFrom(all, message, format));
      return rendered.length === raws.length && rendered.every((raw, index) => Object.is(raw, raws[index]))
        ? raws
        : rendered;
    },
    grow: (next, kept) => {
      const counted = new Map(timesSeen);
      for (const { message } of sources.slice(kept))
        for (const { id } of [...message.blocks, message]) forgetBlockId(counted, id);
      return continueConversation(sources.slice(0, kept), counted, next, format);
    },
  };
}

function parseSource(raw: object, format: Format, identify: Identify): Source {
  const { role, parts } = format.parseMessage(raw);
  const blocks = parts.map((part): ParsedBlock => {
    const block = nameBlock(part.draft, identify);
    return { block: format.seal?.(block, part.raw) ?? block, raw: part.raw };
  });
  const own = blocks.map(({ block }) => block);
  // Breakpoints and other marks move from request to request, so a block's id does not include them.
  const id = identify({ kind: "message", content: [role, ...own.map((block) => block.id)].join("\n") });
  return { message: { id, role, blocks: own }, blocks, raw };
}

function nameBlock({ identity, ...draft }: Draft, identify: Identify): Block {
  const content = identity ?? ("text" in draft ? draft.text : "");
  const id = identify("callId" in draft ? draft : { kind: draft.kind, content });
  // Kind and id first, as in the ledgers of earlier versions: blocks are compared as JSON.
  return Object.assign({ kind: draft.kind, id }, draft);
}

interface Origins {
  readonly messages: ReadonlyMap<string, Source>;
  readonly blocks: ReadonlyMap<string, ParsedBlock>;
}

function indexSources(sources: readonly Source[]): Origins {
  return {
    messages: new Map(sources.map((source) => [source.message.id, source])),
    blocks: new Map(sources.flatMap(({ blocks }) => blocks.map((entry) => [entry.block.id, entry] as const))),
  };
}

function renderFrom(origins: Origins, message: Message, format: Format): object {
  const source = origins.messages.get(message.id);
  if (source?.message === message) return source.raw;
  const rendered = message.blocks.map((block): unknown => {
    const origin = origins.blocks.get(block.id);
    return origin && isSame(origin.block, block) ? origin.raw : format.renderBlock(block, recordOf(origin?.raw));
  });
  const isWhole =
    source?.blocks.length === rendered.length && source.blocks.every(({ raw }, index) => raw === rendered[index]);
  if (source && isWhole) return source.raw;
  const objects = rendered.filter((raw) => typeof raw === "object" && raw !== null);
  return format.renderMessage(message, objects, recordOf(source?.raw));
}

function recordOf(raw: unknown): Raw | undefined {
  return isRecord(raw) ? raw : undefined;
}

/** A saved ledger has copies of blocks: they are the same if their content is. */
function isSame(left: Block, right: Block): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Deeper values are cyclic, or not meant for a model. */
const MAX_DEPTH = 100;

/** Whether `JSON.stringify` preserves a value: no bytes, dates, functions, cycles. */
function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return isPlain(value) && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isJson(value);
}

export function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}
