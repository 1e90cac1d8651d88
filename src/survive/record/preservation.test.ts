/** If red: the block for the summariser exceeds its limits or misses errors and tasks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { type Story, story } from "../../../test/support/story.ts";
import { type PreservationInput, renderPreservation } from "./preservation.ts";

const preserve = (session: Story, more: Partial<PreservationInput> = {}): string =>
  renderPreservation({ happened: session.happened(), root: "", trigger: "auto", summaries: [], ...more });

const repeat = (count: number, step: (session: Story, index: number) => Story, from = story()): Story =>
  Array.from({ length: count }, (_, index) => index).reduce(step, from);

/** The bullets under a heading. */
const listUnder = (block: string, heading: string): readonly string[] => {
  const lines = block.split("\n");
  const from = lines.findIndex((line) => line.startsWith(heading)) + 1;
  return from === 0 ? [] : lines.slice(from, lines.indexOf("", from));
};

const createTask = (session: Story, id: number, subject: string): Story =>
  session.calls("TaskCreate", { subject }, `Task #${id} created successfully: ${subject}`, {
    detail: { task: { id: String(id), subject } },
  });

describe("the preservation block", () => {
  it("[R166][R167][R176][R177] is laid out so, byte for byte", () => {
    const session = createTask(story(), 1, "Fix context manager transcript key bug")
      .calls("Write", { file_path: "/tests/test_auth.py", content: "x" }, "ok")
      .calls("Edit", { file_path: "/src/auth/oauth2.py", old_string: "a", new_string: "b" }, "ok")
      .says("I decided to use PKCE flow because public clients keep no secret.")
      .calls(
        "Bash",
        { command: "pytest tests/" },
        "Exit code 1\nFAILED tests/test_auth.py - AssertionError: expected 200 got 401",
        { isError: true },
      );
    const block = preserve(session, {
      trigger: "manual",
      summaries: [
        {
          subject: "Implement OAuth2 login flow",
          files_modified: ["src/auth/oauth2.py", "src/middleware/auth.py"],
          key_outcomes: ["decided to use PKCE flow for public clients", "changed JWT algorithm from RS256 to HS256"],
          errors_resolved: ["AssertionError: JWT signature invalid"],
        },
      ],
    });
    expect(block).toBe(`═══ COMPACTION PRESERVATION INSTRUCTIONS ═══
Trigger: manual
The following context MUST be preserved verbatim:

📋 ACTIVE / IN-PROGRESS TASKS:
  • Fix context manager transcript key bug

📝 FILES MODIFIED THIS SESSION:
  • /src/auth/oauth2.py
  • /tests/test_auth.py

🧪 TEST COMMANDS RUN:
  • pytest tests/

🧠 KEY DECISIONS MADE:
  • I decided to use PKCE flow because public clients keep no secret.

⚠️ RECENT ERRORS:
  • \`pytest tests/\` → FAILED tests/test_auth.py - AssertionError: expected 200 got 401

📦 GIT DIFF STAT:
  /src/auth/oauth2.py | 2 +-
  /tests/test_auth.py | 1 +
  2 files changed, 2 insertions(+), 1 deletion(-), by this session's edits since its last commit

📁 PRE-COMPUTED TASK SUMMARIES (use verbatim — already compressed):
  ▸ Task: Implement OAuth2 login flow
    Files: src/auth/oauth2.py, src/middleware/auth.py
    → decided to use PKCE flow for public clients
    → changed JWT algorithm from RS256 to HS256
    ⚠ AssertionError: JWT signature invalid

➡️ NEXT STEP:
  • Next, at this point: make \`pytest tests/\` pass: FAILED tests/test_auth.py - AssertionError: expected 200 got 401; the last change was at /src/auth/oauth2.py

COMPACTION RULES:
  1. Include ALL active/in-progress tasks with their current status
  2. Include the complete modified files list
  3. Preserve all key decisions — these explain WHY things were done
  4. Note any unresolved errors so work can resume correctly
  5. Keep the git diff summary so the state of changes is clear
  6. For PRE-COMPUTED SUMMARIES: use them verbatim, do not re-summarize
  7. Preserve next steps and in-progress work state
  8. Do NOT discard any pending/in-progress task context
════════════════════════════════════════════`);
  });

  it("[R176] leaves empty sections out", () => {
    expect(preserve(story())).not.toMatch(/📋|📝|🧪|🧠|⚠|📦|📁/u);
    expect(preserve(story()).split("\n").slice(0, 5)).toEqual([
      "═══ COMPACTION PRESERVATION INSTRUCTIONS ═══",
      "Trigger: auto",
      "The following context MUST be preserved verbatim:",
      "",
      "COMPACTION RULES:",
    ]);
  });

  it("[R168][R175] names ten tasks at most, those in progress first, and none that are done", () => {
    const made = repeat(15, (session, index) => createTask(session, index + 1, `task ${index + 1}`));
    const moved = made
      .calls("TaskUpdate", { taskId: "14", status: "in_progress" }, "ok")
      .calls("TaskUpdate", { taskId: "1", status: "completed" }, "ok");
    const tasks = listUnder(preserve(moved), "📋");
    expect(tasks.length).toBe(10);
    expect(tasks[0]).toBe("  • task 14");
    expect(tasks).not.toContain("  • task 1");
  });

  it("[R169] names twenty modified files at most, the last touched first", () => {
    const write = (session: Story, path: string): Story =>
      session.calls("Write", { file_path: path, content: "x" }, "ok");
    const reported = write(
      repeat(25, (so, index) => write(so, `/p/${index}.ts`)),
      "/p/3.ts",
    ).calls("Read", { file_path: "/p/read.ts" }, "x");
    const files = listUnder(preserve(reported), "📝");
    expect(files.length).toBe(20);
    expect(files.slice(0, 2)).toEqual(["  • /p/3.ts", "  • /p/24.ts"]);
  });

  it("[R170] names five test commands at most, each once, of 80 characters", () => {
    const session = repeat(7, (so, index) =>
      so.calls("Bash", { command: `npm test -- part-${index} ${"x".repeat(90)}` }, "1 passed"),
    )
      .calls("Bash", { command: "npm test" }, "1 passed")
      .calls("Bash", { command: "npm test" }, "1 passed")
      .calls("Bash", { command: "ls" }, "a");
    const tests = listUnder(preserve(session), "🧪");
    expect(tests.length).toBe(5);
    expect(tests[0]).toBe("  • npm test");
    for (const test of tests) expect(test.length).toBeLessThanOrEqual("  • ".length + 80);
  });

  it("[R171] names fifteen decisions at most, the newest first", () => {
    const session = repeat(20, (so, index) => so.says(`I decided to use plan ${index} because it is simpler.`));
    const decisions = listUnder(preserve(session), "🧠");
    expect(decisions.length).toBe(15);
    expect(decisions[0]).toContain("plan 19");
  });

  it("[R172] names eight recent errors of commands at most, as command and line", () => {
    const session = repeat(12, (so, index) =>
      so.calls("Bash", { command: `make part-${index}` }, `Exit code 2\nError: broken part ${index}`, {
        isError: true,
      }),
    ).calls("Read", { file_path: "/p/none.ts" }, "File does not exist.", { isError: true });
    const errors = listUnder(preserve(session), "⚠️");
    expect(errors.length).toBe(8);
    expect(errors[0]).toBe("  • `make part-11` → Error: broken part 11");
  });

  it("[R172] [R185] names an error that was fixed with its fix, then those that nothing has settled", () => {
    const fails = { isError: true };
    const session = story()
      .calls("Bash", { command: "make sail" }, "Exit code 2\nError: no flax", fails)
      .calls("Bash", { command: "make mast" }, "Exit code 2\nError: no pine", fails)
      .calls("Edit", { file_path: "/p/mast.ts", old_string: "a", new_string: "b" }, "The file has been updated.")
      .calls("Bash", { command: "make mast" }, "built")
      .calls("Bash", { command: "make hull" }, "Exit code 2\nError: no oak", fails);
    // Work went on past the sail.
    expect(listUnder(preserve(session), "⚠️")).toEqual([
      "  • `make mast` → Error: no pine — fixed by changing mast.ts",
      "  • `make hull` → Error: no oak",
    ]);
  });

  it("[R173] gives what was edited since the last commit in the form of git's statistics", () => {
    const edited = story()
      .calls("Edit", { file_path: "/p/done.ts", old_string: "a", new_string: "b" }, "The file has been updated.")
      .calls("Bash", { command: "git commit -am first" }, "[main 1a2b3c4] first\n 1 file changed")
      .calls("Write", { file_path: "/p/src/new.ts", content: "one\ntwo\nthree\n" }, "File created")
      .calls("Edit", { file_path: "/p/a.ts", old_string: "x\nsame", new_string: "y\nz\nsame" }, "updated")
      .calls("MultiEdit", { file_path: "/p/a.ts", edits: [{ old_string: "p\nq", new_string: "" }] }, "updated")
      .calls("Edit", { file_path: "/p/failed.ts", old_string: "a", new_string: "b" }, "no match", { isError: true })
      .calls("NotebookEdit", { notebook_path: "/p/b.ipynb" }, "updated")
      .calls("Edit", { file_path: "/elsewhere/c.ts", old_string: "a", new_string: "b" }, "updated");
    expect(listUnder(preserve(edited, { root: "/p" }), "📦")).toEqual([
      "  a.ts | 5 ++---",
      "  b.ipynb | edited",
      "  src/new.ts | 3 +++",
      "  3 files changed, 5 insertions(+), 3 deletions(-), by this session's edits since its last commit",
    ]);
    const committed = edited.calls("Bash", { command: "git commit -am second" }, "[main 1a2b3c5] second");
    expect(preserve(committed, { root: "/p" })).not.toContain("📦");
  });

  it("[R173] gives the diff whole, and its total even where the files had to go", () => {
    const many = (count: number): Story =>
      repeat(count, (session, index) => {
        const input = { file_path: `/p/some/folder/file-${index}.ts`, content: "one\n".repeat(index) };
        return session.calls("Write", input, "created");
      });
    const short = listUnder(preserve(many(50)), "📦");
    expect(short.length).toBe(51);
    // Bars become shorter together, so the longest line is bounded.
    expect(Math.max(...short.map((line) => line.length))).toBeLessThan(100);
    expect(listUnder(preserve(many(400)), "📦").slice(-2)).toEqual([
      expect.stringMatching(/… \d+ more left out/),
      expect.stringContaining("  400 files changed, "),
    ]);
  });

  it("[R174][R176] gives five files, three outcomes and two errors of every summary", () => {
    const many = (what: string): readonly string[] => Array.from({ length: 9 }, (_, index) => `${what}${index}`);
    const summaries = [
      { subject: "Build it", files_modified: many("f"), key_outcomes: many("o"), errors_resolved: many("e") },
    ];
    expect(listUnder(preserve(story(), { summaries }), "📁")).toEqual([
      "  ▸ Task: Build it",
      "    Files: f0, f1, f2, f3, f4",
      "    → o0",
      "    → o1",
      "    → o2",
      "    ⚠ e0",
      "    ⚠ e1",
    ]);
  });

  it("cuts summaries before tasks, and says so", () => {
    const session = repeat(10, (so, index) => createTask(so, index + 1, `task ${index} ${"x".repeat(200)}`));
    const summaries = Array.from({ length: 200 }, (_, index) => ({
      subject: `old task ${index} ${"y".repeat(100)}`,
      files_modified: [],
      key_outcomes: [],
      errors_resolved: [],
    }));
    const block = preserve(session, { summaries });
    expect(listUnder(block, "📋").length).toBe(10);
    expect(listUnder(block, "📁").at(-1)).toMatch(/^ {2}… \d+ more left out \(limit 10000 characters\)$/);
  });

  it("carries what the person asked last, whole, and what they said once and for all", () => {
    const session = story()
      .asks("Never push to main without asking.\nSet up the harbour.")
      .says("Done.")
      .asks("Now round every fee\nto whole cents.");
    expect(listUnder(preserve(session), "🎯 THE USER'S WORDS:")).toEqual([
      '  • Before this point the user asked last: "Now round every fee to whole cents."',
    ]);
    expect(listUnder(preserve(session), "📌 THE USER'S STANDING RULES:")).toEqual([
      '  • "Never push to main without asking."',
    ]);
  });

  it("has its eight rules and stays within 10,000 characters, whatever happened", () => {
    const arbitraryLines = fc.array(fc.string({ maxLength: 400 }), { maxLength: 60 });
    fc.assert(
      fc.property(arbitraryHappened, arbitraryLines, (happened, lines) => {
        const summaries = lines.map((subject) => ({
          subject,
          files_modified: lines,
          key_outcomes: lines,
          errors_resolved: lines,
        }));
        const block = renderPreservation({
          happened,
          root: "",
          trigger: "auto",
          summaries,
        });
        expect(block.length).toBeLessThanOrEqual(10_000);
        expect(block.match(/^ {2}[1-8]\. /gm)?.length).toBe(8);
        expect(block.endsWith("═")).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
