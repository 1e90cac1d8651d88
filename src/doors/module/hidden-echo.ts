import { isObject, textField } from "../../core/json-fields.ts";
import { decidePromptAuthor } from "../../hosts/claude-code/prompt-author.ts";
import { REPAIR_OPENING } from "../../survive/receipt/plan-repair.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";

/** The client draws nothing of a text that holds this (2.1.325); to a model it says nothing. */
const UNDRAWN = "<local-command-caveat></local-command-caveat>";

/**
 * The answer to a compaction with the client's own texts in it marked: commands and what they printed, notices, interruptions.
 * The client draws each of them in a form of its own, without asking a module, so without the mark those that stay would stand
 * on the screen a second time. The person's words are left as they are.
 */
export function hideEchoes(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => {
    if (!isObject(message) || message.role !== "user" || textField(message, "handle") !== "") return message;
    const text = textField(message, "text");
    return isEcho(text) ? { ...message, text: UNDRAWN + text } : message;
  });
}

function isEcho(text: string): boolean {
  const isOurs = [RECORD_OPENING, REPAIR_OPENING, UNDRAWN].some((opening) => text.startsWith(opening));
  return !isOurs && decidePromptAuthor(text) === "host";
}

/** A text as it was before it was marked. */
export function withoutEchoMark(text: string): string {
  return text.startsWith(UNDRAWN) ? text.slice(UNDRAWN.length) : text;
}
