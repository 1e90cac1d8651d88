import type { Edit } from "../../core/edit.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { splitExchanges } from "../../layers/history/exchanges.ts";
import type { Original } from "../../layers/history/originals.ts";
import { setInHeadings } from "../../layers/ledger/ledger-text.ts";
import { isLedger } from "../../layers/ledger/render-chunk.ts";
import type { TailRule } from "../../layers/ledger/weigh-history.ts";
import type { PolicyName } from "../../layers/options/policy-settings.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { splitWork } from "../../policy/advice/split-work.ts";
import { createRequestPolicy } from "../../policy/request-coming.ts";
import type { Archived } from "../../survive/recall/archive-lines.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { renderStandingRecord } from "../../survive/record/standing-record.ts";
import { weighMessage } from "./compaction-event.ts";
import { type Conversation, type Entry, toMessages } from "./conversation.ts";
import { CLOSING, renderStretches } from "./engine-messages.ts";
import { foldTail } from "./fold-tail.ts";
import type { Original as FoldedOriginal } from "./keep-original.ts";
import { renderTail } from "./render-tail.ts";

export interface AnswerOptions {
  readonly policy: PolicyName;
  readonly model: string;
  readonly transcript: string;
  readonly root: string;
  readonly recallTool: string;
  /** What the person asked to keep in mind; empty where they asked for nothing. */
  readonly instructions?: string | undefined;
  /** Rules, mode and the like, which went out with the old window. */
  readonly standing?: string | undefined;
  /** What was written down of tasks that are long done; empty for none. */
  readonly finished?: string | undefined;
  /** A model's own words, for who wants them beside the record. */
  readonly prose?: string | undefined;
  /** What the ledger and the last exchanges may weigh, so that the next compaction is not due at once. */
  readonly roomTokens?: number | undefined;
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
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizerOf(options.model));
  const plan = createRequestPolicy({
    policy: options.policy,
    vocabulary: claudeCodeVocabulary,
    collapse: { root: options.root, ...chooseTail(messages, countTokens, options) },
  });
  const {
    messages: after,
    edits,
    originals,
  } = plan({
    messages,
    // Everything has been sent.
    newFrom: messages.length,
    targetTokens: options.roomTokens ?? Number.POSITIVE_INFINITY,
    countTokens,
    isAsked: true,
  });
  const ledger = after.filter(isLedger);
  const kept = new Set(after.map(({ id }) => id));
  const { entries: tail, originals: folded } = foldTail(
    conversation.entries.filter(({ id }) => kept.has(id)),
    options.maxResultCharacters ?? Number.POSITIVE_INFINITY,
  );
  const record = renderStandingRecord(happened, {
    root: options.root,
    recallTool: options.recallTool,
    tail: tail.map(textOf).join("\n"),
  });
  const before = [
    options.prose ? `${record.text}\n\n## In the model's words\n${options.prose}` : record.text,
    options.finished ?? "",
    // Not within the record: so short a one has no room to be sure of for either.
    options.instructions ? `The user asked to keep in mind: "${options.instructions}"` : "",
    options.transcript === "" ? "" : `The whole conversation stays, word for word, in ${options.transcript}.`,
    options.standing ?? "",
  ];
  const parts = [...before.map(setInHeadings), renderStretches(ledger), tail.length === 0 ? "" : CLOSING];
  const text = parts.filter((part) => part !== "").join("\n\n");
  const end = renderTail(tail);
  return {
    messages: [...conversation.opening.map(({ raw }) => raw), { role: "user", text, toolUses: [] }, ...end.messages],
    record: text,
    tail,
    keptAnswers: end.keptAnswers,
    edits,
    originals: originals(),
    folded,
    dropped: conversation.entries.flatMap((entry) =>
      entry.kind === "row" && !kept.has(entry.id) ? entry.row.resultTexts : [],
    ),
    keptExchanges: countExchanges(after),
    ledgerTokens: ledger.reduce((sum, message) => sum + countTokens(message), 0),
    recordTokens: Math.round(estimateTextTokens(text, tokenizerOf(options.model))),
    tailTokens: Math.round(tail.reduce((sum, entry) => sum + weighEntry(entry), 0)),
  };
}

function chooseTail(
  messages: readonly Message[],
  countTokens: (message: Message) => number,
  { maxResultCharacters, isMidLoop = false }: AnswerOptions,
): Partial<TailRule> {
  if (maxResultCharacters !== undefined) return { keepExchanges: 1 };
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

/** Those behind the ledger. */
function countExchanges(messages: readonly Message[]): number {
  return splitExchanges(messages.slice(messages.findLastIndex(isLedger) + 1)).length;
}
