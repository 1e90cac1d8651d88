import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import type { JsonObject } from "../core/json.ts";
import type { Message } from "../core/message.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../core/tokens.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { createCollapseTurns } from "../layers/collapse-turns.ts";
import { splitExchanges } from "../layers/history/exchanges.ts";
import type { Original } from "../layers/history/originals.ts";
import { isLedger } from "../layers/ledger/render-chunk.ts";
import { type PolicyName, STANDING_TOKENS } from "../layers/options/policy-settings.ts";
import type { Happened } from "../session/compaction/continuation.ts";
import { renderRecord } from "../session/compaction/record.ts";
import type { Archived } from "../session/recall/archive-lines.ts";
import type { CompactionEvent, EngineMessage } from "./compaction-event.ts";
import { CLOSING, indexOf, renderStretches, setIn, toMessages } from "./engine-messages.ts";

export interface AnswerOptions {
  readonly policy: PolicyName;
  readonly model: string;
  readonly transcript: string;
  readonly root: string;
  readonly recallTool: string;
  /** Rules, mode and the like, which went out with the old window. */
  readonly standing?: string | undefined;
  /** A model's own words, for who wants them beside the record. */
  readonly prose?: string | undefined;
}

/** What the module answers a compaction with. */
export interface Answer {
  readonly messages: readonly JsonObject[];
  /** What stays of the history, word for word. */
  readonly tail: readonly EngineMessage[];
  /** What was done to the conversation, and what it took out of it: to be put away first. */
  readonly edits: readonly Edit[];
  readonly originals: readonly Original[];
  /** The results that leave the window, by their calls. */
  readonly dropped: readonly Archived[];
  readonly keptExchanges: number;
  /** The stretches alone, by which the next collapse is decided; then the whole message that they stand in. */
  readonly ledgerTokens: number;
  readonly recordTokens: number;
  readonly tailTokens: number;
}

/**
 * The record, then the ledger in place of the old exchanges, then the last ones as the engine has them: what the policy does to
 * a conversation anywhere. Nothing is asked of a model.
 */
export function planAnswer(happened: Happened, event: CompactionEvent, options: AnswerOptions): Answer {
  const conversation = toMessages(event.messages, happened.state.compactions > 0);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizerOf(options.model));
  const layer = createCollapseTurns({
    policy: options.policy,
    vocabulary: claudeCodeVocabulary,
    root: options.root,
    now: true,
  });
  const edits = layer.plan({ messages: conversation, tokens: 0, targetTokens: 0, countTokens });
  const after = applyEdits(conversation, edits).messages;
  const ledger = after.filter(isLedger);
  const kept = new Set(after.map(indexOf));
  const tail = event.messages.filter((_, index) => kept.has(index));
  const record = renderRecord(happened, {
    budgetTokens: STANDING_TOKENS,
    root: options.root,
    recallTool: options.recallTool,
  });
  const before = [
    options.prose ? `${record.text}\n\n## In the model's words\n${options.prose}` : record.text,
    // Not within the record: so short a one has no room to be sure of for either.
    event.instructions === "" ? "" : `The user asked to keep in mind: "${event.instructions}"`,
    options.transcript === "" ? "" : `The whole conversation stays, word for word, in ${options.transcript}.`,
    options.standing ?? "",
  ];
  const parts = [...before.map(setIn), renderStretches(ledger), tail.length === 0 ? "" : CLOSING];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return {
    messages: [{ role: "user", text, toolUses: [] }, ...keepTail(tail)],
    tail,
    edits,
    originals: layer.originals(edits, conversation),
    dropped: event.messages.filter((_, index) => !kept.has(index)).flatMap(({ resultTexts }) => resultTexts),
    keptExchanges: countExchanges(after),
    ledgerTokens: ledger.reduce((sum, message) => sum + countTokens(message), 0),
    recordTokens: Math.round(estimateTextTokens(text, tokenizerOf(options.model))),
    tailTokens: Math.round(tail.reduce((sum, { tokens }) => sum + tokens, 0)),
  };
}

/** Those behind the ledger. */
function countExchanges(messages: readonly Message[]): number {
  return splitExchanges(messages.slice(messages.findLastIndex(isLedger) + 1)).length;
}

/**
 * Kept by its handle a message stands as the engine has it, but its rows stay tied to those before the boundary: a result
 * by its parent, an answer by its id, and a resumed session walks along them back into the history that was compacted (seen
 * in 2.1.325); a prompt brings back all that was attached to it. So they are told anew, without a handle; only an answer
 * whose calls the model is about to hear from keeps its own, because the API wants the thinking that led to them, and a
 * prompt with a picture in it.
 */
function keepTail(tail: readonly EngineMessage[]): readonly JsonObject[] {
  const open = findOpenAnswer(tail);
  return tail.flatMap((message, index) => {
    const isPrompt = message.role === "user" && message.results.length === 0;
    const isKept = isPrompt ? hasPicture(message.text) : message.role === "assistant" && index >= open;
    if (isKept) return [message.raw];
    // A row of thinking alone says nothing without its handle.
    const isEmpty = message.text === "" && message.calls.length + message.results.length === 0;
    return isEmpty ? [] : [tellAnew(message.raw)];
  });
}

/** Where the answer begins that the last results belong to; past the end where nothing of it was answered. */
function findOpenAnswer(tail: readonly EngineMessage[]): number {
  let index = tail.length - 1;
  while (index >= 0 && tail[index]?.role === "user") index--;
  if (!tail.slice(index + 1).some(({ results }) => results.length > 0)) return tail.length;
  while (index > 0 && tail[index - 1]?.role === "assistant") index--;
  return Math.max(0, index);
}

/** The engine tells a prompt's words only; where it held a picture, they say so or there are none. */
function hasPicture(text: string): boolean {
  return text.trim() === "" || /\[Image #\d+\]/.test(text);
}

function tellAnew(raw: JsonObject): JsonObject {
  const { handle: _, ...told } = raw;
  return told;
}
