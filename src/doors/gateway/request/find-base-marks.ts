import { isRecord } from "../../../wire/is-json.ts";
import type { ParsedRequest } from "../wire.ts";
import { parseSpan, type Span, scanList, scanObject } from "./json-spans.ts";
import { type FieldPlace, locateField, type RequestFields } from "./request-fields.ts";

/** Where a life time can be written into the marks of system prompt and tools: before each closing brace. */
export interface BaseMark {
  readonly offset: number;
  readonly isBehind: boolean;
}

/** By the fields, which are the same object for as long as what they say is the same. Counted as in `FieldPlace`. */
const known = new WeakMap<RequestFields, readonly FieldPlace[]>();

/**
 * The client's breakpoints in front of its messages, where it leaves to the API how long they live. None of them where it says so of
 * one: what a client has decided stands, and a longer life time may not follow a shorter one.
 */
export function findBaseMarks(request: ParsedRequest): readonly BaseMark[] {
  const { bytes, fields } = request;
  const places = known.get(fields) ?? listMarks(request);
  known.set(fields, places);
  return places.map((place) => ({ offset: locateField(place, bytes).end - 1, isBehind: place.isBehind }));
}

function listMarks({ bytes, fields }: ParsedRequest): readonly FieldPlace[] {
  const marks: FieldPlace[] = [];
  for (const field of [fields.tools, fields.system]) {
    if (!field) continue;
    for (const span of listElements(bytes, locateField(field, bytes))) {
      const [mark] = scanObject(bytes, span.start)?.members.filter(({ key }) => key === "cache_control") ?? [];
      const said = mark && parseSpan(bytes, mark.value);
      if (!mark || !isRecord(said)) continue;
      if (said.type !== "ephemeral" || said.ttl !== undefined) return [];
      marks.push(toPlace(mark.value, field.isBehind, bytes));
    }
  }
  return marks;
}

function listElements(bytes: Buffer, { start }: Span): readonly Span[] {
  return scanList(bytes, start)?.elements ?? [];
}

function toPlace({ start, end }: Span, isBehind: boolean, { length }: Buffer): FieldPlace {
  return { isBehind, place: isBehind ? { start: length - start, end: length - end } : { start, end } };
}
