/** If red: a line of the transcript is ignored that carries something, or an unknown one is not counted. */
import { describe, expect, it } from "vitest";
import { decideLineFate } from "./parse-line.ts";

describe("decideLineFate", () => {
  it.each([
    ["user", ""],
    ["assistant", ""],
    ["attachment", ""],
    ["summary", ""],
    ["custom-title", ""],
    ["ai-title", ""],
    ["queue-operation", ""],
    ["system", "compact_boundary"],
    ["system", "microcompact_boundary"],
    ["progress", "agent_progress"],
  ])("parses %s %s", (type, subtype) => {
    expect(decideLineFate(type, subtype)).toBe("parsed");
  });

  it.each([
    ["system", ""],
    ["system", "api_error"],
    ["system", "away_summary"],
    ["system", "bridge_status"],
    ["system", "informational"],
    ["system", "local_command"],
    ["system", "model_refusal_fallback"],
    ["system", "stop_hook_summary"],
    ["system", "turn_duration"],
    ["progress", "bash_progress"],
    ["progress", "hook_progress"],
    ["progress", "mcp_progress"],
    ["progress", "query_update"],
    ["progress", "waiting_for_task"],
    ["agent-name", ""],
    ["api-request", ""],
    ["api-request-blob", ""],
    ["api-request-shape", ""],
    ["atis-latch", ""],
    ["continued-in", ""],
    ["cost-state", ""],
    ["file-history-snapshot", ""],
    ["last-prompt", ""],
    ["mode", ""],
    ["permission-mode", ""],
    ["pr-link", ""],
    ["tools-used", ""],
  ])("ignores %s %s on purpose", (type, subtype) => {
    expect(decideLineFate(type, subtype)).toBe("ignored");
  });

  it.each([
    ["telepathy", ""],
    ["system", "telepathy"],
    ["progress", ""],
    ["user", "compact_boundary"],
    ["constructor", ""],
    ["toString", ""],
    ["__proto__", ""],
  ])("does not know %s %s", (type, subtype) => {
    expect(decideLineFate(type, subtype)).toBe("unknown");
  });
});
