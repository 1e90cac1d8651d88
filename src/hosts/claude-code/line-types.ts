import { decideFateBy, type LineFate } from "../transcript-entry.ts";

/** Every line type that clients 1.0.17 to 2.1.325 are known to write. */
const decideNamed = decideFateBy({
  // What the model was sent or answered. Older clients record in the queue what the person said in the middle of a turn.
  // Progress is not part of the turn and not sent to the model, except for what subagents say, which is billed.
  parsed: `user assistant attachment system/compact_boundary system/microcompact_boundary summary custom-title ai-title
    queue-operation progress/agent_progress`,
  // The client's own bookkeeping.
  ignored: `system system/api_error system/away_summary system/bridge_status system/informational system/local_command
    system/model_refusal_fallback system/stop_hook_summary system/turn_duration agent-name api-request api-request-blob
    api-request-shape atis-latch continued-in cost-state file-history-snapshot last-prompt mode permission-mode pr-link
    progress/bash_progress progress/hook_progress progress/mcp_progress progress/query_update
    progress/search_results_received progress/waiting_for_task tools-used`,
});

export function decideLineFate(type: string, subtype: string): LineFate {
  return decideNamed(subtype === "" ? type : `${type}/${subtype}`);
}
