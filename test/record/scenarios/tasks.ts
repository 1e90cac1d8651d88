import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import { blocksOfType } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const tasks: Recording = {
  name: "tasks",
  shows:
    "a task list: created, begun, done, and its files under `tasks/`; 2.1.325 loads the tools through ToolSearch first",
  async play({ version, serve, prompt }) {
    const load = answer(call("ToolSearch", { query: "select:TaskCreate,TaskUpdate,TaskList", max_results: 5 }));
    await serve({
      main: [
        ...(version === "2.1.325" ? [load] : []),
        answer(
          call("TaskCreate", {
            subject: "Caulk the hull",
            description: "Close the seams below the line",
            activeForm: "Caulking the hull",
          }),
          call("TaskCreate", {
            subject: "Paint the line",
            description: "Paint the load line",
            activeForm: "Painting the line",
          }),
        ),
        answer(call("TaskUpdate", { taskId: "1", status: "in_progress" })),
        answer(
          call("TaskUpdate", { taskId: "1", status: "completed" }),
          call("TaskUpdate", { taskId: "2", status: "in_progress" }),
        ),
        answer(call("TaskList", {})),
        answer("The hull is caulked; the line is being painted."),
      ],
    });
    await prompt("Prepare the ship, and keep a task list.");
  },
  verify({ lines }) {
    const failed = blocksOfType(lines, "tool_result").filter((block) => block.is_error === true);
    assert.deepEqual(failed, [], "every task call must succeed");
  },
};
