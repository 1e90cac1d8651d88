import { isRecord } from "../../../wire/is-json.ts";
import { type Member, parseSpan, type Span, skipSpace } from "./json-spans.ts";

/** What stands beside the messages, as far as anybody here needs it. */
export interface RequestFields {
  readonly model: string;
  readonly isStream: boolean;
  /** The conversation as the client names it in the body, in its own words; empty where it does not. */
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

/** The fields of a body by their names. */
export interface FieldReader {
  /** What it says; `undefined` where it is not there. */
  read(key: string): unknown;
  text(key: string): string;
  /** Its length in bytes. */
  measure(key: string): number;
  /** A field that is a list with something in it, and stands there once. */
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
      const { start, end } = field.value;
      // The field was scanned with the body, so that what begins as a list is one.
      if (bytes[start] !== OPEN_LIST || bytes[skipSpace(bytes, start + 1)] === CLOSE_LIST) return undefined;
      const isBehind = start > list.start;
      const { length } = bytes;
      return { isBehind, place: isBehind ? { start: length - start, end: length - end } : { start, end } };
    },
  };
}

/** The types of what a list of edits asks for. */
export function listTypes(edits: unknown): readonly string[] {
  const all = Array.isArray(edits) ? edits : [];
  return all.flatMap((edit) => (isRecord(edit) && typeof edit.type === "string" ? [edit.type] : []));
}
