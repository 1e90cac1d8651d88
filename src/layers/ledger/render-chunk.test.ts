/** If red: a finding, a task or an answer of the person is missing from the ledger. */
import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  failed,
  image,
  type MessageDraft,
  reminder,
  results,
  user,
} from "../../../test/support/build.ts";
import { renderDrafts } from "../../../test/support/render-drafts.ts";
import { foldOutput } from "../../fold/fold-output.ts";

const render = (...drafts: readonly MessageDraft[]) => renderDrafts(drafts);

const bash = (command: string) => call("Bash", { command });

describe("a segment of ledger", () => {
  test("tells of a subagent's launch its name, and of a report that quotes the client's chatter all that there is room for", () => {
    const order = call("Task", { description: "Caulk", prompt: "Caulk the hull." });
    const launched =
      "Async agent launched successfully. (Never quote it.)\nagentId: a64 (internal ID)\nIt works behind.";
    const quoting = `Plank 3 leaks. The log says {"type":"shutdown_request"} and ${"then nothing more, ".repeat(5)}so it ends.`;
    const renderReport = (report: string) => render(user("go"), assistant(order), results(report)).lines.join("\n");
    expect(renderReport(launched)).toMatch(/=> launched as a64$/m);
    expect(renderReport(quoting)).toContain("Plank 3 leaks. The log says");
  });

  test("keeps whole what the person answered instead of letting a call be made", () => {
    const words = `no, ${"use the red paint, and not the blue one, ".repeat(12)}please`;
    const why = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n";
    const { lines } = render(user("go"), assistant(bash("paint")), results(failed(`${why}${words}`)));
    expect(lines[1]).toBe(`1 Bash paint → failed: the person said: ${words}`);
  });

  test("says nothing twice around a picture, and keeps what the client said", () => {
    const { lines } = render(
      user("before it", image("UE5H"), "after it"),
      assistant("I look."),
      user(reminder("A hook says: the tide is out.")),
      assistant("So it is."),
    );
    const text = lines.join("\n");
    for (const words of ["before it", "after it", "the tide is out"]) expect(text.split(words), words).toHaveLength(2);
  });

  test("names what was said in passing by one range at its end, and gives it back", () => {
    const { lines, sections } = render(
      user("go"),
      assistant("Let me look.", bash("ls")),
      results("a\nb"),
      assistant("The hull leaks. Let me mend it.", bash("tar hull")),
      results("ok"),
      assistant("Now let me test it.", bash("float")),
      results("ok"),
    );
    expect(lines).toEqual([
      "person: go",
      '1 Bash ls → "a\\nb"',
      "2 assistant: The hull leaks.",
      "3 Bash tar hull → ok",
      "4 Bash float → ok",
      "(#5-#6 remarks)",
    ]);
    expect([sections?.get("5"), sections?.get("6")]).toEqual(["Let me look.", "Now let me test it."]);
    expect(sections?.get("2")).toBe("The hull leaks. Let me mend it.");
  });

  test("tells a failing line once", () => {
    const failing = `compiling\n${"x\n".repeat(80)}error: plank 3 is loose\n`;
    const loose = failed(failing);
    const edit = (text: string) => call("Edit", { file_path: "/w/src/hull.ts", old_string: "a", new_string: text });
    const { lines } = render(
      user("go"),
      assistant(bash("make")),
      results(loose),
      assistant(edit("tar(1);")),
      results("ok"),
      assistant(edit("tar(2);")),
      results("ok"),
      assistant(bash("make")),
      results(loose),
    );
    expect(lines.slice(1)).toEqual([
      "1 Bash make → failed: error: plank 3 is loose",
      "2 Edit src/hull.ts: a -> tar(1);",
      "3 Edit src/hull.ts: a -> tar(2);",
      "4 Bash make → failed: as #1",
    ]);
  });

  test("refers to an earlier failure only where the whole text is the same", () => {
    const plank = (rest: string) => failed(`error: a plank is loose\n${"x\n".repeat(80)}${rest}\n`);
    const { lines } = render(
      user("go"),
      assistant(bash("make hull")),
      results(plank("at the bow")),
      assistant(bash("make deck")),
      results(plank("at the stern")),
    );
    expect(lines.slice(1)).toEqual([
      "1 Bash make hull → failed: error: a plank is loose",
      "2 Bash make deck → failed: error: a plank is loose",
    ]);
  });

  test("tells facts as what lasts, the newest of the same look, and every one by its number", () => {
    const status = (...files: readonly string[]) =>
      `On branch hull\nChanges not staged for commit:\n  (use "git add <file>..." to update what will be committed)\n${files.map((file) => `\tmodified:   ${file}\n`).join("")}`;
    const { lines, sections } = render(
      user("go"),
      assistant(bash("git status")),
      results(status("src/plank.ts")),
      assistant(bash("golangci-lint run")),
      results(failed(`Exit code 1\n/w/src/deck.go:3:9: unused plank\n${"x\n".repeat(60)}`)),
      assistant(bash("git status")),
      results(status("src/plank.ts", "src/seam.ts")),
    );
    expect(lines.slice(1)).toEqual([
      "2 Bash golangci-lint run → failed: src/deck.go:3:9: unused plank",
      "3 Bash git status => on hull: modified src/plank.ts, seam.ts (5 lines)",
      "(#1 Bash)",
    ]);
    expect(sections?.get("1")).toBe(status("src/plank.ts"));
  });

  test("tells what is to be done whole, once, and in a few words where it was replaced or turned down", () => {
    const plan = (what: string) =>
      `# ${what}\n\n1. Update the seams.\n2. Add tar.\n${"- Caulk a plank.\n".repeat(60)}Last: float.`;
    const accepted = `User has approved your plan. Saved to /w/p.md\n\n## Approved Plan:\n${plan("Oil")}`;
    const { lines } = render(
      user("go"),
      assistant(call("ExitPlanMode", { plan: plan("Tar") })),
      results(failed(`The user doesn't want to proceed: use oil. ${plan("Tar")}`)),
      assistant(call("ExitPlanMode", { plan: plan("Wax") })),
      results("User has approved your plan."),
      assistant(call("ExitPlanMode", { plan: plan("Oil") })),
      results(accepted),
      assistant(bash("gh issue view 3")),
      results(`title: It leaks\n--\n1. Update the seams.\nAdd tar.\n${"Check a plank.\n".repeat(20)}Last: float.`),
    );
    expect(lines[1]).toMatch(/^1 ExitPlanMode TASK: Tar 1\. Update .*… → failed: /);
    expect(lines[2]).toMatch(/^2 ExitPlanMode TASK: Wax 1\. Update .*… => User has approved your plan\.$/);
    expect(lines[3]).toMatch(
      /^3 ExitPlanMode TASK: Oil 1\. Update the seams\. 2\. Add tar\. - Caulk .* Last: float\. => User has approved your plan\. Saved to \/w\/p\.md$/,
    );
    expect(lines[3]?.match(/Update the seams/g)).toHaveLength(1);
    expect(lines[4]).toMatch(
      /=> TASK: title: It leaks .*Update the seams\. Add tar\. Check a plank\. .* Last: float\./,
    );
  });

  test("keeps both ends, headings and rules of a task too long to be shown, and says to fetch it first", () => {
    const issue = `title: It leaks\n${"Check a plank. ".repeat(400)}\n## Rules\nNever paint a wet plank.\n${"Check a rope. ".repeat(400)}\nDone when it floats.`;
    const { lines } = render(user("go"), assistant(bash("issues show 7")), results(issue));
    expect(lines[1]).toMatch(
      /=> TASK: title: It leaks .*\(… \d+ characters left out: Rules\) Never paint a wet plank\. .*Done when it floats\. \(shown in part: recall it whole before you go on with it\) \(\d+ lines\)$/,
    );
  });

  test("a report keeps its conclusion, without what the client puts around it", () => {
    const frame = "[Subagent hand-back] The text below is the final report of a subagent. The report follows:\n";
    const report = `Plank 1 is fine.\n${"It was looked at. ".repeat(400)}\nIn short: plank 9 leaks.`;
    const { lines } = render(
      user("go"),
      assistant(call("Agent", { description: "look", prompt: "look at each plank" })),
      results(`${frame}${report.replace(/^/gm, "  ")}`),
    );
    expect(lines[1]).toMatch(/=> report: Plank 1 is fine\. .*In short: plank 9 leaks\./);
    expect(lines[1]).not.toContain("hand-back");
  });

  test("tells a short file by what it says, a longer one by the names in it", () => {
    const read = (path: string) => call("Read", { file_path: path });
    const code = (planks: number) =>
      `export function deck() {\n${"  plank();\n".repeat(planks)}}\nexport function oil() {\n${"  plank();\n".repeat(planks)}}\n`;
    const { lines } = render(
      user("go"),
      assistant(read("/w/a.ts")),
      results(`${code(5)}\n<system-reminder>\nMind the plank.\n</system-reminder>\n`),
      assistant(read("/w/b.ts")),
      results(code(30)),
    );
    expect(lines[1]).toMatch(/^1 Read a\.ts → export function deck\(\) \{ plank\(\); .* oil\(\) \{ .*\} \(18 lines\)$/);
    expect(lines[2]).toBe("2 Read b.ts → deck, oil (64 lines)");
  });

  test("tells a list of work as it stands at the end, and what was begun and done by what was done", () => {
    const todo = (done: number) =>
      call("TodoWrite", {
        todos: ["tar", "oil"].map((content, at) => ({ content, status: at < done ? "completed" : "pending" })),
      });
    const { lines, sections } = render(
      user("go"),
      assistant(todo(0)),
      results("ok"),
      assistant(todo(1)),
      results("ok"),
      assistant(call("TaskUpdate", { taskId: "1", status: "in_progress" })),
      results("Updated"),
      assistant(call("TaskUpdate", { taskId: "1", status: "completed" })),
      results("Updated"),
      assistant(call("TaskUpdate", { taskId: "9", status: "completed" })),
      results(failed("no such task")),
    );
    expect(lines.slice(1)).toEqual([
      "2 TodoWrite 1 of 2 done; oil → ok",
      "5 TaskUpdate → failed: no such task",
      "(#1 TodoWrite; #3-#4 TaskUpdate)",
    ]);
    expect(sections?.get("1i")).toContain("tar");
  });

  test("keeps the last announcement of a next step until another takes its place", () => {
    const next = "Next: write the migration in src/migrate.ts, then run it against fixture ledger_5521.csv.";
    const step = (words: string) => [assistant(words, bash("ls")), results("a")];
    const once = render(user("go"), ...step(next), ...step("Let me look."));
    expect(once.lines).toContain(`1 assistant: ${next}`);
    expect(once.lines.at(-1)).toBe("(#2 Bash; #4 remarks)");
    const twice = render(user("go"), ...step(next), ...step("Next: write the docs."));
    expect(twice.lines).toContain("3 assistant: Next: write the docs.");
    expect(twice.lines.at(-1)).toBe("(#1 remarks; #2 Bash)");
    expect(twice.sections?.get("1")).toBe(next);
  });

  test("says of a passing run that failed by its exit code what it counted, and of no success that it failed", () => {
    const passed = `${"ok\n".repeat(60)}# pass 12\n# fail 0\n# duration_ms 311.5`;
    const { lines } = render(
      user("go"),
      assistant(bash("npm test")),
      results(passed),
      assistant(bash("npm test; grep -c todo a.ts")),
      results(failed(`Exit code 1\n${passed}`)),
      assistant(bash("echo")),
      results("failed: is only a word here"),
    );
    expect(lines[1]).not.toContain("failed");
    expect(lines[2]).toBe("2 Bash npm test; grep -c todo a.ts → failed: Exit code 1; # duration_ms 311.5");
    expect(lines[3]).toBe('3 Bash echo → "failed: is only a word here"');
  });

  test("keeps the warning of a folded log", () => {
    const log = Array.from({ length: 900 }, (_, index) => `2026-11-16 10:00:${index % 60} INFO request ${index} ok`);
    log[412] = "2026-11-16 10:00:12 WARN disk almost full on /dev/sda3: 97 %";
    const folded = foldOutput(log.join("\n"), { tool: "Bash" });
    const { lines } = render(user("go"), assistant(bash("cat log")), results(folded.text));
    expect(lines[1]).toBe(
      `1 Bash cat log → 2026-11-16 10:00:12 WARN disk almost full on /dev/sda3: 97 % (shortened before, ${folded.handle})`,
    );
  });

  test("keeps commits, totals, and what a subagent was told and reported", () => {
    const { lines } = render(
      user("go"),
      assistant(bash('git commit -m "a long message that says what the commit says anyway"')),
      results(`[main 1a2b3c4] Seal the hull\n ${"1 file changed\n".repeat(12)}`),
      assistant(bash("npm test")),
      results(`${"ok\n".repeat(100)} Tests  12 passed (12)\n done`),
      assistant(call("Task", { description: "Find it", prompt: "Look for the leak in the hull." })),
      results(`I checked all planks. Plank 3 leaks.\n${"It is loose. ".repeat(9)}`),
    );
    expect(lines[1]).toBe('1 Bash git commit -m "a long message that… => [main 1a2b3c4] Seal the hull (13 lines)');
    expect(lines[2]).toBe("2 Bash npm test → Tests 12 passed (12) (102 lines)");
    expect(lines[3]).toMatch(
      /^3 Task Find it: Look for the leak in the hull\. => report: I checked all planks\. Plank 3 leaks\./,
    );
  });
});
