import { clipText } from "../../core/clip-text.ts";
import type { JsonObject } from "../../core/json.ts";
import type { HookAnswer } from "./hook.ts";

/** More than this the client does not put into the window, or cuts. */
const MAX_CONTEXT_CHARACTERS = 10_000;

/** The client refuses the whole answer where an event has no such output. */
const WITHOUT_OUTPUT: readonly string[] = ["PreCompact", "PostCompact", "SessionEnd"];

/** What is printed; empty where there is nothing to say. */
export function renderAnswer(event: string, { text = "", output, systemMessage }: HookAnswer): string {
  if (text !== "") return clipText(text, MAX_CONTEXT_CHARACTERS);
  const isAllowed = output !== undefined && Object.keys(output).length > 0 && !WITHOUT_OUTPUT.includes(event);
  const body = {
    ...(systemMessage === undefined ? {} : { systemMessage }),
    ...(isAllowed ? { hookSpecificOutput: { hookEventName: event, ...limit(output) } } : {}),
  };
  return Object.keys(body).length === 0 ? "" : JSON.stringify(body);
}

function limit(output: JsonObject): JsonObject {
  const { additionalContext } = output;
  return typeof additionalContext === "string"
    ? { ...output, additionalContext: clipText(additionalContext, MAX_CONTEXT_CHARACTERS) }
    : output;
}
