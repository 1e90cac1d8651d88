import { type ArrivalSource, type SessionEvent, unreportedCompaction } from "../../core/event.ts";
import { isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { createArrival } from "../create-events.ts";
import { parseBlock } from "./parse-blocks.ts";
import { decidePromptAuthor } from "./prompt-author.ts";

/** A row that the client's engine is about to store (`session.append`), as it passes it to a module. */
export interface Row {
  /** The route it came in by; newer engines add names. */
  readonly door: string;
  readonly uuid: string;
  /** Absent on the main conversation. */
  readonly agentId?: string | undefined;
  readonly origin: JsonObject;
  readonly message: RowMessage;
}

export interface RowMessage {
  readonly type: string;
  readonly name?: string | undefined;
  readonly isMeta?: true | undefined;
  readonly content: readonly JsonObject[];
}

export type RowReader = ReturnType<typeof createRowReader>;

/** Records wait for their row for a moment only. */
const MAX_RECORDS = 200;

/**
 * Rows have no id of their answer, and results come in while it still streams. The engine says when all calls
 * of an answer have returned (`answered`); if it never does, an answer ends when none of its calls waits for a
 * result. After a compaction the engine repeats the kept rows one after another; the first other row ends that.
 */
export function createRowReader() {
  const records = new Map<string, JsonObject>();
  const expected = new Map<string, number>();
  let stepId = "";
  let isAnswering = false;
  let isAnswerReported = false;
  let hasResults = false;
  const waiting = new Set<string>();
  let isLastRestated = false;
  let isBehindBoundary = false;

  const readResponse = (row: Row, atMs: number): readonly SessionEvent[] => {
    if (!isAnswering) stepId = row.uuid;
    isAnswering = true;
    const blocks = row.message.content.map((raw) => parseBlock(raw, "model"));
    for (const block of blocks) if (block.kind === "toolCall") waiting.add(block.callId);
    const model = textField(row.origin, "model");
    return [{ kind: "output", origin: row.uuid, atMs, stepId, model, usage: undefined, isOutputFinal: false, blocks }];
  };

  const readArrivals = (row: Row, atMs: number): readonly SessionEvent[] => {
    const source = nameSource(row, isBehindBoundary);
    const isSaid = source === "prompt" || row.message.name === "queued_command";
    return row.message.content.map((raw) => {
      const author = isSaid ? decidePromptAuthor(textField(raw, "text")) : "host";
      const block = parseBlock(raw, author);
      const stamp = { origin: row.uuid, atMs };
      if (block.kind !== "toolResult")
        return createArrival(block, { ...stamp, source, label: row.message.name ?? source });
      const detail = records.get(block.callId);
      records.delete(block.callId);
      return createArrival(block, { ...stamp, source: "toolResult", label: textField(row.origin, "tool"), detail });
    });
  };

  const isRestated = (row: Row): boolean => {
    if (expected.size === 0 || !isOfConversation(row)) return false;
    // As the engine reports a prompt of several parts.
    const words = row.message.content.map((block) => textField(block, "text")).join("");
    const known = [keysOf(row.message), [nameText(words)]].find((keys) => keys.every((key) => expected.has(key)));
    if (known === undefined) expected.clear();
    for (const key of known ?? []) take(expected, key);
    return known !== undefined;
  };

  const endAnswer = (): void => {
    isAnswering = false;
    hasResults = false;
    waiting.clear();
  };

  const endsAnswer = ({ door, message }: Row): boolean => {
    if (door === "prompt" || door === "compaction") {
      // Calls have returned, and the engine did not say so.
      if (hasResults) isAnswerReported = false;
      return true;
    }
    hasResults ||= door === "tool-result";
    for (const block of message.content) waiting.delete(textField(block, "tool_use_id"));
    return door !== "attachment" && !isAnswerReported && waiting.size === 0;
  };

  return {
    /** The events of a row of the main conversation, the same as for a transcript's lines. */
    read(row: Row, atMs: number): readonly SessionEvent[] {
      isLastRestated = false;
      if (row.agentId !== undefined || row.door === "queue" || row.door === "notice") return [];
      if (row.message.name === "compact_boundary") {
        endAnswer();
        isBehindBoundary = true;
        return [unreportedCompaction(row.uuid, atMs)];
      }
      isLastRestated = isRestated(row);
      if (isLastRestated) return [];
      if (isOfConversation(row)) isBehindBoundary = false;
      if (row.door === "response") return readResponse(row, atMs);
      if (endsAnswer(row)) endAnswer();
      return row.message.type === "system" ? [] : readArrivals(row, atMs);
    },
    /** The structured record of a call's result, which the engine passes before the row with its text. */
    note(callId: string, record: JsonObject): void {
      records.set(callId, record);
      const [oldest] = records.keys();
      if (records.size > MAX_RECORDS && oldest !== undefined) records.delete(oldest);
    },
    /** Whether the last row was seen before a compaction: nothing new has happened then. */
    isRestating: (): boolean => isLastRestated,
    isRestated: (): boolean => isLastRestated && expected.size === 0,
    /** The id of the current answer; empty before the first. */
    step: (): string => stepId,
    /** All calls of the answer have returned: the model's next row begins another one. */
    answered(): void {
      isAnswerReported = true;
      endAnswer();
    },
    /** The engine will call `answered` for every answer, the first one included. */
    expectAnswered(): void {
      isAnswerReported = true;
    },
    /** What a compaction keeps: its rows are repeated after the boundary, under new ids, and must not count twice. */
    expect(keys: Iterable<string>): void {
      expected.clear();
      for (const key of keys) expected.set(key, (expected.get(key) ?? 0) + 1);
    },
  };
}

function nameSource({ door, message }: Row, isBehindBoundary: boolean): ArrivalSource {
  if (door === "compaction") return "summary";
  if (message.type === "attachment") return "attachment";
  // A module's answer to a compaction is stored as a note of the engine's; anywhere else a note is a typed `/compact`.
  if (door === "note") return message.isMeta === true || !isBehindBoundary ? "reminder" : "summary";
  if (door === "hook-context" || door === "tool-message" || message.isMeta === true) return "reminder";
  return "prompt";
}

/** The client does not draw a text that contains this (2.1.325); it means nothing to a model. */
export const UNDRAWN = "<local-command-caveat></local-command-caveat>";

export function withoutEchoMark(text: string): string {
  return text.startsWith(UNDRAWN) ? text.slice(UNDRAWN.length) : text;
}

/** Keys that identify a row: its text, the calls it makes, the calls it answers. */
export function nameText(text: string): string {
  return `text ${withoutEchoMark(text)}`;
}
export function nameCall(callId: string): string {
  return `call ${callId}`;
}
export function nameResult(callId: string): string {
  return `result ${callId}`;
}

function keysOf({ content }: RowMessage): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === "text") return [nameText(textField(block, "text"))];
    if (block.type === "tool_use") return [nameCall(textField(block, "id"))];
    return block.type === "tool_result" ? [nameResult(textField(block, "tool_use_id"))] : [];
  });
}

/** Rows of the conversation itself: attachments, injections and summaries are repeated by their own source. */
function isOfConversation({ door, message }: Row): boolean {
  return message.type !== "attachment" && message.isMeta !== true && door !== "note" && door !== "compaction";
}

function take(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** The engine passes plain data; any other shape is no row. */
export function parseRow(value: unknown): Row | undefined {
  if (!isObject(value)) return undefined;
  const message = objectField(value, "message");
  if (message === undefined || !Array.isArray(message.content)) return undefined;
  return {
    door: textField(value, "door"),
    uuid: textField(value, "uuid"),
    agentId: textField(value, "agentId") || undefined,
    origin: objectField(value, "origin") ?? {},
    message: {
      type: textField(message, "type"),
      name: textField(message, "name") || undefined,
      isMeta: message.isMeta === true ? true : undefined,
      content: message.content.filter(isObject),
    },
  };
}
