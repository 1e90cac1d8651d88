import { hashText } from "../../../core/hash.ts";
import { isObject, type JsonObject, textField } from "../../../core/json.ts";
import { readApiMessages } from "../../../hosts/claude-code/api-messages.ts";
import { decidePromptAuthor } from "../../../hosts/claude-code/prompt-author.ts";
import { UNDRAWN } from "../../../hosts/claude-code/row-reader.ts";
import { LEDGER_OPENING } from "../../../layers/ledger/ledger-text.ts";
import { REPAIR_OPENING } from "../../../survive/receipt/plan-repair.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import type { EngineConversation } from "../conversation.ts";
import type { WatchState } from "../watch.ts";
import type { EngineMessage } from "./compaction-event.ts";
import type { RowExtras } from "./row-extras.ts";

/** The state of a session when a record was written: a person may rewind to just after it. */
export interface WatchCheckpoint {
  /** Hash of the record's text. */
  readonly record: string;
  readonly watch: Pick<WatchState, "session" | "trail">;
}

const MAX_CHECKPOINTS = 3;

export function addCheckpoint(
  before: readonly WatchCheckpoint[],
  record: string,
  { session, trail }: WatchState,
): readonly WatchCheckpoint[] {
  return [...before, { record: hashText(record), watch: { session, trail } }].slice(-MAX_CHECKPOINTS);
}

/** Whether an answer that we saw is gone from the conversation: the person has rewound. */
export function hasRewound({ answers }: RowExtras, reported: readonly EngineMessage[]): boolean {
  const there = new Set(reported.map(({ handle }) => handle));
  return answers.some((answer) => !there.has(answer));
}

/** The state when the record in the conversation was written; `undefined` if there is none. */
export function findCheckpoint(
  checkpoints: readonly WatchCheckpoint[],
  { record }: EngineConversation,
): WatchCheckpoint["watch"] | undefined {
  const hash = record === undefined ? "" : hashText(withoutMark(record.text));
  return checkpoints.findLast((checkpoint) => checkpoint.record === hash)?.watch;
}

/** The conversation after its record as events, to be read again. */
export function readEvents({ opening, record, entries }: EngineConversation): ReturnType<typeof readApiMessages> {
  const before = record === undefined ? opening.map(toApiMessage) : [];
  const behind = entries.map((entry) =>
    entry.kind === "row" ? toApiMessage(entry.row) : { role: "user", content: [toText(entry.aside.text)] },
  );
  return readApiMessages([...before, ...behind]);
}

function toApiMessage({ role, text, toolUses, resultTexts }: EngineMessage): JsonObject {
  const calls = toolUses.map(({ callId, tool, input }) => ({ type: "tool_use", id: callId, name: tool, input }));
  const results = resultTexts.map(({ callId, text: content, isError }) => ({
    type: "tool_result",
    tool_use_id: callId,
    content,
    is_error: isError,
  }));
  return { role, content: [...results, ...(text === "" ? [] : [toText(text)]), ...calls] };
}

function toText(text: string): JsonObject {
  return { type: "text", text };
}

/** The client's `/rewind` hides every message that contains this tag. To a model it says what happened. */
const MARK = "<local-command-stdout>Compacted by Plimsoll</local-command-stdout>";
/** As earlier versions wrote it. */
const OLD_MARK = " <local-command-stdout></local-command-stdout>";

/**
 * The messages of an answer as the client is handed them: the record is marked, so that `/rewind` does not offer it as something the user
 * said, and so are the client's own texts: it draws them itself, and without the mark those that stay would be on the screen twice.
 */
export function toHanded(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) => {
    if (!isObject(message)) return message;
    const text = textField(message, "text");
    if (text.startsWith(RECORD_OPENING)) return { ...message, text: unlistRecord(text) };
    const isNew = message.role === "user" && textField(message, "handle") === "";
    return isNew && isEcho(text) ? { ...message, text: UNDRAWN + text } : message;
  });
}

function unlistRecord(text: string): string {
  if (text.includes(MARK)) return text;
  const ledger = text.indexOf(`\n${LEDGER_OPENING}`);
  // Between the record and its ledger: a record is recognised by its beginning, and its ledger is read up to the end.
  const record = text.slice(0, ledger < 0 ? text.length : ledger).trimEnd();
  return `${record}\n${MARK}${text.slice(record.length)}`;
}

function isEcho(text: string): boolean {
  const isOurs = text.startsWith(REPAIR_OPENING) || text.startsWith(UNDRAWN);
  return !isOurs && decidePromptAuthor(text) === "host";
}

export function withoutMark(text: string): string {
  return text.replace(`\n${MARK}`, "").replace(OLD_MARK, "");
}
