import type { EditVerdict } from "../../core/economics/edit-verdict.ts";
import type { SessionEvent } from "../../core/event.ts";
import { estimateBlockTokens, type Tokenizer, tokenizerOf } from "../../core/tokens.ts";
import { createHandles } from "./call-handle.ts";
import type { Happened } from "./continuation.ts";
import { planBudget } from "./plan-budget.ts";
import { planTail, type TailMessage } from "./plan-tail.ts";
import { priceCompaction } from "./price-compaction.ts";
import { type CompactionRecord, renderRecord } from "./record.ts";

export interface PreviewOptions {
  readonly model: string;
  readonly contextTokens: number;
  readonly baseTokens: number;
  readonly root: string;
  readonly transcript: string;
  /** Requests still to come in the session. */
  readonly expectedRequests: number;
}

/** A result that would leave the window, and how to get it back. */
export interface DroppedResult {
  readonly handle: string;
  readonly tool: string;
  readonly subject: string;
  readonly tokens: number;
}

/** What a compaction at this moment would keep, drop and cost. */
export interface CompactionPreview {
  readonly contextTokens: number;
  readonly afterTokens: number;
  readonly record: CompactionRecord;
  readonly tail: { readonly messages: number; readonly tokens: number };
  readonly dropped: { readonly messages: number; readonly tokens: number; readonly results: readonly DroppedResult[] };
  readonly verdict: EditVerdict;
}

/** As the module answers a compaction: a record of the whole session, then the last messages word for word. */
export function previewCompaction(
  happened: Happened,
  events: readonly SessionEvent[],
  options: PreviewOptions,
): CompactionPreview {
  const { contextTokens, baseTokens, model, root, transcript } = options;
  const messages = listMessages(events, tokenizerOf(model));
  const budget = planBudget(contextTokens);
  const from = planTail(messages, { maxTokens: budget.tailTokens });
  const record = renderRecord(happened, { budgetTokens: budget.recordTokens, transcript, root });
  const tail = messages.slice(from);
  const tailTokens = sumTokens(tail);
  const afterTokens = Math.min(contextTokens, Math.round(baseTokens + record.tokens + tailTokens));
  const dropped = messages.slice(0, from);
  return {
    contextTokens,
    afterTokens,
    record,
    tail: { messages: tail.length, tokens: tailTokens },
    dropped: { messages: dropped.length, tokens: sumTokens(dropped), results: listResults(happened, dropped) },
    verdict: priceCompaction({
      model,
      beforeTokens: contextTokens,
      afterTokens,
      baseTokens,
      requests: options.expectedRequests,
    }),
  };
}

/** The messages of the present window: what was told since the last compaction. */
function listMessages(events: readonly SessionEvent[], tokenizer: Tokenizer): readonly TailMessage[] {
  const start = events.findLastIndex(({ kind }) => kind === "compaction") + 1;
  return events.slice(start).flatMap((event): readonly TailMessage[] => {
    if (event.kind === "output") {
      const calls = event.blocks.flatMap((block) => (block.kind === "toolCall" ? [block.callId] : []));
      const tokens = event.blocks.reduce((sum, block) => sum + estimateBlockTokens(block, tokenizer), 0);
      return [{ role: "assistant", tokens, calls, results: [] }];
    }
    if (event.kind !== "arrival") return [];
    const results = event.block.kind === "toolResult" ? [event.block.callId] : [];
    return [{ role: "user", tokens: estimateBlockTokens(event.block, tokenizer), calls: [], results }];
  });
}

/** The heaviest first. */
function listResults({ trail }: Happened, dropped: readonly TailMessage[]): readonly DroppedResult[] {
  const name = createHandles(trail.calls);
  const notes = new Map(trail.calls.map((note) => [note.callId, note]));
  return dropped
    .flatMap(({ results, tokens }) =>
      results.map((callId) => {
        const note = notes.get(callId);
        return {
          handle: name(callId),
          tool: note?.tool ?? "",
          subject: note?.subject ?? "",
          tokens: Math.round(tokens),
        };
      }),
    )
    .sort((left, right) => right.tokens - left.tokens);
}

function sumTokens(messages: readonly TailMessage[]): number {
  return Math.round(messages.reduce((sum, { tokens }) => sum + tokens, 0));
}
