import { expect, it } from "vitest";
import { renderResumeLine } from "./render-resume-line.ts";

const point = { phase: "4", completedTasks: [1, 2, 3], task: 4, planFile: ".plimsoll/plan-auth-phase4.md" };

it("[R73] has exactly the format that a resuming agent looks for", () => {
  expect(renderResumeLine(point)).toBe(
    "Resuming Phase 4. Tasks [1-3] complete. Currently on task 4. Plan file: .plimsoll/plan-auth-phase4.md",
  );
});

it.each([
  [[], "none"],
  [[1], "1"],
  [[2, 1], "1-2"],
  [[1, 2, 3, 5, 7, 8, 8], "1-3, 5, 7-8"],
])("[R73] names the completed tasks %j as [%s]", (completedTasks, range) => {
  expect(renderResumeLine({ ...point, completedTasks })).toContain(`Tasks [${range}] complete.`);
});

it("[R73] stays one line whatever the plan is called", () => {
  expect(renderResumeLine({ ...point, planFile: "a\nb.md" }).split("\n")).toHaveLength(1);
});
