import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField, textListField } from "../../core/json-fields.ts";
import { renderResultText } from "../../core/message.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Notice, Vocabulary, WorkStatus } from "../../session/action.ts";
import { listQuestions } from "../tool-input.ts";

/** What the client's tools mean. */
export const codexVocabulary: Vocabulary & CallVocabulary = {
  // It has no tool for it: commands read files.
  readTool: "exec_command",
  interpretCall,
  interpretResult: (action, result) => {
    const text = renderResultText(result);
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" ? parseExitCode(text) : undefined,
      isRefused: /^(?:exec_command|shell_command|patch|command)? ?(?:rejected|aborted|denied) by (?:the )?user/i.test(
        text,
      ),
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  },
  interpretNotice,
  interpretNote: (text) =>
    /^\s{0,9}<(?:environment_context|image|\/image)\b/.test(text) ? { text: "", isReport: false } : undefined,
  isBoilerplate: (label) => BOILERPLATE.has(label),
};

const BOILERPLATE: ReadonlySet<string> = new Set([
  "instructions",
  "environment_context",
  "permissions",
  "collaboration_mode",
  "apps_instructions",
  "skills_instructions",
  "plugins_instructions",
  "app-context",
  "personality_spec",
]);

function interpretCall(tool: string, input: JsonObject): Action {
  switch (tool) {
    case "exec_command":
      return { kind: "run", command: textField(input, "cmd") };
    case "shell":
    case "local_shell":
    case "shell_command":
    case "container.exec":
      return { kind: "run", command: textField(input, "command") || renderArguments(textListField(input, "command")) };
    case "apply_patch":
      return interpretPatch(textField(input, "input") || textField(input, "patch"));
    case "update_plan":
      return {
        kind: "replaceTodos",
        todos: listField(input, "plan")
          .filter(isObject)
          .map((item) => ({ subject: textField(item, "step"), status: parseStatus(textField(item, "status")) })),
      };
    case "view_image":
    case "read_file":
      return { kind: "read", path: textField(input, "path") || textField(input, "file_path"), range: undefined };
    case "grep_files":
    case "list_dir":
      return {
        kind: "search",
        pattern: textField(input, "pattern"),
        path: textField(input, "path") || textField(input, "dir_path"),
      };
    case "spawn_agent":
      return { kind: "delegate", prompt: textField(input, "message").slice(0, 200) };
    case "request_user_input":
      return {
        kind: "ask",
        questions: listQuestions(input),
      };
    default:
      return { kind: "other", tool };
  }
}

/** `["bash", "-lc", "…"]` means its last word. */
function renderArguments(words: readonly string[]): string {
  const [shell = "", option = "", script] = words;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(option) && script !== undefined
    ? script
    : words.join(" ");
}

/** One file of a patch, its first: a new one with what is in it. */
function interpretPatch(patch: string): Action {
  const [, deed = "", path = ""] = /^\*\*\* (Add|Update|Delete) File: (.{1,4096})$/m.exec(patch) ?? [];
  const isWhole = deed === "Add" && patch.indexOf("*** ", patch.indexOf(path)) === patch.lastIndexOf("*** End Patch");
  if (!isWhole) return path === "" ? { kind: "other", tool: "apply_patch" } : { kind: "edit", path: path.trim() };
  const lines = patch.split("\n").filter((line) => line.startsWith("+"));
  return { kind: "write", path: path.trim(), text: lines.map((line) => `${line.slice(1)}\n`).join("") };
}

function parseStatus(status: string): WorkStatus {
  if (status === "completed") return "done";
  return status === "in_progress" ? "active" : "open";
}

/** Newer clients: `Process exited with code 0`; older: `Exit code: 0`, or JSON with it. `undefined` for one that still runs. */
export function parseExitCode(text: string): number | undefined {
  const opening = text.slice(0, 400);
  const [, code] =
    /^Exit code: (\d{1,10})$/m.exec(opening) ?? /^Process exited with code (-?\d{1,10})$/m.exec(opening) ?? [];
  if (code !== undefined) return Number(code);
  const [, inJson] = /"exit_code":\s{0,4}(-?\d{1,10})/.exec(text.startsWith("{") ? text.slice(-400) : "") ?? [];
  return inJson === undefined ? undefined : Number(inJson);
}

function interpretNotice(text: string): Notice | undefined {
  return text.trimStart().startsWith("<turn_aborted>") ? { kind: "interrupted" } : undefined;
}
