import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, numberField, textField } from "../../core/json-fields.ts";
import type { Action, LineRange, Notice, Vocabulary } from "../../session/action.ts";
import { interpretOrphan, interpretResult, parseTodo, parseWorkStatus, taskIdField } from "./interpret-result.ts";

/** What the client's tools mean. MCP servers that mirror the client's own tools are read as those. */
export const claudeCodeVocabulary: Vocabulary = {
  interpretCall,
  interpretResult,
  interpretOrphan,
  interpretPrompt,
  interpretNotice,
  isBoilerplate: (label) => BOILERPLATE.has(label),
};

const BOILERPLATE: ReadonlySet<string> = new Set([
  "agent_listing_delta",
  "date",
  "deferred_tools_delta",
  "environment",
  "mcp_instructions_delta",
  "model",
  "prompt_snapshot",
  "remote_session_change",
  "session_context",
  "skill_listing",
  "task_reminder",
  "todo_reminder",
  "total_tokens_reminder",
]);

/** Also by itself, for the command hooks: they load as little as they can. */
export function interpretCall(tool: string, input: JsonObject): Action {
  // A model's slip was recorded as `Task" >\n<parameter ...`: the name ends where names end.
  switch (tool.replace(/^mcp__acp__/, "").replace(/\W[\s\S]*$/, "")) {
    case "Read":
    case "NotebookRead":
      return { kind: "read", path: pathField(input), range: parseRequestedRange(input) };
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
      return { kind: "delegate", request: textField(input, "description") || textField(input, "prompt").slice(0, 200) };
    case "ExitPlanMode":
      return { kind: "proposePlan", plan: textField(input, "plan") };
    case "AskUserQuestion":
      return {
        kind: "ask",
        questions: listField(input, "questions")
          .filter(isObject)
          .map((question) => textField(question, "question")),
      };
    default:
      return { kind: "other", tool };
  }
}

function pathField(input: JsonObject): string {
  return textField(input, "file_path") || textField(input, "notebook_path") || textField(input, "path");
}

function parseRequestedRange(input: JsonObject): LineRange | undefined {
  const offset = numberField(input, "offset");
  const count = numberField(input, "limit");
  if (offset === undefined && count === undefined) return undefined;
  const first = Math.max(1, Math.floor(offset ?? 1));
  return { first, last: count === undefined ? Number.MAX_SAFE_INTEGER : first + Math.max(1, Math.floor(count)) - 1 };
}

const INTERRUPTION = "[Request interrupted by user";
/** Commands that ask the model begin with their message, those that the client answers itself with their name. */
const ASKING_COMMAND = "<command-message>";

function interpretNotice(text: string): Notice | undefined {
  const opening = text.trimStart();
  if (opening.startsWith(INTERRUPTION)) return { kind: "interrupted" };
  if (!opening.startsWith(ASKING_COMMAND)) return undefined;
  const name = findTag(opening, "command-name");
  const command = name.startsWith("/") ? name : `/${name}`;
  return name === "" ? undefined : { kind: "asked", text: `${command} ${findTag(opening, "command-args")}`.trim() };
}

/** What editors, workspaces and monitors put into prompts, in tags of their own. */
const WRAPPINGS: readonly string[] = [
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "system_instruction",
  "system-instruction",
  "system-reminder",
  "ci-monitor-event",
  "github-webhook-activity",
];

function interpretPrompt(text: string): string {
  let words = text;
  for (const tag of WRAPPINGS) {
    for (let from = words.indexOf(`<${tag}>`); from >= 0; from = words.indexOf(`<${tag}>`)) {
      const end = words.indexOf(`</${tag}>`, from);
      words = words.slice(0, from) + (end < 0 ? "" : words.slice(end + tag.length + 3));
    }
  }
  return words === text ? text : words.trim();
}

function findTag(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? "" : text.slice(from + tag.length + 2, to).trim();
}
