import { isObject, textField } from "../../core/json-fields.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";

/** The client's `/rewind` leaves out of its list whatever holds this; to a model it says nothing. */
const UNLISTED = "<local-command-stdout></local-command-stdout>";

/** The answer to a compaction with its record marked, so that `/rewind` does not offer it as something the person said. */
export function unlistRecord(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => {
    if (!isObject(message)) return message;
    const text = textField(message, "text");
    if (!text.startsWith(RECORD_OPENING) || text.includes(UNLISTED)) return message;
    const end = text.indexOf("\n");
    // Behind the first line: the beginning is what a record is known by, the end is where its ledger is read from.
    const at = end < 0 ? text.length : end;
    return { ...message, text: `${text.slice(0, at)} ${UNLISTED}${text.slice(at)}` };
  });
}

/** A record's text as it was before it was marked. */
export function withoutMark(text: string): string {
  return text.replace(` ${UNLISTED}`, "");
}
