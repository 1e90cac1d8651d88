import type { Edit } from "../../core/edit.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { splitExchanges } from "../../layers/history/exchanges.ts";
import type { Original } from "../../layers/history/originals.ts";
import type { TailRule } from "../../layers/ledger/weigh-history.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { splitWork } from "../../policy/advice/split-work.ts";
import {
  type CompactionAsked,
  compactionAsked,
  type RecordTerms,
  renderCompactionRecord,
} from "../../policy/compaction-asked.ts";
import type { Archived } from "../../survive/recall/archive-lines.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { weighMessage } from "./compaction-event.ts";
import { type Conversation, type Entry, toMessages } from "./conversation.ts";
import { foldTail } from "./fold-tail.ts";
import type { Original as FoldedOriginal } from "./keep-original.ts";
import { renderTail } from "./render-tail.ts";

export interface AnswerOptions
  extends Pick<CompactionAsked, "policy" | "model" | "root" | "roomTokens">,
    Omit<RecordTerms, "ledger" | "tail" | "hasTail"> {
  /** Where the client's window is nearly too small: the last exchange alone stays, and longer results of it are folded. */
  readonly maxResultCharacters?: number | undefined;
  /** In the middle of a list of work at most a third of its weight goes: the next items are like the last ones. */
  readonly isMidLoop?: boolean;
}

/** What the module answers a compaction with. */
export interface Answer {
  readonly messages: readonly JsonObject[];
  /** The text of the record and the ledger, by which the record is known again. */
  readonly record: string;
  /** What stays of the history behind its opening, word for word. */
  readonly tail: readonly Entry[];
  /** Rows that a resumed session would find twice. */
  readonly keptAnswers: readonly string[];
  /** What was done to the conversation, and what it took out of it: to be put away first. */
  readonly edits: readonly Edit[];
  readonly originals: readonly Original[];
  /** Results of the tail that stand there folded: to be kept under their handles first. */
  readonly folded: readonly FoldedOriginal[];
  /** The results that leave the window, by their calls. */
  readonly dropped: readonly Archived[];
  readonly keptExchanges: number;
  /** The stretches alone, by which the next collapse is decided; then the whole message that they stand in. */
  readonly ledgerTokens: number;
  readonly recordTokens: number;
  readonly tailTokens: number;
}

/**
 * The opening as the engine has it, the record, then the ledger in place of the old exchanges, then the last ones: what the
 * policy does to a conversation anywhere. Nothing is asked of a model.
 */
export function planAnswer(happened: Happened, conversation: Conversation, options: AnswerOptions): Answer {
  const messages = toMessages(conversation);
  const { policy, model, root, roomTokens } = options;
  const compacted = compactionAsked({
    messages,
    policy,
    vocabulary: claudeCodeVocabulary,
    model,
    root,
    roomTokens,
    tail: chooseTail(messages, options),
  });
  const kept = new Set(compacted.messages.map(({ id }) => id));
  const { entries: tail, originals: folded } = foldTail(
    conversation.entries.filter(({ id }) => kept.has(id)),
    options.maxResultCharacters ?? Number.POSITIVE_INFINITY,
  );
  const text = renderCompactionRecord(happened, {
    ...options,
    ledger: compacted.ledger,
    tail: tail.map(textOf).join("\n"),
    hasTail: tail.length > 0,
  });
  const end = renderTail(tail);
  return {
    messages: [...conversation.opening.map(({ raw }) => raw), { role: "user", text, toolUses: [] }, ...end.messages],
    record: text,
    tail,
    keptAnswers: end.keptAnswers,
    edits: compacted.edits,
    originals: compacted.originals,
    folded,
    dropped: conversation.entries.flatMap((entry) =>
      entry.kind === "row" && !kept.has(entry.id) ? entry.row.resultTexts : [],
    ),
    keptExchanges: compacted.keptExchanges,
    ledgerTokens: compacted.ledgerTokens,
    recordTokens: Math.round(estimateTextTokens(text, tokenizerOf(model))),
    tailTokens: Math.round(tail.reduce((sum, entry) => sum + weighEntry(entry), 0)),
  };
}

function chooseTail(
  messages: readonly Message[],
  { maxResultCharacters, isMidLoop = false, model }: AnswerOptions,
): Partial<TailRule> {
  if (maxResultCharacters !== undefined) return { keepExchanges: 1 };
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizerOf(model));
  const split = isMidLoop ? splitWork(messages, { countTokens }) : undefined;
  if (split === undefined) return {};
  return { keepExchanges: splitExchanges(split.keep).length, maxTailTokens: Number.MAX_SAFE_INTEGER };
}

function textOf(entry: Entry): string {
  return entry.kind === "row" ? entry.row.text : entry.aside.text;
}

function weighEntry(entry: Entry): number {
  return entry.kind === "row" ? weighMessage(entry.row) : estimateTextTokens(entry.aside.text, "dense");
}
