import { isObject, type JsonObject, listField, numberField, textField } from "../../core/json.ts";
import type { Action } from "../../session/action.ts";
import { interpretBy, parseRange, parseWorkStatus } from "../tool-table.ts";

const PATH = ["file_path", "notebook_path", "path"];
const READ = { kind: "read", path: PATH, range: parseRange } as const;
const EDIT = { kind: "edit", path: PATH } as const;
const RUN = { kind: "run", command: ["command"] } as const;
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["path"] } as const;
const DELEGATE = {
  kind: "delegate",
  description: ["description"],
  prompt: ["prompt"],
  agent: ["subagent_type"],
} as const;

const interpretNamed = interpretBy({
  Read: READ,
  NotebookRead: READ,
  Write: { kind: "write", path: PATH, text: ["content"] },
  Edit: EDIT,
  MultiEdit: EDIT,
  NotebookEdit: EDIT,
  Bash: RUN,
  PowerShell: RUN,
  Grep: SEARCH,
  Glob: SEARCH,
  LS: SEARCH,
  WebFetch: { kind: "fetch", url: ["url"] },
  TaskCreate: (input) => ({ kind: "createTask", subject: textField(input, "subject") }),
  TaskUpdate: (input) => ({
    kind: "updateTask",
    taskId: taskIdField(input, "taskId"),
    status: parseWorkStatus(textField(input, "status")),
    subject: textField(input, "subject"),
  }),
  TaskList: () => ({ kind: "listTasks" }),
  TodoWrite: { kind: "plan", list: "todos", subject: "content" },
  Task: DELEGATE,
  Agent: DELEGATE,
  ExitPlanMode: (input) => ({ kind: "proposePlan", plan: textField(input, "plan") }),
  AskUserQuestion: { kind: "ask" },
});

/** The meaning of a call. In its own file, because a hook that folds one result needs nothing else of the vocabulary. */
export function interpretCall(tool: string, input: JsonObject): Action {
  // A model's slip was recorded as `Task" >\n<parameter ...`, so everything after the name is cut.
  const action = interpretNamed(tool.replace(/^mcp__acp__/, "").replace(/\W[\s\S]*$/, ""), input);
  return action.kind === "other" ? { kind: "other", tool } : action;
}

/** Some models wrote ids as numbers. */
export function taskIdField(object: JsonObject, key: string): string {
  const number = numberField(object, key);
  return number === undefined ? textField(object, key).trim().replace(/^#/, "") : String(number);
}

type ChangedFile = Readonly<Record<"path" | "before" | "after", string>>;

/** The file before and after a write or an edit; `undefined` for every other tool, and for a failed call, whose result names no file. */
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
  const after = whole === "" ? undefined : applyEdits(whole, changes);
  if (after !== undefined) return { path, before: whole, after };
  const join = (key: string): string => changes.map((change) => textField(change, key)).join("\n");
  return { path, before: join("old_string"), after: join("new_string") };
}

/** `undefined` if one of them does not fit the text. */
export function applyEdits(text: string, edits: readonly JsonObject[]): string | undefined {
  let edited = text;
  for (const edit of edits) {
    const before = textField(edit, "old_string");
    const after = textField(edit, "new_string");
    if (before === "" ? edited !== "" : !edited.includes(before)) return undefined;
    const isAll = edit.replace_all === true && before !== "";
    edited = isAll ? edited.replaceAll(before, () => after) : edited.replace(before, () => after);
  }
  return edited;
}
