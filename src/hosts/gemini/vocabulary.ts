import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, numberField, textField } from "../../core/json-fields.ts";
import { renderResultText } from "../../core/message.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Vocabulary } from "../../session/action.ts";

/** What the client's tools mean. */
export const geminiVocabulary: Vocabulary & CallVocabulary = {
  interpretCall,
  interpretResult: (action, result) => {
    const text = renderResultText(result);
    const [, code] = /^Exit Code: (-?\d{1,10})$/m.exec(text) ?? [];
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" && code !== undefined ? Number(code) : undefined,
      isRefused: /^\[Operation Cancelled\]/.test(text),
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  },
};

function interpretCall(tool: string, input: JsonObject): Action {
  const path = textField(input, "file_path") || textField(input, "absolute_path");
  const first = numberField(input, "start_line");
  const last = numberField(input, "end_line");
  switch (tool) {
    case "read_file":
      return { kind: "read", path, range: first === undefined || last === undefined ? undefined : { first, last } };
    case "write_file":
      return { kind: "write", path, text: textField(input, "content") };
    case "replace":
      return { kind: "edit", path };
    case "run_shell_command":
      return { kind: "run", command: textField(input, "command") };
    case "glob":
    case "grep_search":
    case "search_file_content":
    case "list_directory":
      return { kind: "search", pattern: textField(input, "pattern"), path: textField(input, "dir_path") };
    case "write_todos":
      return {
        kind: "replaceTodos",
        todos: listField(input, "todos")
          .filter(isObject)
          .map((todo) => ({
            subject: textField(todo, "description"),
            status: todo.status === "completed" ? "done" : todo.status === "in_progress" ? "active" : "open",
          })),
      };
    default:
      return { kind: "other", tool };
  }
}
