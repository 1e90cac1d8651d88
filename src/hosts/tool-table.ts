import {
  isObject,
  type JsonObject,
  listField,
  numberField,
  parseJson,
  textField,
  textListField,
} from "../core/json.ts";
import { renderResultText, type ToolResultBlock } from "../core/message.ts";
import {
  type Action,
  addCounts,
  countChanged,
  type LineCounts,
  type LineRange,
  type Outcome,
  type TodoItem,
  type WorkStatus,
} from "../session/action.ts";

/** The first of these input fields with a value counts; a list is joined by blanks. */
type Fields = readonly string[];

/** What a tool does, and the input fields that say with what; a function where fields do not say it all. */
type Meaning =
  | { readonly kind: "read"; readonly path: Fields; readonly range?: (input: JsonObject) => LineRange | undefined }
  | { readonly kind: "write"; readonly path: Fields; readonly text: Fields }
  | { readonly kind: "edit"; readonly path: Fields }
  | { readonly kind: "patch"; readonly text: Fields }
  | { readonly kind: "run"; readonly command: Fields }
  | { readonly kind: "search"; readonly pattern: Fields; readonly path: Fields }
  | { readonly kind: "fetch"; readonly url: Fields }
  /** The description if there is one, else the beginning of the prompt. */
  | { readonly kind: "delegate"; readonly description?: Fields; readonly prompt: Fields; readonly agent?: Fields }
  | { readonly kind: "plan"; readonly list: string; readonly subject: string }
  | { readonly kind: "ask" }
  | ((input: JsonObject) => Action);

/** Interprets calls by a table of a client's tools; unlisted tools are known by name only. */
export function interpretBy(table: Readonly<Record<string, Meaning>>): (tool: string, input: JsonObject) => Action {
  const meanings = new Map(Object.entries(table));
  return (tool, input) => {
    const meaning = meanings.get(tool);
    if (meaning === undefined) return { kind: "other", tool };
    return typeof meaning === "function" ? meaning(input) : toAction(meaning, input, tool);
  };
}

const MOST_PROMPT_CHARACTERS = 200;

function toAction(meaning: Exclude<Meaning, (input: JsonObject) => Action>, input: JsonObject, tool: string): Action {
  const pick = (fields: Fields = [], joint = " "): string =>
    fields.map((field) => textField(input, field) || textListField(input, field).join(joint)).find(Boolean) ?? "";
  switch (meaning.kind) {
    case "read":
      return { kind: "read", path: pick(meaning.path), range: meaning.range?.(input) };
    case "write":
      return { kind: "write", path: pick(meaning.path), text: pick(meaning.text) };
    case "edit":
      return { kind: "edit", path: pick(meaning.path), ...countEdits(input) };
    case "patch":
      return parsePatch(pick(meaning.text)) ?? { kind: "other", tool };
    case "run":
      return { kind: "run", command: pick(meaning.command) };
    case "search":
      return { kind: "search", pattern: pick(meaning.pattern, "|"), path: pick(meaning.path) };
    case "fetch":
      return { kind: "fetch", url: pick(meaning.url) };
    case "delegate": {
      const prompt = pick(meaning.description) || pick(meaning.prompt).slice(0, MOST_PROMPT_CHARACTERS);
      const agent = pick(meaning.agent);
      return { kind: "delegate", prompt, ...(agent === "" ? {} : { agent }) };
    }
    case "plan":
      return { kind: "replaceTodos", todos: parseTodos(input, meaning.list, meaning.subject) };
    case "ask":
      return { kind: "ask", questions: listQuestions(input) };
  }
}

export function parseTodos(holder: JsonObject, list: string, subject: string): readonly TodoItem[] {
  return listField(holder, list)
    .filter(isObject)
    .map((todo) => ({
      subject: textField(todo, subject),
      status: parseWorkStatus(textField(todo, "status")) ?? "open",
    }));
}

const STATUSES: ReadonlyMap<string, WorkStatus> = new Map([
  ["pending", "open"],
  ["in_progress", "active"],
  ["completed", "done"],
  ["deleted", "cancelled"],
  ["cancelled", "cancelled"],
]);

export function parseWorkStatus(status: string): WorkStatus | undefined {
  return STATUSES.get(status);
}

function listQuestions(input: JsonObject): readonly string[] {
  const several = listField(input, "questions").filter(isObject);
  const questions = [...several.map((one) => textField(one, "question")), textField(input, "question")];
  return questions.filter((question) => question !== "");
}

/** `*** Add File: …`: the first file of a patch; with its content if it is a new file and the only one. */
function parsePatch(text: string): Action | undefined {
  const [, verb = "", path = ""] = /^\*\*\* (Add|Update|Delete) File: (.{1,4096})$/m.exec(text) ?? [];
  if (path === "") return undefined;
  const isWhole = verb === "Add" && text.indexOf("*** ", text.indexOf(path)) === text.lastIndexOf("*** End Patch");
  const lines = text.split("\n").filter((line) => line.startsWith("+"));
  if (isWhole) return { kind: "write", path: path.trim(), text: lines.map((line) => `${line.slice(1)}\n`).join("") };
  const removed = text.split("\n").filter((line) => line.startsWith("-")).length;
  const isSeen = lines.length + removed > 0;
  return { kind: "edit", path: path.trim(), ...(isSeen && { lines: { added: lines.length, removed } }) };
}

/** What clients name the text that an edit replaces, and the new one. */
const EXCHANGED = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["oldText", "newText"],
  ["old_str", "new_str"],
] as const;

/** The edits of a call, or the one that it is. */
function countEdits(input: JsonObject): { readonly lines?: LineCounts } {
  const counts = [input, ...listField(input, "edits").filter(isObject)].flatMap((edit) =>
    EXCHANGED.filter((names) => names.some((name) => typeof edit[name] === "string")).map(([before, after]) =>
      countChanged(textField(edit, before), textField(edit, after)),
    ),
  );
  return counts.length === 0 ? {} : { lines: counts.reduce(addCounts) };
}

/** The lines that a call asks for, by first line and count; `undefined` for the whole file. */
export function parseRange(input: JsonObject): LineRange | undefined {
  const offset = numberField(input, "offset");
  const count = numberField(input, "limit");
  if (offset === undefined && count === undefined) return undefined;
  const first = Math.max(1, Math.floor(offset ?? 1));
  return { first, last: count === undefined ? Number.MAX_SAFE_INTEGER : first + Math.max(1, Math.floor(count)) - 1 };
}

interface ResultSigns {
  findExitCode(text: string, result: ToolResultBlock, detail: JsonObject): number | undefined;
  isRefused?(text: string, result: ToolResultBlock): boolean;
}

/** Interprets results by what their text shows: how a command ended, and whether the person refused it. */
export function interpretResultBy({ findExitCode, isRefused }: ResultSigns) {
  return (action: Action, result: ToolResultBlock, detail: JsonObject = {}): Outcome => {
    const text = renderResultText(result);
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" ? findExitCode(text, result, detail) : undefined,
      isRefused: isRefused?.(text, result) ?? false,
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  };
}

export function findNumber(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The first text field of that name in the beginning of a JSON record, which may be cut off after it; empty if there is none. */
export function findTextField(head: string, name: string): string {
  const from = head.indexOf(`"${name}"`);
  if (from < 0) return "";
  const [, text] = /^\s{0,9}:\s{0,9}("(?:[^"\\]|\\.){0,4000}")/.exec(head.slice(from + name.length + 2)) ?? [];
  const value = parseJson(text ?? "");
  return typeof value === "string" ? value : "";
}
