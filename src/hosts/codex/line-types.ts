import type { RecordFate } from "../transcript-entry.ts";

/** Every record that clients 0.118 to 0.166 are known to write. `parsed` ones contain what the model was sent or answered, or what it cost. */
const LINE_TYPES: Readonly<Record<string, "parsed" | "ignored">> = {
  session_meta: "parsed",
  turn_context: "parsed",
  compacted: "parsed",
  token_usage_record: "parsed",
  response_item: "parsed",
  "event_msg/token_count": "parsed",
  // When a turn begins or is aborted, an answer ends whose usage was never recorded.
  "event_msg/task_started": "parsed",
  "event_msg/turn_aborted": "parsed",
  "event_msg/thread_name_updated": "parsed",
  "event_msg/thread_rolled_back": "parsed",

  world_state: "ignored",
  ghost_snapshot: "ignored",
  // Shown to the person; what the model is sent is in response items.
  "event_msg/agent_message": "ignored",
  "event_msg/agent_reasoning": "ignored",
  "event_msg/agent_reasoning_raw_content": "ignored",
  "event_msg/agent_reasoning_section_break": "ignored",
  "event_msg/background_event": "ignored",
  "event_msg/collab_agent_interaction_end": "ignored",
  "event_msg/collab_agent_spawn_end": "ignored",
  "event_msg/collab_close_end": "ignored",
  "event_msg/collab_waiting_end": "ignored",
  "event_msg/context_compacted": "ignored",
  "event_msg/dynamic_tool_call_request": "ignored",
  "event_msg/dynamic_tool_call_response": "ignored",
  "event_msg/entered_review_mode": "ignored",
  "event_msg/error": "ignored",
  "event_msg/exec_command_end": "ignored",
  "event_msg/exited_review_mode": "ignored",
  "event_msg/guardian_assessment": "ignored",
  "event_msg/image_generation_end": "ignored",
  "event_msg/item_completed": "ignored",
  "event_msg/item_started": "ignored",
  "event_msg/mcp_tool_call_end": "ignored",
  "event_msg/model_reroute": "ignored",
  "event_msg/patch_apply_end": "ignored",
  "event_msg/plan_update": "ignored",
  "event_msg/stream_error": "ignored",
  "event_msg/task_complete": "ignored",
  "event_msg/thread_goal_updated": "ignored",
  "event_msg/thread_settings_applied": "ignored",
  "event_msg/undo_completed": "ignored",
  "event_msg/user_message": "ignored",
  "event_msg/view_image_tool_call": "ignored",
  "event_msg/warning": "ignored",
  "event_msg/web_search_end": "ignored",
};

export function decideFate(type: string, event: string): RecordFate {
  const name = type === "event_msg" ? `${type}/${event}` : type;
  return (Object.hasOwn(LINE_TYPES, name) && LINE_TYPES[name]) || "unknown";
}
