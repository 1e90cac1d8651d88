import { isObject, type Json, type JsonObject, objectField, parseJson, textField } from "../../core/json.ts";

/** An event of the client as one of its hooks is told it. What is absent is empty. */
export interface HookEvent {
  readonly event: string;
  readonly sessionId: string;
  readonly transcript: string;
  readonly directory: string;
  /** Empty on the main conversation. */
  readonly agentId: string;
  /** The whole event as it came. */
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

/** A tool call as the events around it tell it. */
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
