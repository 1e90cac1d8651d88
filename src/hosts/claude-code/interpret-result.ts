import {
  isObject,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
  textListField,
} from "../../core/json.ts";
import { renderResultText, type ToolResultBlock } from "../../core/message.ts";
import {
  type Action,
  isChange,
  type LineCounts,
  type LineRange,
  type Outcome,
  type TodoItem,
  type WorkStatus,
} from "../../session/action.ts";
import { parseTodos, parseWorkStatus } from "../tool-table.ts";
import { applyEdits, taskIdField } from "./interpret-call.ts";

/** Results of calls that were never run: refused by the person, by a rule of theirs, by us, or together with a sibling. */
const REFUSAL =
  /The user doesn't want to (?:proceed|take this action)|The tool use was rejected|^User rejected |^This command requires approval|^This Bash command contains multiple operations\.|was blocked\. For security, Claude Code may only|^Glob patterns are not allowed in write operations|^Claude requested permissions? |^Permission to use \S+ (?:with command .{1,200} )?has been denied|Sibling tool call errored|^\[Request interrupted by user|context (?:is critical, measured|usage is critical \(measured\)): run \/compact \(refusal \d|goes through the whole project, ignored folders included\. Narrow it|To allow it, add the line `.{1,300}` to \.plimsollignore/;

export function interpretResult(action: Action, result: ToolResultBlock, detail: JsonObject = {}): Outcome {
  const text = renderResultText(result);
  const file = objectField(detail, "file");
  // A missing task is reported in words and a flag, not as an error.
  const isError = result.isError || (action.kind === "updateTask" && isUpdateRefused(text, detail));
  return {
    isError,
    text,
    exitCode: action.kind === "run" ? parseExitCode(result, text, detail) : undefined,
    isRefused: result.isError && REFUSAL.test(text.slice(0, 1000)),
    taskId: action.kind === "createTask" ? parseTaskId(text, detail) : "",
    tasks: action.kind === "listTasks" && !isError ? parseTaskList(text, detail) : undefined,
    range: file ? parseSeenRange(file) : undefined,
    content: isError ? undefined : parseFileContent(action, detail),
    ...(isChange(action) && { isCreated: parseIsCreated(detail), lines: countPatch(detail) }),
    ...(action.kind === "delegate" && { backgroundId: parseBackgroundId(detail) }),
    ...(action.kind === "updateTask" && { taskStatus: parseStatusChange(detail) }),
    ...(action.kind === "replaceTodos" && { todos: parseNewTodos(detail) }),
  };
}

/** The results of tasks, to-do lists and file tools name what they did; a command's result does not name the command. */
export function interpretOrphan(result: ToolResultBlock, detail: JsonObject = {}): Action | undefined {
  if (result.isError) return undefined;
  const text = renderResultText(result);
  const task = objectField(detail, "task");
  const created = text.match(/^Task #\S{1,40} created successfully: (.*)$/m);
  if (created || (task && text.startsWith("Task #")))
    return { kind: "createTask", subject: (task && textField(task, "subject")) || (created?.[1] ?? "") };
  if (objectField(detail, "statusChange")) {
    const taskId = taskIdField(detail, "taskId");
    return { kind: "updateTask", taskId, status: parseStatusChange(detail), subject: "" };
  }
  const todos = parseNewTodos(detail);
  if (todos) return { kind: "replaceTodos", todos };
  if (Array.isArray(detail.tasks)) return { kind: "listTasks" };
  return interpretFileOrphan(detail);
}

function interpretFileOrphan(detail: JsonObject): Action | undefined {
  const seen = textField(objectField(detail, "file") ?? {}, "filePath");
  if (seen !== "") return { kind: "read", path: seen, range: undefined };
  const path = textField(detail, "filePath");
  if (path === "" || !Array.isArray(detail.structuredPatch)) return undefined;
  return typeof detail.content === "string" ? { kind: "write", path, text: detail.content } : { kind: "edit", path };
}

function parseNewTodos(detail: JsonObject): readonly TodoItem[] | undefined {
  return Array.isArray(detail.newTodos) ? parseTodos(detail, "newTodos", "content") : undefined;
}

function parseStatusChange(detail: JsonObject): WorkStatus | undefined {
  return parseWorkStatus(textField(objectField(detail, "statusChange") ?? {}, "to"));
}

function isUpdateRefused(text: string, detail: JsonObject): boolean {
  return detail.success === false || (detail.success === undefined && /^Task (?:#\S{1,40} )?not found/.test(text));
}

/** A failing command's result begins with its exit code; a background or interrupted one has none yet. */
function parseExitCode(result: ToolResultBlock, text: string, detail: JsonObject): number | undefined {
  const digits = text.match(/^(?:Error: )?Exit code (\d{1,10})\b/)?.[1];
  if (digits !== undefined) return Number(digits);
  if (result.isError || detail.interrupted === true || detail.backgroundTaskId !== undefined) return undefined;
  return 0;
}

function parseTaskId(text: string, detail: JsonObject): string {
  const task = objectField(detail, "task");
  return (
    (task && taskIdField(task, "id")) ||
    (text.match(/Task #(\S{1,40}) created successfully/)?.[1] ?? "") ||
    (text.match(/"taskId"\s{0,9}:\s{0,9}"?([^",}]{1,40})/)?.[1] ?? "")
  );
}

const LISTED_TASK = /^#(\S{1,40}) \[(\w{1,40})\] (.+)$/;

/** From the client's record, else from the text, which counts only if every line of it is a task. */
function parseTaskList(text: string, detail: JsonObject): Outcome["tasks"] {
  if (Array.isArray(detail.tasks)) {
    return listField(detail, "tasks")
      .filter(isObject)
      .map((task) => ({
        id: taskIdField(task, "id"),
        subject: textField(task, "subject"),
        status: parseWorkStatus(textField(task, "status")) ?? "open",
      }));
  }
  if (text.trim() === "No tasks found") return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const tasks = lines.flatMap((line) => {
    const [, id = "", status = "", rest = ""] = line.match(LISTED_TASK) ?? [];
    return id === "" ? [] : [{ id, subject: stripBlockers(rest), status: parseWorkStatus(status) ?? "open" }];
  });
  return tasks.length > 0 && tasks.length === lines.length ? tasks : undefined;
}

/** The list appends the blockers to the subject. */
function stripBlockers(subject: string): string {
  const blocked = subject.lastIndexOf(" [blocked by ");
  return blocked >= 0 && subject.endsWith("]") ? subject.slice(0, blocked) : subject;
}

/** A write says so. An edit creates a file only if it replaces nothing: some clients leave the original out of every record. */
function parseIsCreated(detail: JsonObject): boolean | undefined {
  if (detail.type === "create" || detail.type === "update") return detail.type === "create";
  if (!("originalFile" in detail)) return undefined;
  return detail.originalFile === null && (detail.oldString ?? "") === "" && !Array.isArray(detail.edits);
}

/** `undefined` if no patch is recorded; that of a new file is empty. */
function countPatch(detail: JsonObject): LineCounts | undefined {
  const lines = listField(detail, "structuredPatch")
    .filter(isObject)
    .flatMap((hunk) => textListField(hunk, "lines"));
  if (lines.length === 0) return undefined;
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

/** A background agent answers at once, and reports in a notification. */
function parseBackgroundId(detail: JsonObject): string | undefined {
  const isAway = detail.isAsync === true || detail.status === "async_launched";
  return isAway ? textField(detail, "agentId") : undefined;
}

function parseSeenRange(file: JsonObject): LineRange | undefined {
  const first = numberField(file, "startLine");
  const lines = numberField(file, "numLines");
  if (first === undefined || lines === undefined) return undefined;
  return { first: Math.max(1, first), last: Math.max(1, first) + Math.max(1, lines) - 1 };
}

/** A file's whole content after a call, if the client recorded it: read whole, or the content before an edit plus the edit. */
function parseFileContent(action: Action, detail: JsonObject): string | undefined {
  if (action.kind === "edit") return applyRecordedEdit(detail);
  if (action.kind !== "read") return undefined;
  const file = objectField(detail, "file") ?? {};
  const isWhole =
    numberField(file, "startLine") === 1 && numberField(file, "numLines") === numberField(file, "totalLines");
  return isWhole && typeof file.content === "string" ? file.content : undefined;
}

function applyRecordedEdit(detail: JsonObject): string | undefined {
  const single = { old_string: detail.oldString, new_string: detail.newString, replace_all: detail.replaceAll };
  const edits = Array.isArray(detail.edits) ? listField(detail, "edits").filter(isObject) : [single];
  const original = originalOf(detail);
  return original === undefined ? undefined : applyEdits(original, edits);
}

/** A file that an edit created had no content before. */
function originalOf(detail: JsonObject): string | undefined {
  const original = detail.originalFile === undefined ? detail.originalFileContents : detail.originalFile;
  if (typeof original === "string") return original;
  return original === null && detail.oldString === "" ? "" : undefined;
}
