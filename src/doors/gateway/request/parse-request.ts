import { hostOfWire } from "../../../hosts/catalogue.ts";
import type { Host } from "../../../hosts/host.ts";
import { createAnthropicFormat } from "../../../wire/anthropic/messages.ts";
import { type Conversation, type Format, parseConversation, type WireMessage } from "../../../wire/conversation.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { countCommonBytes } from "./count-common-bytes.ts";
import {
  type Element,
  type Member,
  parseSpan,
  type Span,
  scanList,
  scanMembers,
  scanObject,
  skipSpace,
} from "./json-spans.ts";

/** The body of a Messages request: where its messages stand, and what they say. */
export interface ParsedRequest {
  readonly bytes: Buffer;
  /** The list with its brackets. */
  readonly list: Span;
  readonly spans: readonly Span[];
  readonly raws: readonly WireMessage[];
  readonly conversation: Conversation;
  /** Where each block of the raw messages stands; grows with the conversation. */
  readonly places: WeakMap<object, BlockPlace>;
  readonly fields: RequestFields;
  /** So many messages are byte for byte those of the request that was known before. */
  readonly kept: number;
}

export interface BlockPlace {
  readonly message: number;
  readonly block: number;
}

/** What stands beside the messages, as far as anybody here needs it. */
export interface RequestFields {
  readonly model: string;
  readonly isStream: boolean;
  /** `metadata.user_id`, as the client wrote it. */
  readonly userId: string;
  /** Types of the edits that the client asks the API itself to make. */
  readonly serverEdits: readonly string[];
  /** Bytes of system prompt and tools. */
  readonly baseBytes: number;
  /** The tools that the client offers; nothing where it offers none, or nobody can say which. */
  readonly tools: FieldPlace | undefined;
  /** The system prompt as a list of blocks. */
  readonly system: FieldPlace | undefined;
  /** The `type` of its `tool_choice`; empty where it says none. */
  readonly toolChoice: string;
}

/** Where a field's value stands. The list of messages grows from request to request, so what stands behind it moves. */
export interface FieldPlace {
  readonly isBehind: boolean;
  /** Counted from the beginning of the body; behind the messages from its end. */
  readonly place: Span;
}

export function locateField({ isBehind, place: { start, end } }: FieldPlace, body: Buffer): Span {
  return isBehind ? { start: body.length - start, end: body.length - end } : { start, end };
}

const OPEN_LIST = 0x5b;

/** Who speaks: this gateway takes Anthropic's requests, and no other. */
export const CLIENT: Host = hostOfWire("anthropic");

export const FORMAT: Format = createAnthropicFormat({ decideAuthor: CLIENT.decidePromptAuthor });

/**
 * Finds the messages by walking the top-level keys and parses those that are new: a conversation is sent anew with every
 * request, and all but its end is what the last one said. `undefined` where it is not understood: then it leaves as it came.
 */
export function parseRequest(bytes: Buffer, known?: ParsedRequest): ParsedRequest | undefined {
  return (known && continueRequest(bytes, known)) ?? parseWhole(bytes);
}

function parseWhole(bytes: Buffer): ParsedRequest | undefined {
  const body = scanObject(bytes, 0);
  if (!body || skipSpace(bytes, body.end) !== bytes.length) return undefined;
  const [field, ...more] = body.members.filter(({ key }) => key === "messages");
  // Said twice, nobody knows which one counts.
  if (!field || more.length > 0) return undefined;
  const found = scanList(bytes, field.value.start);
  const raws = found && parseMessages(bytes, found.elements);
  if (!found || !raws) return undefined;
  const conversation = parseConversation(raws, FORMAT);
  const fields = parseFields(bytes, body.members, field.value);
  const places = placeBlocks(new WeakMap(), raws, 0);
  const list = { start: field.value.start, end: field.value.end };
  return { bytes, list, spans: found.elements, raws, conversation, places, fields, kept: 0 };
}

function continueRequest(bytes: Buffer, known: ParsedRequest): ParsedRequest | undefined {
  const common = countCommonBytes(bytes, known.bytes);
  let kept = known.spans.length;
  while (kept > 0 && (known.spans[kept - 1]?.end ?? 0) > common) kept--;
  if (kept === 0) return undefined;
  const found = scanList(bytes, known.list.start, known.spans[kept - 1]?.end);
  const added = found && parseMessages(bytes, found.elements);
  const fields = found && continueFields(bytes, found.end, known);
  if (!found || !added || !fields) return undefined;
  const raws = [...known.raws.slice(0, kept), ...added];
  return {
    bytes,
    list: { start: known.list.start, end: found.end },
    spans: [...known.spans.slice(0, kept), ...found.elements],
    raws,
    conversation: known.conversation.grow(raws, kept),
    places: placeBlocks(known.places, raws, kept),
    fields,
    kept,
  };
}

/** What stands before the messages is the same; what stands behind them is looked at where it is not. */
function continueFields(bytes: Buffer, end: number, known: ParsedRequest): RequestFields | undefined {
  const rest = bytes.subarray(end);
  if (rest.equals(known.bytes.subarray(known.list.end))) return known.fields;
  const head = scanMembersBefore(bytes, known.list);
  const comma = skipSpace(bytes, end);
  const tail = bytes[comma] === 0x2c ? scanMembers(bytes, comma + 1) : { members: [], end: comma + 1 };
  if (!head || !tail || (tail.members.length === 0 && bytes[comma] !== 0x7d)) return undefined;
  if (skipSpace(bytes, tail.end) !== bytes.length) return undefined;
  return tail.members.some(({ key }) => key === "messages")
    ? undefined
    : parseFields(bytes, [...head, ...tail.members], { start: known.list.start, end });
}

/** The members in front of the list of messages. */
function scanMembersBefore(bytes: Buffer, list: Span): readonly Member[] | undefined {
  // Closed in the place of the list, what stands before it is a whole object.
  const head = Buffer.concat([bytes.subarray(0, list.start), Buffer.from("0}")]);
  return scanObject(head, 0)?.members.slice(0, -1);
}

/** More than any window holds: what says so much would hold up everybody for seconds, and leaves as it came. */
const MAX_THINGS = 50_000;
const MAX_BRACKETS = 500_000;

function parseMessages(bytes: Buffer, spans: readonly Element[]): readonly WireMessage[] | undefined {
  const brackets = spans.reduce((sum, span) => sum + span.brackets, 0);
  if (spans.length > MAX_THINGS || brackets > MAX_BRACKETS) return undefined;
  let things = spans.length;
  const raws: WireMessage[] = [];
  for (const span of spans) {
    const raw = parseSpan(bytes, span);
    if (!isMessage(raw)) return undefined;
    if (typeof raw.content !== "string") things += raw.content.length;
    if (things > MAX_THINGS) return undefined;
    raws.push(raw);
  }
  return raws;
}

function placeBlocks(
  places: WeakMap<object, BlockPlace>,
  raws: readonly WireMessage[],
  from: number,
): WeakMap<object, BlockPlace> {
  for (let message = from; message < raws.length; message++) {
    const content = raws[message]?.content ?? "";
    if (typeof content === "string") continue;
    for (const [block, raw] of content.entries()) if (isRecord(raw)) places.set(raw, { message, block });
  }
  return places;
}

function isMessage(raw: unknown): raw is WireMessage {
  return (
    isRecord(raw) && typeof raw.role === "string" && (typeof raw.content === "string" || Array.isArray(raw.content))
  );
}

function parseFields(bytes: Buffer, members: readonly Member[], list: Span): RequestFields {
  const spans = new Map(members.map(({ key, value }) => [key, value]));
  const read = (key: string): unknown => {
    const span = spans.get(key);
    return span && parseSpan(bytes, span);
  };
  const measure = (key: string): number => {
    const span = spans.get(key);
    return span ? span.end - span.start : 0;
  };
  const [model, metadata, management] = [read("model"), read("metadata"), read("context_management")];
  const choice = read("tool_choice");
  const userId = isRecord(metadata) ? metadata.user_id : undefined;
  const edits = isRecord(management) && Array.isArray(management.edits) ? management.edits : [];
  return {
    model: typeof model === "string" ? model : "",
    isStream: read("stream") === true,
    userId: typeof userId === "string" ? userId : "",
    serverEdits: edits.flatMap((edit) => (isRecord(edit) && typeof edit.type === "string" ? [edit.type] : [])),
    baseBytes: measure("system") + measure("tools"),
    tools: placeList(bytes, members, { key: "tools", list }),
    system: placeList(bytes, members, { key: "system", list }),
    toolChoice: isRecord(choice) && typeof choice.type === "string" ? choice.type : "",
  };
}

/** A field that is a list with something in it, and stands there once. */
function placeList(
  bytes: Buffer,
  members: readonly Member[],
  { key, list }: { readonly key: string; readonly list: Span },
): FieldPlace | undefined {
  const [field, ...more] = members.filter((member) => member.key === key);
  if (!field || more.length > 0) return undefined;
  const { start, end } = field.value;
  const isEmpty = scanList(bytes, start)?.elements.length === 0;
  if (bytes[start] !== OPEN_LIST || isEmpty) return undefined;
  const isBehind = start > list.start;
  const { length } = bytes;
  return { isBehind, place: isBehind ? { start: length - start, end: length - end } : { start, end } };
}
