import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField } from "../../core/json-fields.ts";
import type { EngineMessage } from "./compaction-event.ts";
import type { Entry } from "./conversation.ts";

export interface Tail {
  readonly messages: readonly JsonObject[];
  /** Rows of an answer that stand as the engine has them: a resumed session finds them a second time before the boundary. */
  readonly keptAnswers: readonly string[];
}

/**
 * The end of a conversation as rows for the engine. A row that keeps its handle stands as the engine has it, but stays tied to
 * those before the boundary: a result by its parent, an answer by its id, and a resumed session walks along them back into
 * the history that was compacted (seen in 2.1.325). So rows are given anew, without handles. Only an answer whose calls the
 * model is about to hear from keeps its own, where it was thought about: some models want the thinking that led to a call.
 * A prompt of several parts keeps its own, too, and brings along what stood beside it; it is tied to nothing.
 *
 * The engine pairs an answer with the results behind its last row alone: all calls of an answer are in one row, and all
 * results in the next.
 */
export function renderTail(entries: readonly Entry[]): Tail {
  const open = findOpenAnswer(entries);
  const messages: JsonObject[] = [];
  const keptAnswers: string[] = [];
  let answer: EngineMessage[] = [];
  let results: EngineMessage[] = [];
  let riding = "";
  const close = (): void => {
    messages.push(...renderAnswer(answer), ...renderResults(results));
    answer = [];
    results = [];
  };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "aside") {
      if (entry.aside.after === riding) continue;
      close();
      messages.push({ role: "user", text: entry.aside.text, toolUses: [] });
    } else if (entry.row.role === "assistant") {
      if (results.length > 0) close();
      if (index >= open) {
        messages.push(entry.row.raw);
        keptAnswers.push(textField(entry.row.raw, "handle"));
      } else answer.push(entry.row);
    } else if (entry.row.results.length > 0) {
      if (answer.length > 0) {
        messages.push(...renderAnswer(answer));
        answer = [];
      }
      results.push(entry.row);
    } else {
      close();
      const handle = textField(entry.row.raw, "handle");
      const isKept = handle !== "" && (entry.said.length > 0 || entry.row.text.trim() === "");
      messages.push(isKept ? entry.row.raw : { role: "user", text: entry.row.text, toolUses: [] });
      riding = isKept ? handle : riding;
    }
  }
  close();
  return { messages, keptAnswers };
}

/** Where the answer begins that the last results belong to, if it was thought about; past the end where there is none. */
function findOpenAnswer(entries: readonly Entry[]): number {
  const isAnswer = (entry: Entry | undefined): boolean => entry?.kind === "row" && entry.row.role === "assistant";
  let index = entries.length - 1;
  while (index >= 0 && !isAnswer(entries[index])) index--;
  const isAnswered = entries.slice(index + 1).some((entry) => entry.kind === "row" && entry.row.results.length > 0);
  const last = index;
  while (index > 0 && isAnswer(entries[index - 1])) index--;
  const isThought = entries.slice(Math.max(0, index), last + 1).some(isThinking);
  return isAnswered && isThought ? Math.max(0, index) : entries.length;
}

/** The engine tells a row of thinking as one that says nothing. */
function isThinking(entry: Entry): boolean {
  return entry.kind === "row" && entry.row.text === "" && entry.row.calls.length === 0;
}

/** What was said, each part a row as it was; the last one makes all the calls. */
function renderAnswer(rows: readonly EngineMessage[]): readonly JsonObject[] {
  // The API takes no blank text, and the client drops those that a model wrote.
  const texts = rows.map(({ text }) => text).filter((text) => text.trim() !== "");
  const toolUses = rows.flatMap(({ raw }) => listField(raw, "toolUses").filter(isObject).map(toCall));
  if (texts.length === 0 && toolUses.length === 0) return [];
  const before = texts.slice(0, -1).map((text) => ({ role: "assistant", text, toolUses: [] }));
  return [...before, { role: "assistant", text: texts.at(-1) ?? "", toolUses }];
}

/** Without the result that the engine repeats beside each call. */
function toCall({ tool_use_id = "", tool = "", input = {} }: JsonObject): JsonObject {
  return { tool_use_id, tool, input };
}

function renderResults(rows: readonly EngineMessage[]): readonly JsonObject[] {
  if (rows.length === 0) return [];
  const toolResults = rows.flatMap(({ resultTexts }) =>
    resultTexts.map(({ callId, text, isError }) => ({ tool_use_id: callId, text, isError })),
  );
  const said = rows.map(({ text }) => text).filter((text) => text.trim() !== "");
  return [
    { role: "user", text: "", toolUses: [], toolResults },
    ...said.map((text) => ({ role: "user", text, toolUses: [] })),
  ];
}
