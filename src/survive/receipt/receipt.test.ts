/** If red: the receipt claims that a repair arrived which the model never saw. */
import { describe, expect, it } from "vitest";
import { diffSummary } from "./diff-summary.ts";
import { type Fact, IMPORTANCE } from "./fact.ts";
import { checkLanded, planRepair } from "./plan-repair.ts";
import { createReceipt, renderReceipt } from "./receipt.ts";

const constraint: Fact = {
  kind: "constraint",
  importance: IMPORTANCE.constraint,
  text: 'The user said: "Never touch the migrations folder."',
  request: 4,
  sentence: "Never touch the migrations folder.",
};
const task: Fact = {
  kind: "task",
  importance: IMPORTANCE.doneWork,
  text: "Task, done: Round the invoice total",
  request: 7,
  subject: "Round the invoice total",
  status: "done",
};
const diff = diffSummary("Pending Tasks:\n- Round the invoice total", [constraint, task]);
const repair = planRepair(diff);

describe("the receipt of a compaction", () => {
  it("[R184] says landed only where every line of the repair is seen later", () => {
    expect(checkLanded(repair, `hook output:\n  ${repair.text.replaceAll("\n", "\n  ")}\nmore`)).toEqual({
      status: "landed",
    });
    expect(checkLanded(repair, repair.text.split("\n").slice(0, 2).join("\n"))).toEqual({
      status: "missing",
      missing: [task],
    });
    expect(checkLanded(repair, "")).toMatchObject({ status: "missing", missing: [constraint, task] });
  });

  it("says missing of a fact that has no line of its own where the lines that state it did not arrive", () => {
    const file: Fact = {
      kind: "file",
      importance: IMPORTANCE.changedFile,
      text: "File changed: src/invoice.ts",
      request: 5,
      path: "src/invoice.ts",
      isUnique: true,
      isChanged: true,
    };
    const repair = { repaired: [{ fact: file, line: "" }] };
    expect(checkLanded(repair, "nothing of it")).toEqual({ status: "missing", missing: [file] });
    expect(checkLanded(repair, "Next: go on in src/invoice.ts")).toEqual({ status: "landed" });
  });

  it("is plain data that tells what was lost, what was injected and whether it landed", () => {
    const receipt = createReceipt(diff, repair, checkLanded(repair, repair.text));
    expect(receipt).toMatchObject({ held: 0, paraphrased: 0, landing: "landed", injected: repair.text });
    expect(receipt.lost.map(({ kind, mark, repair: state }) => [kind, mark, state])).toEqual([
      ["constraint", undefined, "landed"],
      ["task", "wrong status", "landed"],
    ]);
    expect(createReceipt(diff, repair).landing).toBe("unchecked");
    expect(createReceipt(diff, planRepair(diff, 0)).lost.map((entry) => entry.repair)).toEqual([
      "left out",
      "left out",
    ]);
  });

  it("reads in lines", () => {
    expect(renderReceipt(createReceipt(diff, repair))).toMatchInlineSnapshot(`
      "2 of 2 facts lost, 0 kept, 0 paraphrased
        lost: The user said: "Never touch the migrations folder." (injected, request 4)
        lost: Task, done: Round the invoice total (wrong status, injected, request 7)
      repair of 224 characters: not yet seen in a request

      [restored from this session's record, request 7: the summary above left this out or got it wrong]
      - The user said: "Never touch the migrations folder."
      - Task, done: Round the invoice total (the summary has the wrong status)"
    `);
  });
});
