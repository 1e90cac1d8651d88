import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { EditVerdict } from "../../core/edit-verdict.ts";
import type { Occasion } from "../../core/layer.ts";
import type { Block, Message } from "../../core/message.ts";
import { createCollapseExchanges } from "../../layers/collapse-exchanges.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { splitStretches } from "../../layers/ledger/ledger-text.ts";
import { isLedger, LEDGER_PREFIX } from "../../layers/ledger/render-chunk.ts";
import type { PolicyName } from "../../layers/options/policy-settings.ts";
import type { Recording } from "../../measure/recording.ts";
import { estimateMessageTokens, tokenizerOf } from "../../models/tokens.ts";
import type { Happened } from "./continuation.ts";
import { type CompactionTerms, priceCompaction } from "./price-compaction.ts";
import { RECORD_OPENING } from "./record-opening.ts";
import { renderStandingRecord, type StandingRecord } from "./standing-record.ts";
import { type CallNote, createHandles } from "./trail.ts";

interface CompactionPreviewOptions extends Pick<CompactionTerms, "model" | "baseTokens" | "speed"> {
  readonly policy: PolicyName;
  readonly vocabulary: CallVocabulary;
  readonly contextTokens: number;
  readonly isCold: boolean;
  readonly share1h: number;
  readonly root: string;
  readonly expectedRequests: number;
}

/** What a compaction now would keep, drop and cost. The size after it is the size now, minus what is dropped, plus record and ledger. */
export interface CompactionPreview {
  /** Whether the policy would compact by itself before the next request. */
  readonly isDue: boolean;
  readonly contextTokens: number;
  readonly afterTokens: number;
  readonly record: StandingRecord;
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

/** As the module answers a compaction: a record, the old exchanges as a ledger, then the last ones word for word. */
export function previewCompaction(
  happened: Happened,
  recording: Recording,
  options: CompactionPreviewOptions,
): CompactionPreview {
  const { baseTokens, model, root } = options;
  const contextTokens = Math.round(options.contextTokens);
  const { messages, summary, conversation } = listWindow(recording);
  const tokenizer = tokenizerOf(model);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizer);
  const { isCold, share1h, speed, policy, vocabulary, expectedRequests: requests } = options;
  const terms = { model, beforeTokens: contextTokens, baseTokens, requests, share1h, speed, isCold };
  const occasion: Occasion = { baseTokens, model, isCold, share1h, marks: "client" };
  const view = { messages: conversation, tokens: 0, targetTokens: 0, countTokens, occasion };
  const plan = (now: boolean): readonly Edit[] => createCollapseExchanges({ policy, vocabulary, root, now }).plan(view);
  const edits = plan(true);
  const after = applyEdits(conversation, edits).messages;
  const [before, kept] = [new Set(messages), new Set(after)];
  // The host's system messages keep their place between the segments: they are neither written nor dropped.
  const written = after.filter((message) => !before.has(message));
  const tail = after.slice(after.findLastIndex(isLedger) + 1);
  const dropped = messages.filter((message) => !kept.has(message));
  // The measured size is the scale: the estimates of the parts together must not exceed it.
  const share = Math.min(1, (contextTokens - baseTokens) / Math.max(1, sumOver(messages, countTokens)));
  const countMeasured = (message: Message): number => countTokens(message) * share;
  const record = renderStandingRecord(happened, { root });
  const ledger = weigh(written, countTokens);
  const gone = weigh(dropped, countMeasured);
  const afterTokens = contextTokens - gone.tokens + record.tokens + ledger.tokens;
  return {
    isDue: plan(false).length > 0,
    contextTokens,
    afterTokens,
    record,
    ledger,
    tail: weigh(tail, countMeasured),
    dropped: {
      ...gone,
      summaryTokens: weigh(summary && !kept.has(summary) ? [summary] : [], countMeasured).tokens,
      results: listResults(happened, dropped, countMeasured),
    },
    // If the record weighs more than what it replaces, nothing is saved.
    verdict: priceCompaction({ ...terms, afterTokens: Math.min(contextTokens, afterTokens) }),
  };
}

function weigh(messages: readonly Message[], countTokens: (message: Message) => number): Weight {
  return { messages: messages.length, tokens: Math.round(sumOver(messages, countTokens)) };
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

interface WindowMessages {
  /** As the next request carries them. */
  readonly messages: readonly Message[];
  /** What an earlier compaction left at the beginning; `undefined` in a first window. */
  readonly summary: Message | undefined;
  /** The same, with a record of ours reduced to its ledger segments, because the record itself is written again. */
  readonly conversation: readonly Message[];
}

interface Told extends Pick<Message, "role" | "blocks"> {
  readonly isSummary: boolean;
}

/** The messages of the current window: everything since the last compaction, and what that one kept. */
export function listWindow({ steps, windows, waiting }: Recording): WindowMessages {
  const last = windows.length - 1;
  const told = [
    ...steps
      .filter(({ window }) => window === last)
      .flatMap(({ arrivals, outputs }) => [...arrivals.map(tell), tellAnswer(outputs)]),
    ...waiting.map(tell),
  ];
  const kept = (windows[last]?.kept ?? []).map((event) =>
    event.kind === "output" ? tellAnswer(event.blocks) : tell(event),
  );
  // Only a text before the first answer is a summary; anywhere else it was pasted.
  const answered = told.findIndex(({ role }) => role === "assistant");
  const at = told.slice(0, answered < 0 ? undefined : answered).findIndex(({ isSummary }) => last > 0 && isSummary);
  const messages = [...told.slice(0, at + 1), ...kept, ...told.slice(at + 1)].map(
    ({ role, blocks }, index): Message => ({ id: `m${index}`, role, blocks }),
  );
  const summary = messages[at];
  return {
    messages,
    summary,
    conversation: messages.flatMap((message) => (message === summary ? cutRecord(message) : [message])),
  };
}

function tell({ role, block, source }: Recording["waiting"][number]): Told {
  const isRecord = block.kind === "text" && block.author === "host" && block.text.startsWith(RECORD_OPENING);
  return { role, blocks: [block], isSummary: source === "summary" || isRecord };
}

function tellAnswer(blocks: readonly Block[]): Told {
  return { role: "assistant", blocks, isSummary: false };
}

/** A model's summary stays as it is, and grows old like any other message. */
function cutRecord(message: Message): readonly Message[] {
  const [block] = message.blocks;
  if (block?.kind !== "text" || !block.text.startsWith(RECORD_OPENING)) return [message];
  const stretches = splitStretches(block.text);
  if (stretches.length === 0) return [];
  const id = `${LEDGER_PREFIX}${message.id}`;
  return [{ id, role: message.role, blocks: [{ ...block, id: `${id}:0`, text: stretches.join("\n") }] }];
}
