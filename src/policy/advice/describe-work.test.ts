import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { describeWork } from "./describe-work.ts";

describe("what a report says of the work", () => {
  it("is nothing where nothing was followed", () => {
    expect(describeWork(undefined)).toEqual({ task: "", phase: "", filesTouched: [], blockers: [] });
  });

  it("is the first open piece of work, the files that were changed, and the errors that stand", () => {
    const happened = story()
      .asks("Paint the load line.")
      .calls("Read", { file_path: "/p/read.ts" }, "1→a")
      .calls("Write", { file_path: "/p/hull.ts", content: "x" }, "ok")
      .calls("TodoWrite", { todos: [{ content: "Caulk the hull", status: "in_progress" }] }, "ok")
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: cannot resolve oakum", { isError: true })
      .happened();
    const work = describeWork(happened);
    expect(work.task).toBe("Caulk the hull");
    expect(work.filesTouched).toEqual(["/p/hull.ts"]);
    expect(work.blockers).toEqual([expect.stringContaining("cannot resolve oakum")]);
    expect(work.phase).not.toBe("");
  });

  it("is where to go on when no work is named, and no error that was resolved", () => {
    const happened = story()
      .asks("Run the build until it passes.")
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: cannot resolve oakum", { isError: true })
      .calls("Bash", { command: "npm run build" }, "built")
      .happened();
    const { task, blockers } = describeWork(happened);
    expect(task).not.toBe("");
    expect(blockers).toEqual([]);
  });

  it("names the failure that stands in the way, and none that was passed over", () => {
    let told = story().asks("Try it.");
    for (const name of ["one", "two", "three"])
      told = told.calls("Bash", { command: `make ${name}` }, `Exit code 2\nerror: no rule for ${name}`, {
        isError: true,
      });
    const { blockers } = describeWork(told.happened());
    expect(blockers).toEqual(["error: no rule for three"]);
  });
});
