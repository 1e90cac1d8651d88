import type { JsonObject } from "../../core/json.ts";
import { renderResultText, type ToolResultBlock } from "../../core/message.ts";
import type { CallRecord } from "./list-calls.ts";

/** What a call does, as far as a layer needs to know. A session's `Action` is one. */
export interface CallMeaning {
  /** `read`, `write` and `edit` say what happens to the file at `path`; every other word means: nothing. */
  readonly kind: string;
  readonly path?: string;
  readonly range?: { readonly first: number; readonly last: number } | undefined;
  /** What was run, or searched for. */
  readonly command?: string;
  readonly pattern?: string;
  /** What becomes of a named piece of work; `done` ends it. */
  readonly status?: string | undefined;
  /** A list of work that is written whole each time. */
  readonly todos?: readonly { readonly status: string; readonly subject?: string }[];
  /** What a piece of work is called. */
  readonly subject?: string;
  /** What somebody else was told to do, in a few words. */
  readonly prompt?: string;
}

export interface NoteMeaning {
  /** Empty for chatter. */
  readonly text: string;
  /** Whether it is what a subagent found. */
  readonly isReport: boolean;
}

/** How a host's tools are understood: the layers know none by name. A host's own vocabulary fits. */
export interface CallVocabulary {
  interpretCall(tool: string, input: JsonObject): CallMeaning;
  /** A result that only points back: the file is as it was when last read. What it points to must stay. */
  isPointer?(result: ToolResultBlock): boolean;
  /** What a text of the host says about the work; `undefined` where that is not known. */
  interpretNote?(text: string): NoteMeaning | undefined;
}

/** For hosts that nobody has described: no call reads or changes a file. */
export const plainVocabulary: CallVocabulary = { interpretCall: () => ({ kind: "other" }) };

/** Longest text that can be a pointer: the client's own has 160 characters. */
const MAX_POINTER_CHARACTERS = 400;

/** Hosts say it in about these words; taking an ordinary result for a pointer costs nothing but what it protects. */
function isPointer(vocabulary: CallVocabulary, result: ToolResultBlock): boolean {
  if (vocabulary.isPointer) return vocabulary.isPointer(result);
  const text = renderResultText(result);
  return text.length <= MAX_POINTER_CHARACTERS && /\bunchanged since\b/i.test(text);
}

/** A call with what it means. */
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

/** Ids of the results that a later pointer stands for: the newest read of that file before it which says what is in it. */
export function findPointedTo(calls: readonly KnownCall[]): ReadonlySet<string> {
  const pointedTo = new Set<string>();
  const reads = new Map<string, KnownCall[]>();
  for (const known of calls) {
    const { meaning, result } = known;
    if (meaning.kind !== "read" || !meaning.path || !result || result.isError) continue;
    const earlier = reads.get(meaning.path) ?? [];
    reads.set(meaning.path, earlier);
    if (!known.isPointer) earlier.push(known);
    // The same range where it was read so, otherwise whatever was read of the file: rather one too many than one too few.
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
