import { isObject, type JsonObject, listField, objectField, textField } from "../../../core/json.ts";
import { nameCall, nameResult, nameText, withoutEchoMark } from "../../../hosts/claude-code/row-reader.ts";

/** A message of the conversation as the client passes it to `session.compact`. If it is returned with its handle, the client keeps its own row. */
export interface EngineMessage {
  readonly raw: JsonObject;
  /** Empty for a row of ours. */
  readonly handle: string;
  readonly role: "user" | "assistant";
  readonly toolUses: readonly { readonly callId: string; readonly tool: string; readonly input: JsonObject }[];
  readonly calls: readonly string[];
  /** Calls whose results it has. */
  readonly results: readonly string[];
  readonly text: string;
  readonly resultTexts: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[];
}

/** Accurate enough to choose where to cut, and a hundred times faster than weighing a whole history. */
const TOKENS_PER_CHARACTER = 0.36;

export function parseRows(value: unknown): readonly EngineMessage[] {
  return Array.isArray(value) ? value.filter(isObject).map(parseMessage) : [];
}

/** Keys that identify the rows of these messages when the client reports them again after a compaction. */
export function listKeys(messages: readonly EngineMessage[]): readonly string[] {
  return messages.flatMap(({ text, calls, results }) => [
    ...(text === "" ? [] : [nameText(text)]),
    ...calls.map(nameCall),
    ...results.map(nameResult),
  ]);
}

function parseMessage(raw: JsonObject): EngineMessage {
  const text = withoutEchoMark(textField(raw, "text"));
  const toolUses = listField(raw, "toolUses")
    .filter(isObject)
    .map((call) => ({
      callId: textField(call, "tool_use_id"),
      tool: textField(call, "tool"),
      input: objectField(call, "input") ?? {},
    }));
  const resultTexts = listField(raw, "toolResults")
    .filter(isObject)
    .map((result) => ({
      callId: textField(result, "tool_use_id"),
      text: textField(result, "text"),
      isError: result.isError === true || result.is_error === true,
    }));
  return {
    raw,
    handle: textField(raw, "handle"),
    role: raw.role === "assistant" ? "assistant" : "user",
    text,
    toolUses,
    resultTexts,
    calls: toolUses.map(({ callId }) => callId),
    results: resultTexts.map(({ callId }) => callId),
  };
}

/** Estimated tokens. An answer's entry repeats its calls' results; results count once, where they came in. */
export function weighMessage({ text, toolUses, resultTexts }: EngineMessage): number {
  const inputs = toolUses.reduce((sum, { input }) => sum + JSON.stringify(input).length, 0);
  const characters = resultTexts.reduce((sum, result) => sum + result.text.length, text.length + inputs);
  return characters * TOKENS_PER_CHARACTER;
}
