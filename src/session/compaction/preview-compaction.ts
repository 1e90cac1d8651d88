import { applyEdits } from "../../core/apply-edits.ts";
import type { EditVerdict } from "../../core/economics/edit-verdict.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { Message } from "../../core/message.ts";
import { estimateMessageTokens, tokenizerOf } from "../../core/tokens.ts";
import { createCollapseTurns } from "../../layers/collapse-turns.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { isLedger } from "../../layers/ledger/render-chunk.ts";
import { type PolicyName, STANDING_TOKENS } from "../../layers/options/policy-settings.ts";
import { createHandles } from "./call-handle.ts";
import type { Happened } from "./continuation.ts";
import { priceCompaction } from "./price-compaction.ts";
import { type CompactionRecord, renderRecord } from "./record.ts";

export interface PreviewOptions {
  readonly policy: PolicyName;
  readonly vocabulary: CallVocabulary;
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
  /** The old exchanges in brief. */
  readonly ledger: { readonly messages: number; readonly tokens: number };
  readonly tail: { readonly messages: number; readonly tokens: number };
  readonly dropped: { readonly messages: number; readonly tokens: number; readonly results: readonly DroppedResult[] };
  readonly verdict: EditVerdict;
}

/** As the module answers a compaction: a record, the old exchanges as a ledger, then the last ones word for word. */
export function previewCompaction(
  happened: Happened,
  events: readonly SessionEvent[],
  options: PreviewOptions,
): CompactionPreview {
  const { contextTokens, baseTokens, model, root, transcript } = options;
  const messages = listMessages(events);
  const tokenizer = tokenizerOf(model);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizer);
  const weigh = (some: readonly Message[]): number =>
    Math.round(some.reduce((sum, message) => sum + countTokens(message), 0));
  const layer = createCollapseTurns({ policy: options.policy, vocabulary: options.vocabulary, root, now: true });
  const edits = layer.plan({ messages, tokens: 0, targetTokens: 0, countTokens });
  const after = applyEdits(messages, edits).messages;
  const kept = new Set(after);
  // What the host said in between as the system keeps its place among the stretches.
  const from = after.findLastIndex(isLedger) + 1;
  const [ledger, tail] = [after.slice(0, from), after.slice(from)];
  const dropped = messages.filter((message) => !kept.has(message));
  const record = renderRecord(happened, { budgetTokens: STANDING_TOKENS, transcript, root });
  const afterTokens = Math.min(contextTokens, Math.round(baseTokens + record.tokens + weigh(ledger) + weigh(tail)));
  return {
    contextTokens,
    afterTokens,
    record,
    ledger: { messages: ledger.length, tokens: weigh(ledger) },
    tail: { messages: tail.length, tokens: weigh(tail) },
    dropped: { messages: dropped.length, tokens: weigh(dropped), results: listResults(happened, dropped, countTokens) },
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
function listMessages(events: readonly SessionEvent[]): readonly Message[] {
  const start = events.findLastIndex(({ kind }) => kind === "compaction") + 1;
  return events.slice(start).flatMap((event, index): readonly Message[] => {
    const id = `m${index}`;
    if (event.kind === "output") return [{ id, role: "assistant", blocks: event.blocks }];
    return event.kind === "arrival" ? [{ id, role: event.role, blocks: [event.block] }] : [];
  });
}

/** The heaviest first. */
function listResults(
  { trail }: Happened,
  dropped: readonly Message[],
  countTokens: (message: Message) => number,
): readonly DroppedResult[] {
  const name = createHandles(trail.calls);
  const notes = new Map(trail.calls.map((note) => [note.callId, note]));
  return dropped
    .flatMap((message) =>
      message.blocks.flatMap((block) => {
        if (block.kind !== "toolResult") return [];
        const note = notes.get(block.callId);
        const tokens = Math.round(countTokens({ ...message, blocks: [block] }));
        return [{ handle: name(block.callId), tool: note?.tool ?? "", subject: note?.subject ?? "", tokens }];
      }),
    )
    .sort((left, right) => right.tokens - left.tokens);
}
