import { isObject } from "../../../core/json.ts";
import { parseConversation, type WireMessage } from "../../../wire/conversation.ts";
import { messagesWire } from "../messages-wire.ts";
import type { BlockPlace, ParsedRequest, Wire } from "../wire.ts";
import {
  countCommonBytes,
  type Element,
  type Member,
  parseSpan,
  type Span,
  scanList,
  scanMembers,
  scanObject,
  skipSpace,
} from "./json-spans.ts";
import { createFieldReader, type RequestFields } from "./request-fields.ts";

/** Parses only what is new: each request resends the conversation. `undefined` if it is not understood, and then sent as it came. */
export function parseRequest(
  bytes: Buffer,
  known?: ParsedRequest,
  wire: Wire = messagesWire,
): ParsedRequest | undefined {
  return (known?.wire === wire ? continueRequest(bytes, known) : undefined) ?? parseWhole(bytes, wire);
}

function parseWhole(bytes: Buffer, wire: Wire): ParsedRequest | undefined {
  const body = scanObject(bytes, 0);
  if (!body || skipSpace(bytes, body.end) !== bytes.length) return undefined;
  const [field, ...more] = body.members.filter(({ key }) => key === wire.list);
  // If the key occurs twice, it is unclear which one counts.
  if (!field || more.length > 0) return undefined;
  const found = scanList(bytes, field.value.start);
  const read = found && readMessages(bytes, found.elements, wire, true);
  const parsed = wire.parseFields(createFieldReader(bytes, body.members, field.value));
  if (!found || !read || !parsed) return undefined;
  const { raws, spans } = read;
  const { start, end } = field.value;
  const list = { start, end };
  const fields = addBase(parsed, { bytes, list, spans });
  const conversation = parseConversation(raws, wire.format);
  const places = placeBlocks(new WeakMap(), raws, 0);
  return { wire, bytes, list, spans, raws, conversation, places, fields };
}

function continueRequest(bytes: Buffer, known: ParsedRequest): ParsedRequest | undefined {
  const common = countCommonBytes(bytes, known.bytes);
  const { wire } = known;
  let kept = known.spans.length;
  while (kept > 0 && (known.spans[kept - 1]?.end ?? 0) > common) kept--;
  // A message that may continue in this request is read again, so that all instances see the same messages whatever they remember.
  if (wire.isLastOpen) kept--;
  if (kept <= 0) return undefined;
  const found = scanList(bytes, known.list.start, known.spans[kept - 1]?.end);
  const added = found && readMessages(bytes, found.elements, wire, false);
  const fields = found && continueFields(bytes, found.end, known);
  if (!found || !added || !fields) return undefined;
  const raws = [...known.raws.slice(0, kept), ...added.raws];
  return {
    wire,
    bytes,
    list: { start: known.list.start, end: found.end },
    spans: [...known.spans.slice(0, kept), ...added.spans],
    raws,
    conversation: known.conversation.grow(raws, kept),
    places: placeBlocks(known.places, raws, kept),
    fields,
  };
}

/** What comes before the messages is the same; what comes after them is compared. */
function continueFields(bytes: Buffer, end: number, known: ParsedRequest): RequestFields | undefined {
  const rest = bytes.subarray(end);
  if (rest.equals(known.bytes.subarray(known.list.end))) return known.fields;
  const head = scanMembersBefore(bytes, known.list);
  const comma = skipSpace(bytes, end);
  const tail = bytes[comma] === 0x2c ? scanMembers(bytes, comma + 1) : { members: [], end: comma + 1 };
  if (!head || !tail || (tail.members.length === 0 && bytes[comma] !== 0x7d)) return undefined;
  if (skipSpace(bytes, tail.end) !== bytes.length) return undefined;
  if (tail.members.some(({ key }) => key === known.wire.list)) return undefined;
  const list = { start: known.list.start, end };
  const fields = known.wire.parseFields(createFieldReader(bytes, [...head, ...tail.members], list));
  return fields && addBase(fields, { bytes, list, spans: known.spans });
}

function scanMembersBefore(bytes: Buffer, list: Span): readonly Member[] | undefined {
  // With the list replaced by a value and closed, what comes before it is a whole object.
  const head = Buffer.concat([bytes.subarray(0, list.start), Buffer.from("0}")]);
  return scanObject(head, 0)?.members.slice(0, -1);
}

/** More than any window holds: parsing so much would hold up everyone for seconds, so it is sent as it came. */
const MAX_THINGS = 50_000;
const MAX_BRACKETS = 500_000;

/** What comes in the list before its first message counts with system prompt and tools. */
function addBase(
  fields: RequestFields,
  { bytes, list, spans }: Pick<ParsedRequest, "bytes" | "list" | "spans">,
): RequestFields {
  const before = spans[0] ? spans[0].start - skipSpace(bytes, list.start + 1) : 0;
  return before === 0 ? fields : { ...fields, baseBytes: fields.baseBytes + before };
}

/** The messages and the span of each, from its first element to its last. `isFirst` if the elements are the first of their list. */
function readMessages(bytes: Buffer, all: readonly Element[], wire: Wire, isFirst: boolean) {
  const brackets = all.reduce((sum, span) => sum + span.brackets, 0);
  if (all.length > MAX_THINGS || brackets > MAX_BRACKETS) return undefined;
  const parsed = all.map((span) => parseSpan(bytes, span));
  const base = isFirst ? wire.countBase(parsed) : 0;
  const elements = all.slice(base);
  const groups = wire.group(parsed.slice(base));
  if (!groups) return undefined;
  const raws = groups.map(({ message }) => message);
  const blocks = raws.reduce((sum, { content }) => sum + (typeof content === "string" ? 0 : content.length), 0);
  if (elements.length + blocks > MAX_THINGS) return undefined;
  let next = 0;
  const spans = groups.map(({ count }): Span => {
    const first = next;
    next += count;
    return { start: elements[first]?.start ?? 0, end: elements[next - 1]?.end ?? 0 };
  });
  return { raws, spans };
}

function placeBlocks(
  places: WeakMap<object, BlockPlace>,
  raws: readonly WireMessage[],
  from: number,
): WeakMap<object, BlockPlace> {
  for (let message = from; message < raws.length; message++) {
    const content = raws[message]?.content ?? "";
    if (typeof content === "string") continue;
    for (const [block, raw] of content.entries()) if (isObject(raw)) places.set(raw, { message, block });
  }
  return places;
}
