import type { JsonObject } from "../../core/json.ts";
import { listField, textField, textListField } from "../../core/json-fields.ts";
import { renderResultText } from "../../core/message.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Vocabulary } from "../../session/action.ts";

/** What the client's tools mean. */
export const copilotVocabulary: Vocabulary & CallVocabulary = {
  interpretCall,
  interpretResult: (action, result) => {
    const text = renderResultText(result);
    const [, code] = /<exited with exit code (-?\d{1,10})>\s{0,9}$/.exec(text.slice(-200)) ?? [];
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" && code !== undefined ? Number(code) : undefined,
      isRefused: result.isError && /permission (?:was )?denied|rejected by (?:the )?user/i.test(text.slice(0, 400)),
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  },
};

function interpretCall(tool: string, input: JsonObject): Action {
  const path = textField(input, "path");
  switch (tool) {
    case "view": {
      const [first, last] = listField(input, "view_range");
      const range =
        typeof first === "number" && typeof last === "number"
          ? { first, last: last < first ? Number.MAX_SAFE_INTEGER : last }
          : undefined;
      return { kind: "read", path, range };
    }
    case "create":
      return { kind: "write", path, text: textField(input, "file_text") };
    case "edit":
    case "str_replace_editor":
      return { kind: "edit", path };
    case "apply_patch": {
      const [, file] = /^\*\*\* (?:Add|Update|Delete) File: (.{1,4096})$/m.exec(textField(input, "input")) ?? [];
      return file === undefined ? { kind: "other", tool } : { kind: "edit", path: file.trim() };
    }
    case "bash":
    case "powershell":
      return { kind: "run", command: textField(input, "command") };
    case "rg":
    case "grep":
    case "glob":
      return {
        kind: "search",
        pattern: textField(input, "pattern"),
        path: path || textField(input, "paths") || textListField(input, "paths").join(" "),
      };
    case "web_fetch":
      return { kind: "fetch", url: textField(input, "url") };
    case "task":
      return { kind: "delegate", prompt: textField(input, "description") || textField(input, "prompt").slice(0, 200) };
    case "ask_user":
      return { kind: "ask", questions: [textField(input, "question")] };
    default:
      return { kind: "other", tool };
  }
}
