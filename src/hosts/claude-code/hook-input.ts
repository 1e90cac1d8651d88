import { isObject, type Json, type JsonObject, objectField, parseJson, textField } from "../../core/json.ts";

export interface HookEvent {
  readonly event: string;
  readonly sessionId: string;
  readonly transcript: string;
  readonly directory: string;
  /** Empty on the main conversation. */
  readonly agentId: string;
  readonly raw: JsonObject;
}

/** `undefined` for what is no event: not JSON, or not an object. */
export function parseHookInput(event: string, text: string): HookEvent | undefined {
  const raw = parseJson(text);
  if (!isObject(raw)) return undefined;
  return {
    event,
    sessionId: textField(raw, "session_id"),
    transcript: textField(raw, "transcript_path"),
    directory: textField(raw, "cwd"),
    agentId: textField(raw, "agent_id"),
    raw,
  };
}

export interface HookCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly response: Json | undefined;
}

export function parseHookCall(raw: JsonObject): HookCall {
  return {
    callId: textField(raw, "tool_use_id"),
    tool: textField(raw, "tool_name"),
    input: objectField(raw, "tool_input") ?? {},
    response: raw.tool_response,
  };
}
