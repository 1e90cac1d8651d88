import { isObject, type Json, numberField, textField } from "../../../../core/json.ts";
import type { ToolOutput } from "../../../../hosts/claude-code/tool-output.ts";

/** What a completed command wrote, as `codex-main.ts` tells it. Only the output of a command can be put away: how it ended is known of no other. */
export function parseToolOutput(_tool: string, response: Json | undefined): ToolOutput | undefined {
  const exitCode = isObject(response) ? numberField(response, "exitCode") : undefined;
  if (!isObject(response) || exitCode === undefined) return undefined;
  return {
    text: textField(response, "stdout"),
    calledAs: "exec_command",
    persistedPath: "",
    replace: (text) => tellEnd(text, exitCode),
  };
}

/** Behind the marker's own line, in the client's words: without it the model would not know how the command ended. */
function tellEnd(text: string, exitCode: number): string {
  const [first = "", ...others] = text.split("\n");
  return [first, `Process exited with code ${exitCode}`, ...others].join("\n");
}
