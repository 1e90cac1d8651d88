import { isObject, textField } from "../../core/json.ts";
import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { createSession } from "../../session/session.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookInput } from "./hook.ts";

/** With the result that the event itself tells: the client runs a hook before it writes the result into the transcript. */
export function hearResult({ state, trail }: Happened, { raw }: HookInput): Happened {
  const { callId, tool, response } = parseHookCall(raw);
  if (callId === "" || response === undefined) return { state, trail };
  const output = parseToolOutput(tool, response);
  const detail = isObject(response) ? response : undefined;
  const stderr = detail ? textField(detail, "stderr") : "";
  const text = [output?.text ?? "", stderr].filter((part) => part !== "").join("\n");
  const session = createSession(claudeCodeVocabulary, state);
  session.feed({
    kind: "arrival",
    origin: "",
    atMs: undefined,
    source: "toolResult",
    label: tool,
    role: "user",
    block: { kind: "toolResult", id: callId, callId, parts: [{ kind: "text", text }], isError: false },
    detail,
  });
  return { state: session.state(), trail };
}
