import type { JsonObject } from "../../core/json.ts";
import { renderResultText, type ToolResultBlock } from "../../core/message.ts";
import type { CallRecord } from "./list-calls.ts";

/** What a call does, as far as layers need to know. A session's `Action` is one. */
export interface CallMeaning {
  /** `read`, `write` and `edit` act on the file at `path`; every other kind does not touch it. */
  readonly kind: string;
  readonly path?: string;
  readonly range?: { readonly first: number; readonly last: number } | undefined;
  readonly command?: string;
  readonly pattern?: string;
  /** New status of a named piece of work; `done` ends it. */
  readonly status?: string | undefined;
  /** A to-do list, written whole each time. */
  readonly todos?: readonly { readonly status: string; readonly subject?: string }[];
  readonly subject?: string;
  /** Order to a subagent, in a few words. */
  readonly prompt?: string;
}

export interface NoteMeaning {
  /** Empty for chatter. */
  readonly text: string;
  readonly isReport: boolean;
}

/** What a host's tools mean; the layers know no tool by name. A host's own vocabulary fits. */
export interface CallVocabulary {
  interpretCall(tool: string, input: JsonObject): CallMeaning;
  /** A result that only says the file is unchanged since it was last read. The result it points to must stay. */
  isPointer?(result: ToolResultBlock): boolean;
  /** What a host's text says about the work; `undefined` if unknown. */
  interpretNote?(text: string): NoteMeaning | undefined;
}

/** For hosts without a vocabulary: no call reads or changes a file. */
export const plainVocabulary: CallVocabulary = { interpretCall: () => ({ kind: "other" }) };

/** Longest text that can be a pointer; the client's own has 160 characters. */
const MAX_POINTER_CHARACTERS = 400;

/** Hosts use about these words. Mistaking an ordinary result for a pointer only protects a result too many. */
function isPointer(vocabulary: CallVocabulary, result: ToolResultBlock): boolean {
  if (vocabulary.isPointer) return vocabulary.isPointer(result);
  const text = renderResultText(result);
  return text.length <= MAX_POINTER_CHARACTERS && /\bunchanged since\b/i.test(text);
}

export interface KnownCall extends CallRecord {
  readonly meaning: CallMeaning;
  readonly isPointer: boolean;
}

export function interpretCalls(records: readonly CallRecord[], vocabulary: CallVocabulary): readonly KnownCall[] {
  return records.map((record) => ({
    ...record,
    meaning: record.call ? vocabulary.interpretCall(record.call.tool, record.call.input) : { kind: "other" },
    isPointer: record.result !== undefined && isPointer(vocabulary, record.result),
  }));
}

/** Ids of the results that later pointers refer to: the newest earlier read of that file that holds its content. */
export function findPointedTo(calls: readonly KnownCall[]): ReadonlySet<string> {
  const pointedTo = new Set<string>();
  const reads = new Map<string, KnownCall[]>();
  for (const known of calls) {
    const { meaning, result } = known;
    if (meaning.kind !== "read" || !meaning.path || !result || result.isError) continue;
    const earlier = reads.get(meaning.path) ?? [];
    reads.set(meaning.path, earlier);
    if (!known.isPointer) earlier.push(known);
    // The same range if it was read, otherwise every read of the file: better to keep one too many than one too few.
    else for (const read of choosePointed(earlier, known)) if (read.result) pointedTo.add(read.result.id);
  }
  return pointedTo;
}

function choosePointed(earlier: readonly KnownCall[], pointer: KnownCall): readonly KnownCall[] {
  const alike = earlier.findLast(({ meaning }) => renderRange(meaning) === renderRange(pointer.meaning));
  return alike ? [alike] : earlier;
}

function renderRange({ range }: CallMeaning): string {
  return range ? `${range.first}-${range.last}` : "";
}
