import type { JsonObject } from "../../core/json.ts";
import { textField, textListField } from "../../core/json-fields.ts";
import { renderResultText } from "../../core/message.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Vocabulary } from "../../session/action.ts";
import { parseRange } from "../tool-input.ts";

/** What the client's tools mean; those that extensions bring mean nothing more here than their names. */
export const piVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall,
  interpretResult: (action, result) => {
    const text = renderResultText(result);
    return {
      isError: result.isError,
      text,
      exitCode: action.kind === "run" ? parseExitCode(text, result) : undefined,
      isRefused: false,
      taskId: "",
      tasks: undefined,
      range: undefined,
      content: undefined,
    };
  },
};

function interpretCall(tool: string, input: JsonObject): Action {
  const path = textField(input, "path") || textField(input, "file_path");
  switch (tool) {
    case "read":
      return { kind: "read", path, range: parseRange(input) };
    case "write":
      return { kind: "write", path, text: textField(input, "content") };
    case "edit":
      return { kind: "edit", path };
    case "bash":
      return { kind: "run", command: textField(input, "command") };
    case "grep":
    case "find":
    case "ls":
    case "multi_grep":
      return {
        kind: "search",
        pattern: textField(input, "pattern") || textListField(input, "patterns").join("|"),
        path,
      };
    default:
      return { kind: "other", tool };
  }
}

/** A failing command's result ends with its exit code; one that was broken off has none. */
function parseExitCode(text: string, { isError }: { readonly isError: boolean }): number | undefined {
  const [, code] = /Command exited with code (\d{1,10})\s{0,9}$/.exec(text.slice(-200)) ?? [];
  if (code !== undefined) return Number(code);
  return isError ? undefined : 0;
}
