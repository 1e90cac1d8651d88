import { hashText } from "../../core/hash.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField } from "../../core/json-fields.ts";
import { readApiMessages } from "../../hosts/claude-code/api-messages.ts";
import type { Beside } from "./beside-rows.ts";
import type { EngineMessage } from "./compaction-event.ts";
import type { Conversation } from "./conversation.ts";
import { withoutMark } from "./unlisted-record.ts";
import type { WatchState } from "./watch.ts";

/** What was known of a session when a record was written: a person may rewind to just behind it. */
export interface Checkpoint {
  /** Hash of the record's text. */
  readonly record: string;
  readonly watch: Pick<WatchState, "session" | "trail">;
}

const MAX_CHECKPOINTS = 3;

export function addCheckpoint(
  before: readonly Checkpoint[],
  record: string,
  { session, trail }: WatchState,
): readonly Checkpoint[] {
  return [...before, { record: hashText(record), watch: { session, trail } }].slice(-MAX_CHECKPOINTS);
}

/** Whether an answer that we saw is gone from the conversation: the person has taken it back. */
export function hasRewound({ answers }: Beside, told: readonly EngineMessage[]): boolean {
  const there = new Set(told.map(({ raw }) => textField(raw, "handle")));
  return answers.some((answer) => !there.has(answer));
}

/** What had happened when the record that stands in the conversation was written; nothing where there is none. */
export function findCheckpoint(
  checkpoints: readonly Checkpoint[],
  { record }: Conversation,
): Checkpoint["watch"] | undefined {
  const hash = record === undefined ? "" : hashText(withoutMark(record.text));
  return checkpoints.findLast((checkpoint) => checkpoint.record === hash)?.watch;
}

/** The conversation behind its record as events, for whoever has to read it once more. */
export function readEvents({ opening, record, entries }: Conversation): ReturnType<typeof readApiMessages> {
  const before = record === undefined ? opening.map(toApiMessage) : [];
  const behind = entries.map((entry) =>
    entry.kind === "row" ? toApiMessage(entry.row) : { role: "user", content: [toText(entry.aside.text)] },
  );
  return readApiMessages([...before, ...behind]);
}

function toApiMessage({ role, text, raw, resultTexts }: EngineMessage): JsonObject {
  const calls = listField(raw, "toolUses")
    .filter(isObject)
    .map(({ tool_use_id = "", tool = "", input = {} }) => ({ type: "tool_use", id: tool_use_id, name: tool, input }));
  const results = resultTexts.map((result) => ({
    type: "tool_result",
    tool_use_id: result.callId,
    content: result.text,
    is_error: result.isError,
  }));
  return { role, content: [...results, ...(text === "" ? [] : [toText(text)]), ...calls] };
}

function toText(text: string): JsonObject {
  return { type: "text", text };
}
