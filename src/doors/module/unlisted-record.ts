import { isObject, textField } from "../../core/json-fields.ts";
import { LEDGER_OPENING } from "../../layers/ledger/ledger-text.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";

/** The client's `/rewind` leaves out of its list whatever has this tag in it. To a model it says what happened. */
const MARK = "<local-command-stdout>Compacted by Plimsoll</local-command-stdout>";
/** As earlier versions wrote it. */
const OLD_MARK = " <local-command-stdout></local-command-stdout>";

/** The answer to a compaction with its record marked, so that `/rewind` does not offer it as something the user said. */
export function unlistRecord(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => {
    if (!isObject(message)) return message;
    const text = textField(message, "text");
    if (!text.startsWith(RECORD_OPENING) || text.includes(MARK)) return message;
    const ledger = text.indexOf(`\n${LEDGER_OPENING}`);
    // Between the record and its ledger: a record is known by its beginning, and its ledger is read up to the end.
    const record = text.slice(0, ledger < 0 ? text.length : ledger).trimEnd();
    return { ...message, text: `${record}\n${MARK}${text.slice(record.length)}` };
  });
}

/** A record's text as it was before it was marked. */
export function withoutMark(text: string): string {
  return text.replace(`\n${MARK}`, "").replace(OLD_MARK, "");
}
