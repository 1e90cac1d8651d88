import type { JsonObject } from "../core/json.ts";
import type { Happened } from "../session/compaction/continuation.ts";
import { planBudget } from "../session/compaction/plan-budget.ts";
import { planTail } from "../session/compaction/plan-tail.ts";
import { renderRecord } from "../session/compaction/record.ts";
import type { Archived } from "./archive.ts";
import type { CompactionEvent, EngineMessage } from "./compaction-event.ts";

export interface AnswerOptions {
  readonly contextTokens: number;
  readonly baseTokens: number;
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
  /** What leaves the window and must be put away first. */
  readonly dropped: readonly Archived[];
  readonly recordTokens: number;
  readonly tailTokens: number;
}

/** The record in place of the history, then the last messages as the engine has them. Nothing is asked of a model. */
export function planAnswer(happened: Happened, event: CompactionEvent, options: AnswerOptions): Answer {
  const { messages } = event;
  const { tailTokens: maxTokens, recordTokens } = planBudget(options.contextTokens);
  const from = planTail(messages, { maxTokens });
  const record = renderRecord(happened, {
    budgetTokens: recordTokens,
    transcript: options.transcript,
    root: options.root,
    recallTool: options.recallTool,
    instructions: event.instructions,
  });
  const prose = options.prose ? `\n\n## In the model's words\n${options.prose}` : "";
  const standing = options.standing ? `\n\n${options.standing}` : "";
  const tail = messages.slice(from);
  const closing = tail.length === 0 ? "" : "\n\nWhat was said last follows word for word. Go on from there.";
  return {
    messages: [{ role: "user", text: `${record.text}${prose}${standing}${closing}`, toolUses: [] }, ...keepTail(tail)],
    tail,
    dropped: listDropped(messages.slice(0, from)),
    recordTokens: record.tokens,
    tailTokens: Math.round(tail.reduce((sum, { tokens }) => sum + tokens, 0)),
  };
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

function listDropped(messages: readonly EngineMessage[]): readonly Archived[] {
  return messages.flatMap(({ resultTexts }) => resultTexts);
}
