/** If red: after a compaction the model works on the wrong task, or believes that nothing is open. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { findContinuation, renderOpenWork } from "./continuation.ts";

const todo = (content: string, status: string) => ({ content, status, activeForm: content });

describe("where the work stands", () => {
  const built = story()
    .asks("Build the boat and its mast.")
    .calls("Write", { file_path: "/p/hull.ts", content: "oak" }, "File created successfully");

  it.each([
    "Next: write the mast.",
    "Remaining: the mast.",
    "The mast is still missing.",
    "TODO: the mast.",
    "I still need to write the mast.",
    "Left to do: the mast.",
    "## Next steps\n\n1. Write the mast.",
    "Outstanding:\n- the mast.",
    "What is left: the mast.",
  ])("[R44][R46][R119] holds what the model ended with: %j", (said) => {
    const { open, next } = findContinuation(built.says(`The hull is tight.\n\n${said}`).happened());
    expect(
      open
        .filter(({ source }) => source === "model")
        .map(({ subject }) => subject)
        .join(),
    ).toContain("mast");
    expect(next.action).toMatch(/^(?:do what the model said|wait for the user; the model said this) is left: .*mast/);
  });

  it("[R44][R48] holds what is left next to a question, too", () => {
    const { open, next } = findContinuation(built.says("Remaining: the mast.\n\nShall I use oak or pine?").happened());
    expect(open.map(({ subject, source }) => `${source}: ${subject}`)).toContain("model: the mast.");
    expect(next.kind).toBe("question");
  });

  it("[R168] leaves an item in progress as the client recorded it, however the turn ended", () => {
    const listed = story()
      .asks("Build the boat.")
      .calls("TodoWrite", { todos: [todo("Plank the hull", "in_progress"), todo("Rig it", "pending")] }, "ok");
    for (const session of [
      listed.says("All done."),
      listed.says("All done.").asks("What is a keel?").says("A beam."),
    ]) {
      const { inProgress, open, next } = findContinuation(session.happened());
      expect(inProgress.map(({ subject, source }) => `${source}: ${subject}`)).toContain("tasks: Plank the hull");
      expect(open.map(({ subject }) => subject)).toContain("Rig it");
      expect(next.kind).not.toBe("nothing");
    }
  });

  it("[R46] names what else is open next to what it says to do", () => {
    const listed = story()
      .asks("Build the boat.")
      .calls("TodoWrite", { todos: ["Rig it", "Paint it"].map((content) => todo(content, "pending")) }, "ok")
      .says("The hull is tight.");
    expect(findContinuation(listed.happened()).next.action).toMatch(/; open on the list: "Rig it", "Paint it"$/);
    const left = built.says("The hull is tight.\n\n## Next steps\n\n1. Write the mast.\n2. Write the sail.");
    expect(findContinuation(left.happened()).next.action).toMatch(/left: "Write the mast\."; then "Write the sail\."/);
  });

  it("holds what failed in a shell until it went well, and nothing of a tool that cannot be run again", () => {
    const failing = built
      .calls("mcp__tide__ask", { port: "north" }, "the tide table is torn", { isError: true })
      .calls("Bash", { command: "make hull" }, "Exit code 2\nno planks left in the yard", { isError: true });
    const attempts = (session: typeof failing) =>
      findContinuation(session.happened()).errors.map(({ attempt }) => attempt);
    expect(attempts(failing)).toEqual(["make hull"]);
    expect(attempts(failing.calls("Bash", { command: "make hull" }, "built"))).toEqual([]);
  });

  it("[R36] takes the person's last task, not the last thing that they typed", () => {
    const { task } = findContinuation(built.asks("stop caveman").says("Done.").happened());
    expect(task).toBe("Build the boat and its mast.");
  });

  it("names who said of each open item that it is open", () => {
    expect(renderOpenWork(built.says("Remaining: the mast").happened())).toBe(
      'next: do what the model said is left: "the mast"\n- open: the mast (the model said so)',
    );
  });

  it("never says that nothing is open where something is", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const { open, next, blocked, closed } = findContinuation(happened);
        if (next.kind === "nothing" || next.kind === "ended") expect([...open, ...blocked]).toEqual([]);
        if (["task", "announced", "failure", "prompt"].includes(next.kind)) expect(open).not.toEqual([]);
        const ids = new Set(open.map(({ id }) => id));
        expect(closed.filter(({ id }) => ids.has(id))).toEqual([]);
        for (const { id, status } of happened.state.work)
          if (status === "active" || status === "open") expect(ids).toContain(id);
      }),
    );
  });
});
