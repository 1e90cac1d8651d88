import type { EditVerdict } from "../../core/edit-verdict.ts";
import type { Occasion } from "../../core/layer.ts";
import type { Block, Message } from "../../core/message.ts";
import { locateHome } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { createCollapseExchanges } from "../../layers/collapse-exchanges.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { splitSegments } from "../../layers/ledger/ledger-text.ts";
import { isLedger, LEDGER_PREFIX, renderSegments } from "../../layers/ledger/render-chunk.ts";
import { BEFORE_FILE } from "../../measure/attribution.ts";
import type { Recording } from "../../measure/recording.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { estimateMessageTokens, tokenizerOf, weighText } from "../../models/tokens.ts";
import { countRoom } from "../../policy/collapse-due.ts";
import { type CompactionPlan, compactionAsked, renderCompactionRecord } from "../../policy/compaction-asked.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { type CompactionTerms, priceCompaction } from "../../survive/record/price-compaction.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { type CallNote, createHandles } from "../../survive/record/trail.ts";
import { readOwnSettings } from "../cli/doctor/read-installed.ts";
import { followHappened, type ReadHappened } from "../cli/require-session.ts";

/** A session's transcript, where it belongs, and the time now. */
export interface CompactionPlace extends SessionPlace, IndexSurroundings {
  readonly transcript: string;
}

interface PreviewedAnswer extends Pick<CompactionPlan, "messages" | "ledger" | "keptExchanges"> {
  readonly happened: ReadHappened;
  readonly settings: Settings;
  readonly window: WindowMessages;
  readonly tail: readonly Message[];
  readonly text: string;
  readonly model: string;
  /** Of the window now; `undefined` if no request is recorded yet. */
  readonly measuredTokens: number | undefined;
  readonly baseTokens: number;
}

/**
 * The same answer every entry point gives to a compaction, with the person's own settings: the record, then the ledger, then the last
 * exchanges word for word. Nothing is stored; the entry points store the originals first.
 */
export function previewAnswer(
  session: RecordedSession,
  place: SessionPlace & Pick<CompactionPlace, "transcript">,
): PreviewedAnswer {
  const { environment, directory, transcript } = place;
  const { host, recording } = session;
  const happened = followHappened(session);
  const { cwd: root } = happened;
  const window = listWindow(recording);
  const { settings } = readOwnSettings(locateHome(environment), root || directory);
  const health = assessSession(session, place);
  const { parts = {} } = attributeSession(session).at(-1) ?? {};
  const measuredTokens = health.nextTokens ?? health.usedTokens;
  // Limited to this window: a transcript may begin in the middle of a session, so that its first request has too many tokens.
  const baseTokens = Math.min(parts.base ?? parts[BEFORE_FILE] ?? 0, measuredTokens ?? 0);
  const { messages, ledger, keptExchanges } = compactionAsked({
    messages: window.conversation,
    policy: settings.policy,
    vocabulary: host.vocabulary,
    model: recording.steps.at(-1)?.model ?? "",
    root,
    roomTokens: countRoom({ lineTokens: health.compactionPointTokens, baseTokens }),
  });
  const tail = messages.slice(messages.findLastIndex(isLedger) + 1);
  const words = tail.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
  const terms = { ledger, tail: words.join("\n"), hasTail: tail.length > 0, root, recallTool: "", transcript };
  const text = renderCompactionRecord(happened, terms);
  const measured = { model: health.model, measuredTokens, baseTokens };
  return { happened, settings, window, messages, ledger, tail, keptExchanges, text, ...measured };
}

/** What a compaction now would keep, drop and cost. The size after it is the size now, minus what is dropped, plus record and ledger. */
export interface CompactionPreview {
  /** Whether the policy would compact by itself before the next request. */
  readonly isDue: boolean;
  readonly contextTokens: number;
  readonly afterTokens: number;
  /** The text in front of the ledger, and the tokens of all that is written except the ledger: an upper bound for every tokenizer. */
  readonly record: { readonly text: string; readonly tokens: number };
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
  expectedRequests: number = EXPECTED_REQUESTS,
): { readonly preview: CompactionPreview; readonly model: string; readonly settings: Settings } | undefined {
  const answer = previewAnswer(session, place);
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
    requests: expectedRequests,
  });
  return { preview, model, settings: answer.settings };
}

function previewCompaction(
  answer: PreviewedAnswer,
  vocabulary: CallVocabulary,
  terms: Omit<CompactionTerms, "afterTokens"> & Pick<Occasion, "isCold" | "share1h">,
): CompactionPreview {
  const { happened, settings, window, messages, ledger, tail, text } = answer;
  const { model, beforeTokens, baseTokens, isCold, share1h } = terms;
  const tokenizer = tokenizerOf(model);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizer);
  // The measured size is the scale: the estimates of the parts together must not exceed it.
  const share = Math.min(1, (beforeTokens - baseTokens) / Math.max(1, sumOver(window.messages, countTokens)));
  const countMeasured = (message: Message): number => countTokens(message) * share;
  const kept = new Set(messages);
  const dropped = window.messages.filter((message) => !kept.has(message));
  const gone = weigh(dropped, countMeasured);
  const ledgerText = renderSegments(ledger);
  const [before = "", behind = ""] = ledgerText === "" ? [text] : text.split(ledgerText);
  const record = { text: before.trimEnd(), tokens: Math.ceil(weighText(before + behind)) };
  const listed = weigh(ledger, countTokens);
  const afterTokens = beforeTokens - gone.tokens + record.tokens + listed.tokens;
  const occasion: Occasion = { baseTokens, model, isCold, share1h, marks: "client" };
  const view = { messages: window.conversation, tokens: 0, targetTokens: 0, countTokens, occasion };
  return {
    isDue: createCollapseExchanges({ policy: settings.policy, vocabulary, root: happened.cwd }).plan(view).length > 0,
    contextTokens: beforeTokens,
    afterTokens,
    record,
    ledger: listed,
    tail: weigh(tail, countMeasured),
    dropped: {
      ...gone,
      summaryTokens: weigh(
        dropped.filter((message) => message === window.summary),
        countMeasured,
      ).tokens,
      results: listResults(happened, dropped, countMeasured),
    },
    // If the record weighs more than what it replaces, nothing is saved.
    verdict: priceCompaction({ ...terms, afterTokens: Math.min(beforeTokens, afterTokens) }),
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

interface Spoken extends Pick<Message, "role" | "blocks"> {
  readonly isSummary: boolean;
}

/** The messages of the current window: everything since the last compaction, and what that one kept. */
function listWindow({ steps, windows, waiting }: Recording): WindowMessages {
  const last = windows.length - 1;
  const spoken = [
    ...steps
      .filter(({ window }) => window === last)
      .flatMap(({ arrivals, outputs }) => [...arrivals.map(toSpoken), toSpokenAnswer(outputs)]),
    ...waiting.map(toSpoken),
  ];
  const kept = (windows[last]?.kept ?? []).map((event) =>
    event.kind === "output" ? toSpokenAnswer(event.blocks) : toSpoken(event),
  );
  // Only a text before the first answer is a summary; anywhere else it was pasted.
  const answered = spoken.findIndex(({ role }) => role === "assistant");
  const at = spoken.slice(0, answered < 0 ? undefined : answered).findIndex(({ isSummary }) => last > 0 && isSummary);
  const messages = [...spoken.slice(0, at + 1), ...kept, ...spoken.slice(at + 1)].map(
    ({ role, blocks }, index): Message => ({ id: `m${index}`, role, blocks }),
  );
  const summary = messages[at];
  return {
    messages,
    summary,
    conversation: messages.flatMap((message) => (message === summary ? cutRecord(message) : [message])),
  };
}

function toSpoken({ role, block, source }: Recording["waiting"][number]): Spoken {
  const isRecord = block.kind === "text" && block.author === "host" && block.text.startsWith(RECORD_OPENING);
  return { role, blocks: [block], isSummary: source === "summary" || isRecord };
}

function toSpokenAnswer(blocks: readonly Block[]): Spoken {
  return { role: "assistant", blocks, isSummary: false };
}

/** A model's summary stays as it is, and grows old like any other message. */
function cutRecord(message: Message): readonly Message[] {
  const [block] = message.blocks;
  if (block?.kind !== "text" || !block.text.startsWith(RECORD_OPENING)) return [message];
  const segments = splitSegments(block.text);
  if (segments.length === 0) return [];
  const id = `${LEDGER_PREFIX}${message.id}`;
  return [{ id, role: message.role, blocks: [{ ...block, id: `${id}:0`, text: segments.join("\n") }] }];
}
