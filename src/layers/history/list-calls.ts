import { type Message, renderResultText, type ToolCallBlock, type ToolResultBlock } from "../../core/message.ts";
import type { Exchange } from "./exchanges.ts";
import type { CallMeaning, CallVocabulary } from "./vocabulary.ts";

/** A call with its result; either may be missing. */
export interface KnownCall {
  readonly call: ToolCallBlock | undefined;
  readonly result: ToolResultBlock | undefined;
  readonly exchange: number;
  /** Index of the message with the result, or with the call if there is no result. */
  readonly message: number;
  readonly meaning: CallMeaning;
  readonly isPointer: boolean;
}

/** Every call and result in call order; ids are matched only within an exchange. */
export function listCalls(
  messages: readonly Message[],
  exchanges: readonly Exchange[],
  vocabulary: CallVocabulary,
): readonly KnownCall[] {
  const calls: KnownCall[] = [];
  for (const [exchange, { first, last }] of exchanges.entries()) {
    const open = new Map<string, number>();
    for (let message = first; message <= last; message++) {
      for (const block of messages[message]?.blocks ?? []) {
        if (block.kind === "toolCall") {
          open.set(block.callId, calls.length);
          const meaning = vocabulary.interpretCall(block.tool, block.input);
          calls.push({ call: block, result: undefined, exchange, message, meaning, isPointer: false });
        }
        if (block.kind !== "toolResult") continue;
        const at = open.get(block.callId) ?? calls.length;
        const known = calls[at] ?? { call: undefined, exchange, meaning: { kind: "other" } };
        calls[at] = { ...known, result: block, message, isPointer: isPointer(vocabulary, block) };
        open.delete(block.callId);
      }
    }
  }
  return calls;
}

/** Longest text that can be a pointer; the client's own has 160 characters. */
const MAX_POINTER_CHARACTERS = 400;

/** Hosts use about these words. Mistaking an ordinary result for a pointer only protects a result too many. */
function isPointer(vocabulary: CallVocabulary, result: ToolResultBlock): boolean {
  if (vocabulary.isPointer) return vocabulary.isPointer(result);
  const text = renderResultText(result);
  return text.length <= MAX_POINTER_CHARACTERS && /\bunchanged since\b/i.test(text);
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
    else {
      const alike = earlier.findLast((read) => renderRange(read.meaning) === renderRange(meaning));
      for (const read of alike ? [alike] : earlier) if (read.result) pointedTo.add(read.result.id);
    }
  }
  return pointedTo;
}

function renderRange({ range }: CallMeaning): string {
  return range ? `${range.first}-${range.last}` : "";
}
