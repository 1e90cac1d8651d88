import type { EditVerdict } from "../../core/edit-verdict.ts";
import type { Occasion } from "../../core/layer.ts";
import type { Message } from "../../core/message.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { createCollapseExchanges } from "../../layers/collapse-exchanges.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { renderSegments, toSegments } from "../../layers/ledger/render-chunk.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { estimateMessageTokens, tokenizerOf, weighText } from "../../models/tokens.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { type CompactionTerms, priceCompaction } from "../../survive/record/price-compaction.ts";
import { type CallNote, createHandles } from "../../survive/record/trail.ts";
import { type Entry, toMessage, toMessages } from "../engine/conversation.ts";
import { type CompactionPlace, type PreviewedAnswer, previewAnswer } from "./preview-answer.ts";

/** What a compaction now would keep, drop and cost. The size after it is the size now, minus what is dropped, plus record and ledger. */
export interface CompactionPreview {
  /** Whether the policy would compact by itself before the next request. */
  readonly isDue: boolean;
  readonly contextTokens: number;
  readonly afterTokens: number;
  /** The text in front of the ledger, and the tokens of all that is written except the ledger: an upper bound for every tokenizer. */
  readonly record: { readonly text: string; readonly tokens: number };
  /** All that the next request would hold of the conversation, as the client is handed it. */
  readonly messages: readonly unknown[];
  /** The old exchanges in brief. */
  readonly ledger: Weight;
  readonly tail: Weight;
  readonly dropped: Weight & {
    /** The part that an earlier compaction had left at the beginning. */
    readonly summaryTokens: number;
    readonly results: readonly (Pick<CallNote, "tool" | "subject"> & {
      readonly handle: string;
      readonly tokens: number;
    })[];
  };
  readonly verdict: EditVerdict;
}

interface Weight {
  readonly messages: number;
  readonly tokens: number;
}

/** The assumption for a session of which nothing is known. */
export const EXPECTED_REQUESTS = 20;

/** What a compaction of a recorded session would do with the person's settings; `undefined` if no request is recorded yet. */
export function planCompaction(
  session: RecordedSession,
  place: CompactionPlace,
  requests: number = EXPECTED_REQUESTS,
  answer: PreviewedAnswer = previewAnswer(session, place),
): { readonly preview: CompactionPreview; readonly model: string; readonly settings: Settings } | undefined {
  const { model, measuredTokens, baseTokens } = answer;
  if (measuredTokens === undefined) return undefined;
  const { meter } = session.transcript;
  const { atMs, ttlMs } = meter.cached ?? { atMs: undefined, ttlMs: 0 };
  const preview = previewCompaction(answer, session.host.vocabulary, {
    model,
    beforeTokens: Math.round(measuredTokens),
    baseTokens,
    isCold: atMs !== undefined && place.nowMs() - atMs > ttlMs,
    share1h: ttlMs === CACHE_LIFE_MS.long ? 1 : 0,
    speed: meter.current?.usage.speed,
    requests,
  });
  return { preview, model, settings: answer.settings };
}

function previewCompaction(
  answer: PreviewedAnswer,
  vocabulary: CallVocabulary,
  terms: Omit<CompactionTerms, "afterTokens"> & Pick<Occasion, "isCold" | "share1h">,
): CompactionPreview {
  const { settings, window, root, messages, text } = answer;
  const { model, beforeTokens, baseTokens, isCold, share1h } = terms;
  const tokenizer = tokenizerOf(model);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizer);
  // The measured size is the scale: the estimates of the parts together must not exceed it.
  const all = [...window.recorded.values()];
  const share = Math.min(1, (beforeTokens - baseTokens) / Math.max(1, sumOver(all, countTokens)));
  const countMeasured = (message: Message): number => countTokens(message) * share;
  const { earlier, left, kept } = partWindow(answer);
  const dropped = [...earlier, ...left];
  const gone = weigh(dropped, countMeasured);
  const ledger = toSegments(text);
  const ledgerText = renderSegments(ledger);
  const [before = "", behind = ""] = ledgerText === "" ? [text] : text.split(ledgerText);
  const record = { text: before.trimEnd(), tokens: Math.ceil(weighText(before + behind)) };
  const listed = weigh(ledger, countTokens);
  const afterTokens = beforeTokens - gone.tokens + record.tokens + listed.tokens;
  const occasion: Occasion = { baseTokens, model, isCold, share1h, marks: "client" };
  const view = { messages: toMessages(window.conversation), tokens: 0, targetTokens: 0, countTokens, occasion };
  return {
    isDue: createCollapseExchanges({ policy: settings.policy, vocabulary, root }).plan(view).length > 0,
    contextTokens: beforeTokens,
    afterTokens,
    record,
    ledger: listed,
    messages,
    tail: weigh(kept, countMeasured),
    dropped: {
      ...gone,
      summaryTokens: weigh(earlier, countMeasured).tokens,
      results: listResults(window.happened, dropped, countMeasured),
    },
    // If the record weighs more than what it replaces, nothing is saved.
    verdict: priceCompaction({ ...terms, afterTokens: Math.min(beforeTokens, afterTokens) }),
  };
}

/** The messages of the window as they were recorded: an earlier record, what leaves, and what stays behind the new one. */
function partWindow({ window, tail }: PreviewedAnswer) {
  const { record, entries } = window.conversation;
  const find = ({ handle }: { readonly handle: string }): readonly Message[] => {
    const found = window.recorded.get(handle);
    return found ? [found] : [];
  };
  const toRecorded = (entry: Entry): readonly Message[] =>
    entry.kind === "row" ? find(entry.row) : [toMessage(entry)];
  const stays = new Set(tail.map(({ id }) => id));
  return {
    earlier: record ? find(record) : [],
    left: entries.filter(({ id }) => !stays.has(id)).flatMap(toRecorded),
    kept: entries.filter(({ id }) => stays.has(id)).flatMap(toRecorded),
  };
}

function weigh(messages: readonly Message[], countTokens: (message: Message) => number): Weight {
  // An answer is recorded in several lines.
  const isMore = ({ role }: Message, at: number): boolean => role === "assistant" && messages[at - 1]?.role === role;
  const count = messages.filter((message, at) => !isMore(message, at)).length;
  return { messages: count, tokens: Math.round(sumOver(messages, countTokens)) };
}

function sumOver(messages: readonly Message[], countTokens: (message: Message) => number): number {
  return messages.reduce((sum, message) => sum + countTokens(message), 0);
}

function listResults(
  { trail }: Happened,
  dropped: readonly Message[],
  countTokens: (message: Message) => number,
): CompactionPreview["dropped"]["results"] {
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
