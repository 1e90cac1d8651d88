import { isObject, type JsonObject, listField, numberField, textField } from "../../core/json.ts";
import type { Action, TodoItem, WorkStatus } from "../../session/action.ts";
import { listQuestions, parseRange } from "../tool-table.ts";

/** The meaning of a call. In its own file, because a hook that folds one result needs nothing else of the vocabulary. */
export function interpretCall(tool: string, input: JsonObject): Action {
  // A model's slip was recorded as `Task" >\n<parameter ...`, so everything after the name is cut.
  switch (tool.replace(/^mcp__acp__/, "").replace(/\W[\s\S]*$/, "")) {
    case "Read":
    case "NotebookRead":
      return { kind: "read", path: pathField(input), range: parseRange(input) };
    case "Write":
      return { kind: "write", path: pathField(input), text: textField(input, "content") };
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return { kind: "edit", path: pathField(input) };
    case "Bash":
    case "PowerShell":
      return { kind: "run", command: textField(input, "command") };
    case "Grep":
    case "Glob":
    case "LS":
      return { kind: "search", pattern: textField(input, "pattern"), path: textField(input, "path") };
    case "WebFetch":
      return { kind: "fetch", url: textField(input, "url") };
    case "TaskCreate":
      return { kind: "createTask", subject: textField(input, "subject") };
    case "TaskUpdate":
      return {
        kind: "updateTask",
        taskId: taskIdField(input, "taskId"),
        status: parseWorkStatus(textField(input, "status")),
        subject: textField(input, "subject"),
      };
    case "TaskList":
      return { kind: "listTasks" };
    case "TodoWrite":
      return { kind: "replaceTodos", todos: listField(input, "todos").filter(isObject).map(parseTodo) };
    case "Task":
    case "Agent":
      return {
        kind: "delegate",
        prompt: textField(input, "description") || textField(input, "prompt").slice(0, 200),
        ...(textField(input, "subagent_type") === "" ? {} : { agent: textField(input, "subagent_type") }),
      };
    case "ExitPlanMode":
      return { kind: "proposePlan", plan: textField(input, "plan") };
    case "AskUserQuestion":
      return { kind: "ask", questions: listQuestions(input) };
    default:
      return { kind: "other", tool };
  }
}

function pathField(input: JsonObject): string {
  return textField(input, "file_path") || textField(input, "notebook_path") || textField(input, "path");
}

/** Some models wrote ids as numbers. */
export function taskIdField(object: JsonObject, key: string): string {
  const number = numberField(object, key);
  return number === undefined ? textField(object, key).trim().replace(/^#/, "") : String(number);
}

export function parseTodo(todo: JsonObject): TodoItem {
  return { subject: textField(todo, "content"), status: parseWorkStatus(textField(todo, "status")) ?? "open" };
}

export function parseWorkStatus(status: string): WorkStatus | undefined {
  switch (status) {
    case "pending":
      return "open";
    case "in_progress":
      return "active";
    case "completed":
      return "done";
    case "deleted":
    case "cancelled":
      return "cancelled";
    default:
      return undefined;
  }
}

interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The file before and after a call of Write, Edit or MultiEdit, from its structured result;
 * `undefined` for a failed call, whose result names no file, and for every other tool.
 */
export function parseChangedFile(tool: string, input: JsonObject, response: unknown): ChangedFile | undefined {
  const path = isObject(response) ? textField(response, "filePath") : "";
  if (path === "" || !isObject(response)) return undefined;
  const before = textField(response, "originalFile") || textField(response, "originalFileContents");
  if (tool === "Write") return { path, before, after: textField(input, "content") };
  if (tool === "Edit") return applyChanges(path, before, [input]);
  if (tool === "MultiEdit") return applyChanges(path, before, listField(input, "edits").filter(isObject));
  return undefined;
}

/** If the client does not report the whole file, the exchanged parts are used instead. */
function applyChanges(path: string, whole: string, changes: readonly JsonObject[]): ChangedFile {
  const parts = changes.map((change) => ({
    old: textField(change, "old_string"),
    now: textField(change, "new_string"),
    isAll: change.replace_all === true,
  }));
  const after = parts.reduce(
    (text: string | undefined, { old, now, isAll }) =>
      text === undefined || !text.includes(old)
        ? undefined
        : isAll
          ? text.replaceAll(old, () => now)
          : text.replace(old, () => now),
    whole,
  );
  return after === undefined || whole === ""
    ? { path, before: parts.map(({ old }) => old).join("\n"), after: parts.map(({ now }) => now).join("\n") }
    : { path, before: whole, after };
}
