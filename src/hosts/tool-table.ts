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
import type { Action, LineRange, Outcome, WorkStatus } from "../session/action.ts";

type Meaning = (input: JsonObject, tool: string) => Action;

/** A client's tools, one line each: the kind of action, and the input fields that say what it is about. */
export type ToolTable = Readonly<Record<string, Meaning>>;

/** The first of these fields with a value counts; a list is joined by blanks. */
type Fields = readonly string[];

function pick(input: JsonObject, fields: Fields, joint = " "): string {
  for (const field of fields) {
    const text = textField(input, field) || textListField(input, field).join(joint);
    if (text !== "") return text;
  }
  return "";
}

/** Interprets calls by a table; unlisted tools are known by name only. */
export function interpretBy(table: ToolTable): (tool: string, input: JsonObject) => Action {
  const meanings = new Map(Object.entries(table));
  return (tool, input) => meanings.get(tool)?.(input, tool) ?? { kind: "other", tool };
}

type FindRange = (input: JsonObject) => LineRange | undefined;

export const reads =
  (path: Fields, findRange: FindRange = () => undefined): Meaning =>
  (input) => ({ kind: "read", path: pick(input, path), range: findRange(input) });

export const writes =
  (path: Fields, text: Fields): Meaning =>
  (input) => ({ kind: "write", path: pick(input, path), text: pick(input, text) });

export const edits =
  (path: Fields): Meaning =>
  (input) => ({ kind: "edit", path: pick(input, path) });

export const runs =
  (command: Fields): Meaning =>
  (input) => ({ kind: "run", command: pick(input, command) });

export const searches =
  (pattern: Fields, path: Fields): Meaning =>
  (input) => ({ kind: "search", pattern: pick(input, pattern, "|"), path: pick(input, path) });

export const fetches =
  (url: Fields): Meaning =>
  (input) => ({ kind: "fetch", url: pick(input, url) });

const MOST_PROMPT_CHARACTERS = 200;

/** A subagent's task: a short description if there is one, else the beginning of the prompt. */
export const delegates =
  (description: Fields, prompt: Fields, agent: Fields = []): Meaning =>
  (input) => ({
    kind: "delegate",
    prompt: pick(input, description) || pick(input, prompt).slice(0, MOST_PROMPT_CHARACTERS),
    ...(pick(input, agent) === "" ? {} : { agent: pick(input, agent) }),
  });

export const plans =
  (list: string, subject: string): Meaning =>
  (input) => ({
    kind: "replaceTodos",
    todos: listField(input, list)
      .filter(isObject)
      .map((todo) => ({ subject: textField(todo, subject), status: parseStatus(textField(todo, "status")) })),
  });

function parseStatus(status: string): WorkStatus {
  if (status === "completed") return "done";
  if (status === "cancelled") return "cancelled";
  return status === "in_progress" ? "active" : "open";
}

export const asks = (): Meaning => (input) => ({
  kind: "ask",
  questions: input.questions === undefined ? [textField(input, "question")] : listQuestions(input),
});

export function listQuestions(input: JsonObject): readonly string[] {
  return listField(input, "questions")
    .filter(isObject)
    .map((question) => textField(question, "question"));
}

/** `*** Add File: …`: the first file of a patch; with its content if it is a new file and the only one. */
export const patches =
  (patch: Fields): Meaning =>
  (input, tool) => {
    const text = pick(input, patch);
    const [, deed = "", path = ""] = /^\*\*\* (Add|Update|Delete) File: (.{1,4096})$/m.exec(text) ?? [];
    if (path === "") return { kind: "other", tool };
    const isWhole = deed === "Add" && text.indexOf("*** ", text.indexOf(path)) === text.lastIndexOf("*** End Patch");
    if (!isWhole) return { kind: "edit", path: path.trim() };
    const lines = text.split("\n").filter((line) => line.startsWith("+"));
    return { kind: "write", path: path.trim(), text: lines.map((line) => `${line.slice(1)}\n`).join("") };
  };

/** The lines that a call asks for, by first line and count; `undefined` for the whole file. */
export function parseRange(input: JsonObject): LineRange | undefined {
  const offset = numberField(input, "offset");
  const count = numberField(input, "limit");
  if (offset === undefined && count === undefined) return undefined;
  const first = Math.max(1, Math.floor(offset ?? 1));
  return { first, last: count === undefined ? Number.MAX_SAFE_INTEGER : first + Math.max(1, Math.floor(count)) - 1 };
}

/** What a result's text shows: how a command ended, and whether the person refused it. */
export interface ResultSigns {
  findExitCode(text: string, result: ToolResultBlock, detail: JsonObject): number | undefined;
  isRefused(text: string, result: ToolResultBlock): boolean;
}

export function interpretResultBy({ findExitCode, isRefused }: ResultSigns) {
  return (action: Action, result: ToolResultBlock, detail: JsonObject = {}): Outcome => {
    const text = renderResultText(result);
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" ? findExitCode(text, result, detail) : undefined,
      isRefused: isRefused(text, result),
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
