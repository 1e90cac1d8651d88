/**
 * Every line type that clients 1.0.17 to 2.1.325 are known to write, and what the reader does with it.
 * `parsed` lines contain what the model was sent or answered; the rest is the client's own bookkeeping.
 */
const LINE_TYPES: Readonly<Record<string, "parsed" | "ignored">> = {
  user: "parsed",
  assistant: "parsed",
  attachment: "parsed",
  "system/compact_boundary": "parsed",
  "system/microcompact_boundary": "parsed",
  summary: "parsed",
  "custom-title": "parsed",
  "ai-title": "parsed",
  // Older clients record here what the person said in the middle of a turn.
  "queue-operation": "parsed",

  system: "ignored",
  "system/api_error": "ignored",
  "system/away_summary": "ignored",
  "system/bridge_status": "ignored",
  "system/informational": "ignored",
  "system/local_command": "ignored",
  "system/model_refusal_fallback": "ignored",
  "system/stop_hook_summary": "ignored",
  "system/turn_duration": "ignored",
  "agent-name": "ignored",
  "api-request": "ignored",
  "api-request-blob": "ignored",
  "api-request-shape": "ignored",
  "atis-latch": "ignored",
  "continued-in": "ignored",
  "cost-state": "ignored",
  "file-history-snapshot": "ignored",
  "last-prompt": "ignored",
  mode: "ignored",
  "permission-mode": "ignored",
  "pr-link": "ignored",
  // Not part of the turn and not sent to the model, except for what subagents say, which is billed.
  "progress/agent_progress": "parsed",
  "progress/bash_progress": "ignored",
  "progress/hook_progress": "ignored",
  "progress/mcp_progress": "ignored",
  "progress/query_update": "ignored",
  "progress/search_results_received": "ignored",
  "progress/waiting_for_task": "ignored",
  "tools-used": "ignored",
};

export type LineFate = "parsed" | "ignored" | "unknown";

/** `unknown` lines are ignored too, but counted separately: they reveal a new client version. */
export function decideLineFate(type: string, subtype: string): LineFate {
  const name = subtype === "" ? type : `${type}/${subtype}`;
  return (Object.hasOwn(LINE_TYPES, name) && LINE_TYPES[name]) || "unknown";
}
