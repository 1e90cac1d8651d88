/** If red: the session's line in the log names the wrong work or a commit that was not made. */
import { describe, expect, it } from "vitest";
import { type Story, story } from "../../../test/support/story.ts";
import { summariseSession } from "./summarise-session.ts";
import { toStateSave } from "./to-state-save.ts";

const created = "File created successfully";
const writes = (path: string) => ["Write", { file_path: path, content: "oak" }, created] as const;
const committed = "[main 1a2b3c4] hull\n 1 file changed";

describe("a session in one line", () => {
  it("[R118] names what it began with and what changed most, and claims no file for one of them", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .calls(...writes("/p/hull.txt"))
      .says("Done.")
      .asks("/paint the whole ship white and blue")
      .calls(...writes("/p/a.txt"))
      .calls(...writes("/p/b.txt"))
      .says("Painted.")
      .asks("/why is the mast so short here")
      .says("It is short because oak is dear.");
    expect(summariseSession(session.happened())).toBe(
      '"Make the hull tight before spring.", "/paint the whole ship white and blue" and 1 other request: in all changed hull.txt, a.txt, b.txt',
    );
  });

  it("[R118] tells of a commit only where git made one, and of no number of them", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .calls(...writes("/p/hull.txt"))
      .calls("Bash", { command: "cp pre-commit .git/hooks && git config commit.gpgsign false" }, "ok")
      .calls("Bash", { command: "git commit -m more" }, "nothing to commit, working tree clean")
      .calls("Bash", { command: "git commit -m hangs" }, "Command running in background", {
        detail: { backgroundTaskId: "b1" },
      });
    expect(summariseSession(session.happened())).not.toContain("committed");
    const made = session
      .calls("Bash", { command: "git commit -m hull" }, committed)
      .calls("Bash", { command: "git commit --amend --no-edit" }, committed);
    expect(summariseSession(made.happened())).toMatch(/changed hull\.txt, committed$/);
  });

  it("names no file that is thrown away", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .calls("Task", { description: "Caulk it", prompt: "…" }, "Caulked.")
      .calls(...writes("/tmp/claude/scratchpad/try.txt"))
      .calls(...writes("/p/hull.txt"));
    expect(summariseSession(session.happened())).toMatch(/: changed hull\.txt$/);
  });
});

const blockedBy = (session: Story) =>
  toStateSave(session.happened(), { git: "", isEnd: false })["progress.md"]?.[0]?.fields.Blocked;

describe("what is blocked", () => {
  it("[R119] is nothing that was gone around, and nothing of an earlier request", () => {
    const failing = story()
      .asks("Build it.")
      .calls("Bash", { command: "make all" }, "Exit code 2\nmake: *** [all] Error 1", { isError: true });
    expect(blockedBy(failing)).toBe("- [ ] `make all`: make: *** [all] Error 1");
    const around = failing.calls("Bash", { command: "make all" }, "built");
    expect(blockedBy(around)).toBe("none recorded");
    const moved = failing.says("It does not build.").asks("Leave it. Show me the mast instead.");
    expect(blockedBy(moved)).toBe("none recorded");
  });
});
