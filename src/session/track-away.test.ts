import { describe, expect, it } from "vitest";
import { type Beat, calls, follow, hostSays } from "../../test/support/session-story.ts";

const sent = calls("Task", { description: "Look for leaks", prompt: "…" }, "Async agent launched", {
  detail: { isAsync: true, status: "async_launched", agentId: "a17f" },
});

function away(...beats: readonly Beat[]): readonly string[] | undefined {
  return follow(...beats).away?.map(({ order }) => order);
}

describe("agents that were sent off", () => {
  it("are away until the host tells of their end", () => {
    expect(away(sent)).toEqual(["Look for leaks"]);
    const told = "<task-notification>\n<task-id>a17f</task-id>\n<status>completed</status>\n</task-notification>";
    expect(away(sent, hostSays(told))).toEqual([]);
    expect(away(sent, hostSays(told.replace("a17f", "b2")))).toEqual(["Look for leaks"]);
    expect(away(sent, hostSays(told.replace("completed", "running")))).toEqual(["Look for leaks"]);
  });

  it("are back when their output says so", () => {
    const looks = (status: string): Beat =>
      calls("TaskOutput", { task_id: "a17f" }, `<task_id>a17f</task_id><status>${status}</status>`);
    expect(away(sent, looks("running"))).toEqual(["Look for leaks"]);
    expect(away(sent, looks("completed"))).toEqual([]);
  });

  it("are none where the report came back with the call", () => {
    expect(away(calls("Task", { description: "x" }, "No leak.", { detail: { agentId: "a17f" } }))).toEqual([]);
  });
});
