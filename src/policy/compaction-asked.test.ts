/** If red: the text after a compaction leaves out the record, notes or files that the model needs. */
import { describe, expect, it } from "vitest";
import { story } from "../../test/support/story.ts";
import { toSegments } from "../layers/ledger/render-chunk.ts";
import { renderCompactionRecord } from "./compaction-asked.ts";

const happened = story().asks("Paint the hull.").calls("Bash", { command: "ls" }, "hull\n").happened();
const terms = { ledger: [], tail: "", hasTail: false, root: "/p", recallTool: "recall", transcript: "" };

describe("the text of a compaction", () => {
  it("holds what the person asked to keep in mind, and the path of the whole conversation, where there are any", () => {
    const asked = renderCompactionRecord(happened, { ...terms, instructions: "the anchor", transcript: "/t/s.jsonl" });
    expect(asked).toContain('The user asked to keep in mind: "the anchor"');
    expect(asked).toContain("The whole conversation stays, word for word, in /t/s.jsonl.");
    const bare = renderCompactionRecord(happened, terms);
    expect(bare).not.toContain("keep in mind");
    expect(bare).not.toContain("The whole conversation stays");
  });

  it("leaves an older to-do list out of the ledger where the record or what is kept has a newer one", () => {
    const lines = [
      "[LEDGER: 2 earlier exchanges in brief; recall plimsoll:58d30101d015#N gives line N whole]",
      "1 TodoWrite 1 of 3 done; now Caulk the hull; Paint it",
      '2 Bash ls → "hull"',
    ];
    const given = { ...terms, ledger: toSegments(`\n${lines.join("\n")}`) };
    expect(renderCompactionRecord(happened, given)).toContain("\n1 TodoWrite 1 of 3 done; now Caulk");
    const newer = [
      renderCompactionRecord(happened, { ...given, hasNewerList: true }),
      renderCompactionRecord(
        story()
          .asks("Paint the hull.")
          .calls("TodoWrite", { todos: [{ content: "Paint it", status: "in_progress" }] }, "ok")
          .happened(),
        given,
      ),
    ];
    for (const record of newer) {
      expect(record).not.toContain("1 of 3 done");
      expect(record).toContain("\n(#1)\n2 Bash ls");
    }
  });

  it("[R208] names the files in which large results are stored, the newest three by path", () => {
    const paths = ["d", "c", "b", "a"].map((name) => `.plimsoll/artifacts/artifact-${name}-bash.md`);
    const record = renderCompactionRecord(happened, { ...terms, artifacts: paths });
    expect(record).toContain(`the newest first: ${paths.slice(0, 3).join(", ")}, and 1 more in the same folder.`);
    expect(renderCompactionRecord(happened, { ...terms, artifacts: paths.slice(0, 1) })).toContain(`: ${paths[0]}.`);
    expect(renderCompactionRecord(happened, terms)).not.toContain("stored as files");
  });

  it("says where the instructions of the command are that the person started, of its last run, and only of that", () => {
    const lines = [
      "[LEDGER: 4 earlier exchanges in brief; recall plimsoll:58d30101d015#N gives line N whole]",
      "note: /deploy",
      "2 note: First run the tests, then …",
      "3 note: /deploy",
      "4 note: First run the tests, then …",
      "assistant: Done.",
      "6 note: Something else …",
    ];
    const record = (prompt: string, ledger: readonly string[]) =>
      renderCompactionRecord(story().asks(prompt).calls("Bash", { command: "ls" }, "hull\n").happened(), {
        ...terms,
        ledger: toSegments(`\n${ledger.join("\n")}`),
      });
    expect(record("/deploy", lines)).toContain(
      "The instructions of /deploy are no longer in view. If you are still following them, fetch them first: plimsoll:58d30101d015#4\n",
    );
    expect(record("/review", lines)).not.toContain("no longer in view");
    expect(record("Deploy it.", lines)).not.toContain("no longer in view");
    // Whole in the ledger, or behind no handle.
    expect(record("/deploy", [...lines.slice(0, 2), "note: Run the tests."])).not.toContain("no longer in view");
    expect(record("/deploy", ["[LEDGER: 4 earlier exchanges in brief]", ...lines.slice(1)])).not.toContain("no longer");
  });

  it("holds a model's own note, rules and finished tasks behind the record, each where there is one", () => {
    const whole = renderCompactionRecord(happened, { ...terms, note: "P", standing: "S", finished: "F" });
    const bare = renderCompactionRecord(happened, terms);
    expect(whole).toBe(`${bare}\n\nP\n\nF\n\nS`);
  });

  it("says that the last messages follow only where they do", () => {
    const closing = "What was said last follows word for word.";
    expect(renderCompactionRecord(happened, { ...terms, hasTail: true })).toContain(closing);
    expect(renderCompactionRecord(happened, terms)).not.toContain(closing);
  });
});
