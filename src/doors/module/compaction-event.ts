import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField } from "../../core/json-fields.ts";
import { nameCall, nameResult, nameText } from "../../hosts/claude-code/row-reader.ts";
import { withoutEchoMark } from "./hidden-echo.ts";

/** A message of the conversation as the engine hands it to `session.compact`; with its handle it stands as the engine has it. */
export interface EngineMessage {
  readonly raw: JsonObject;
  readonly role: "user" | "assistant";
  /** Calls it makes. */
  readonly calls: readonly string[];
  /** Calls it brings the results of. */
  readonly results: readonly string[];
  readonly text: string;
  readonly resultTexts: readonly ResultText[];
}

interface ResultText {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface CompactionEvent {
  readonly trigger: string;
  readonly instructions: string;
  readonly agentId: string;
  readonly messages: readonly EngineMessage[];
}

/** Good enough for where to cut, and a hundred times faster than weighing a whole history. */
const TOKENS_PER_CHARACTER = 0.36;

export function parseCompactionEvent(event: JsonObject): CompactionEvent {
  return {
    trigger: textField(event, "trigger"),
    instructions: textField(event, "instructions"),
    agentId: textField(event, "agentId"),
    messages: parseMessages(event.messages),
  };
}

export function parseMessages(value: unknown): readonly EngineMessage[] {
  return Array.isArray(value) ? value.filter(isObject).map(parseMessage) : [];
}

/** What identifies the rows of these messages when the engine tells them once more after a compaction. */
export function listKeys(messages: readonly EngineMessage[]): readonly string[] {
  return messages.flatMap(({ text, calls, results }) => [
    ...(text === "" ? [] : [nameText(text)]),
    ...calls.map(nameCall),
    ...results.map(nameResult),
  ]);
}

function parseMessage(raw: JsonObject): EngineMessage {
  const text = withoutEchoMark(textField(raw, "text"));
  const calls = listField(raw, "toolUses").filter(isObject);
  const results = listField(raw, "toolResults").filter(isObject);
  const resultTexts = results.map((result) => ({
    callId: textField(result, "tool_use_id"),
    text: textField(result, "text"),
    isError: result.isError === true || result.is_error === true,
  }));
  return {
    raw,
    text,
    resultTexts,
    role: raw.role === "assistant" ? "assistant" : "user",
    calls: calls.map((call) => textField(call, "tool_use_id")),
    results: resultTexts.map(({ callId }) => callId),
  };
}

/** About what it weighs. An answer's entry repeats the result that its call got; results count once, where they came in. */
export function weighMessage({ raw, text, resultTexts }: EngineMessage): number {
  const calls = listField(raw, "toolUses").filter(isObject);
  const inputs = calls.reduce((sum, call) => sum + JSON.stringify(call.input ?? {}).length, 0);
  const characters = resultTexts.reduce((sum, result) => sum + result.text.length, text.length + inputs);
  return characters * TOKENS_PER_CHARACTER;
}
