import { isObject, textField } from "../../../core/json.ts";
import { type Member, parseSpan, type Span, skipSpace } from "./json-spans.ts";

export interface RequestFields {
  readonly model: string;
  readonly isStream: boolean;
  /** The client's name for the conversation in the body; empty if it has none. */
  readonly userId: string;
  /** The client asks the API to clear old results, or to compact. */
  readonly isClearedByServer: boolean;
  /** Bytes of system prompt and tools. */
  readonly baseBytes: number;
  /** The tools that the client offers; `undefined` if it offers none, or if they cannot be located. */
  readonly tools: FieldPlace | undefined;
  readonly system: FieldPlace | undefined;
  readonly toolChoice: string;
}

/** The place of a field's value. The list of messages grows from request to request, so what follows it moves. */
export interface FieldPlace {
  readonly isBehind: boolean;
  /** Counted from the beginning of the body; behind the messages, from its end. */
  readonly place: Span;
}

export function locateField({ isBehind, place }: FieldPlace, body: Buffer): Span {
  return placeField(place, isBehind, body).place;
}

/** Counting from the other end is its own reverse. */
export function placeField({ start, end }: Span, isBehind: boolean, { length }: Buffer): FieldPlace {
  return { isBehind, place: isBehind ? { start: length - start, end: length - end } : { start, end } };
}

export interface FieldReader {
  read(key: string): unknown;
  text(key: string): string;
  measure(key: string): number;
  /** A field that is a non-empty list and occurs once. */
  placeList(key: string): FieldPlace | undefined;
}

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

export function createFieldReader(bytes: Buffer, members: readonly Member[], list: Span): FieldReader {
  const spans = new Map(members.map(({ key, value }) => [key, value]));
  const read = (key: string): unknown => {
    const span = spans.get(key);
    return span && parseSpan(bytes, span);
  };
  return {
    read,
    text(key) {
      const value = read(key);
      return typeof value === "string" ? value : "";
    },
    measure(key) {
      const span = spans.get(key);
      return span ? span.end - span.start : 0;
    },
    placeList(key) {
      const [field, ...more] = members.filter((member) => member.key === key);
      if (!field || more.length > 0) return undefined;
      const { start } = field.value;
      // The field was scanned with the body, so what begins as a list is one.
      if (bytes[start] !== OPEN_LIST || bytes[skipSpace(bytes, start + 1)] === CLOSE_LIST) return undefined;
      return placeField(field.value, start > list.start, bytes);
    },
  };
}

export function hasClearing(edits: unknown): boolean {
  const all = Array.isArray(edits) ? edits : [];
  return all.some((edit) => isObject(edit) && /^(?:clear_tool_uses|compact)/.test(textField(edit, "type")));
}
