import { hashText } from "../../../core/hash.ts";
import type { Message } from "../../../core/message.ts";

/** An answer of the model together with all that it answered before. */
export interface Answer {
  /** Two histories have the same chain where the model said and called the same up to here. */
  readonly chain: string;
  readonly hasCall: boolean;
}

/**
 * What tells the runs of one prompt, and the branches of one run, apart: two that went different ways were answered
 * differently, and a call's id is never given twice. What a client may change later without going another way does not count:
 * results that it clears, reminders that it moves, thinking that it no longer sends.
 */
export function listAnswers(messages: readonly Message[]): readonly Answer[] {
  const answers: Answer[] = [];
  let chain = "";
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const next = advanceChain(chain, message);
    if (next === chain) continue;
    chain = next;
    answers.push({ chain, hasCall: message.blocks.some(({ kind }) => kind === "toolCall") });
  }
  return answers;
}

/** The chain behind one more message; the same where the model neither said nor called anything in it. */
export function advanceChain(chain: string, message: Message): string {
  const said = message.role === "assistant" ? renderOnce(message) : "";
  return said === "" ? chain : hashText(`${chain}${said}`);
}

/** Messages are the same objects from request to request. */
const known = new WeakMap<Message, string>();

function renderOnce(message: Message): string {
  const before = known.get(message);
  if (before !== undefined) return before;
  const said = message.blocks.flatMap((block): readonly string[] => {
    if (block.kind === "text") return [`text ${block.text}`];
    return block.kind === "toolCall" ? [`call ${block.callId} ${block.tool}`] : [];
  });
  const made = said.length === 0 ? "" : hashText(JSON.stringify(said));
  known.set(message, made);
  return made;
}
