import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, numberField, textField } from "../../core/json-fields.ts";
import { renderResultText } from "../../core/message.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Vocabulary, WorkStatus } from "../../session/action.ts";
import { listQuestions, parseRange } from "../tool-input.ts";

/** What the client's tools mean. */
export const openCodeVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall,
  interpretResult: (action, result, detail = {}) => {
    const text = renderResultText(result);
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" ? numberField(detail, "exit") : undefined,
      isRefused: result.isError && /rejected permission|specified a rule which prevents/i.test(text.slice(0, 400)),
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  },
};

function interpretCall(tool: string, input: JsonObject): Action {
  const path = textField(input, "filePath") || textField(input, "path");
  switch (tool) {
    case "read":
      return { kind: "read", path, range: parseRange(input) };
    case "write":
      return { kind: "write", path, text: textField(input, "content") };
    case "edit":
    case "multiedit":
      return { kind: "edit", path };
    case "apply_patch":
    case "patch":
      return interpretPatch(textField(input, "patchText"), tool);
    case "bash":
      return { kind: "run", command: textField(input, "command") };
    case "grep":
    case "glob":
    case "list":
    case "codesearch":
      return { kind: "search", pattern: textField(input, "pattern") || textField(input, "query"), path };
    case "webfetch":
      return { kind: "fetch", url: textField(input, "url") };
    case "todowrite":
      return {
        kind: "replaceTodos",
        todos: listField(input, "todos")
          .filter(isObject)
          .map((todo) => ({ subject: textField(todo, "content"), status: parseStatus(textField(todo, "status")) })),
      };
    case "task":
      return {
        kind: "delegate",
        prompt: textField(input, "description") || textField(input, "prompt").slice(0, 200),
        ...(textField(input, "subagent_type") === "" ? {} : { agent: textField(input, "subagent_type") }),
      };
    case "question":
      return {
        kind: "ask",
        questions: listQuestions(input),
      };
    default:
      return { kind: "other", tool };
  }
}

/** One file of a patch, its first. */
function interpretPatch(patch: string, tool: string): Action {
  const [, path = ""] = /^\*\*\* (?:Add|Update|Delete) File: (.{1,4096})$/m.exec(patch) ?? [];
  return path === "" ? { kind: "other", tool } : { kind: "edit", path: path.trim() };
}

function parseStatus(status: string): WorkStatus {
  if (status === "completed") return "done";
  if (status === "cancelled") return "cancelled";
  return status === "in_progress" ? "active" : "open";
}
