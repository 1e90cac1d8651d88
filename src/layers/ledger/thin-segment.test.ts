/** If red: an old segment loses the person's words or what was found as it grows thin. */
import { describe, expect, test } from "vitest";
import type { Block, Message } from "../../core/message.ts";
import { parseEntries, renderHeading } from "./ledger-text.ts";
import { countCollapsed, hasTask, type ThinLevel, type Thinning, thinSegment } from "./thin-segment.ts";

const LENGTHS: Thinning = { oldWordsCharacters: 120, isReplaced: false, level: 1 };

function segment(...texts: readonly string[]): Message {
  const blocks = texts.map((text, index): Block => ({ kind: "text", id: `ledger:x:0:${index}`, text, author: "host" }));
  return { id: "ledger:x:0", role: "user", blocks };
}

function thin(...lines: readonly string[]): readonly string[] {
  const [block] = thinSegment(segment(lines.join("\n")), LENGTHS).blocks;
  return block?.kind === "text" ? block.text.split("\n") : [];
}

describe("thinning a segment of ledger", () => {
  test("what was only looked at goes, and the numbers of the rest stay", () => {
    expect(
      thin(
        renderHeading(7, "plimsoll:0123456789ab"),
        "1 Read a.ts → (30 lines)",
        "2 Edit a.ts: let x",
        "assistant: done",
        "3 Bash make → failed: no rule",
        "4 note: a reminder (900 chars)",
        "5 Bash cat b → shortened before, plimsoll:0123456789ac",
        "6 Read src/b.ts:1-9 → (9 lines)",
        "7 Read src/b.ts:9-12 → (3 lines)",
        "8 Bash cd /w && ls -l 2>&1 → failed: no such file",
        "9 Bash git commit => [main 1a2b3c4] x",
        "(#10-#12)",
        "13 Read src/a.ts → (9 lines)",
        "14 Read src/b.ts → (9 lines)",
        "15 TodoWrite 1 of 3 done; now tar; oil → ok",
        "16 Read src/b.ts → (9 lines)",
      ),
    ).toEqual([
      renderHeading(7, "plimsoll:0123456789ab"),
      "(#1 Read a.ts)",
      "2 Edit a.ts: let x",
      "assistant: done",
      "3 Bash make → failed: no rule",
      "(#4 note a reminder 900 chars)",
      "5 Bash cat b → shortened before, plimsoll:0123456789ac",
      "(#6-#7 Read b.ts; #8 Bash ls -l)",
      "9 Bash git commit => [main 1a2b3c4] x",
      "(#10-#12)",
      "(#13 Read a.ts; #14 b.ts; #15; #16 Read b.ts)",
    ]);
  });

  test("what a subagent found keeps its findings, whichever way it came", () => {
    const order =
      "Agent Look for the leak: go through all planks of the hull, one by one, and say which of them lets water in";
    const found = `Plank 3 leaks at the keel, 4 liters an hour. ${"It was caulked with tar in May. ".repeat(40)}`;
    const [call = "", note = ""] = thin(`1 ${order} => report: ${found}`, `2 report: Agent done: ${found}`);
    expect(call).toContain("=> report: Plank 3 leaks at the keel, 4 liters an hour. It was caulked");
    expect(note).toContain("2 report: Agent done: Plank 3 leaks at the keel, 4 liters an hour. It was caulked");
    for (const line of [call, note]) expect(line.length).toBeLessThan(400);
    const [block] = thinSegment(segment(`2 report: Agent done: ${found}`), { ...LENGTHS, level: 2 }).blocks;
    expect(block).toMatchObject({ text: expect.stringContaining("Plank 3 leaks at the keel, 4 liters an hour.") });
  });

  test("to grow thin once more changes nothing", () => {
    const lines = ["1 Read a.ts → (30 lines)", `2 assistant: ${"word ".repeat(200)}`, "person: no", "(#3-#4)"];
    expect(thin(...thin(...lines))).toEqual(thin(...lines));
  });

  test("the model's words stay, however much they look like a line, and long ones are shortened", () => {
    const words = [
      "assistant: 3 Read a.ts → (3 lines)",
      "assistant: 4 note: see → it",
      "9 assistant: a → b 1 Read c → d",
    ];
    expect(thin(...words)).toEqual(words);
    const [long] = thin(`12 assistant: ${"word ".repeat(200)}(1000 chars)`);
    expect(long).toMatch(/^12 assistant: word .* \(… \d+ characters left out\) word .*\(1000 chars\)$/);
    expect(long?.length).toBeLessThanOrEqual(240);
    const [worked] = thin(`12 assistant: ${"word ".repeat(200)}(1000 chars)`, "13 Edit a.ts");
    expect(worked?.length).toBeLessThanOrEqual(120);
  });

  test("what is to be done stays at length until something else is, and what was replaced is brief", () => {
    const issue = `1 Bash gh issue view 3 => TASK: ${"caulk the seam ".repeat(120)}(9 lines)`;
    const plan = `2 ExitPlanMode TASK: ${"tar the hull ".repeat(140)}=> User has approved your plan.`;
    const elsewhere = `4 Write C:\\w\\plans\\hull.md: TASK: ${"wax the mast ".repeat(140)}`;
    expect(thin(elsewhere)).toEqual([elsewhere]);
    const written = `3 Write plans/hull.md: TASK: ${"oil the deck ".repeat(140)}`;
    expect(thin(issue, plan)).toEqual([
      expect.stringMatching(
        /^1 Bash gh issue view 3 => TASK: caulk .{100,250} characters left out\) caulk .{40,120}\(9 lines\)$/,
      ),
      plan,
    ]);
    expect(thin(plan, written)[1]).toBe(written);
    const [first = "", second = ""] = thin(plan, written).concat(thin(written));
    expect(first).toMatch(/^2 ExitPlanMode TASK: tar the hull .*… => User has approved your plan\.$/);
    expect(first.length).toBeLessThan(330);
    expect(second).toBe(written);
    const replaced = thinSegment(segment(plan), { ...LENGTHS, isReplaced: true });
    expect(hasTask(segment(plan))).toBe(true);
    expect(hasTask(replaced)).toBe(false);
  });

  test("calls are clipped, what came of them less than what they were, and more once they are very old", () => {
    const edit = `1 Edit a.ts: ${"let x = 1; ".repeat(40)}`;
    const failed = `2 Bash ${"make all ".repeat(20)}→ failed: ${"no rule ".repeat(20)}`;
    const folded = `3 Bash ${"cat b ".repeat(40)}→ shortened before, plimsoll:0123456789ac`;
    const lines = [edit, failed, folded];
    const room = 80 + "1 ".length;
    const old = thin(...lines);
    expect(old.map((line) => line.length)).toEqual([room, room, folded.length]);
    expect(old[1]).toMatch(/^2 Bash make .{20,30}… → failed: no rule no rule .*…$/);
    const [block] = thinSegment(segment(lines.join("\n")), { ...LENGTHS, level: 2 }).blocks;
    const veryOld = block?.kind === "text" ? block.text.split("\n") : [];
    expect(veryOld.map((line) => line.length)).toEqual([room - 40, room - 40, folded.length]);
  });

  test("where there is no room left, what was done is named and what was found stays, then the person's words alone", () => {
    const lines = [
      renderHeading(7, "plimsoll:0123456789ab"),
      "person: caulk the hull",
      `1 person: ${"seam ".repeat(900)}`,
      "2 Edit a.ts: let x",
      "3 assistant: the tar is dry",
      "4 Bash make → failed: no rule",
      "5 git commit => [main 1a2b3c4] caulked",
      "6 assistant: all is tight",
      "person: and the mast",
      "(#7-#9 remarks)",
    ];
    const at = (level: ThinLevel): readonly string[] => {
      const [block] = thinSegment(segment(lines.join("\n")), { ...LENGTHS, level }).blocks;
      return block?.kind === "text" ? block.text.split("\n") : [];
    };
    const lengths = ([1, 2, 3, 4] as const).map((level) => {
      const pasted = parseEntries(at(level).join("\n"))[2];
      return pasted?.kind === "said" ? pasted.text.length : 0;
    });
    for (const [order, most] of [4_000, 2_000, 480, 120].entries()) {
      expect(lengths[order]).toBeLessThanOrEqual(most);
      expect(lengths[order]).toBeGreaterThan(most * 0.9);
    }
    expect(at(3).slice(-5)).toEqual([
      "(#2 Edit a.ts; #3 remarks; #4 Bash make)",
      "5 git commit => [main 1a2b3c4] caulked",
      "6 assistant: all is tight",
      "person: and the mast",
      "(#7-#9 remarks)",
    ]);
    expect(at(4).slice(-2)).toEqual(["person: and the mast", "(#2-#9 [main 1a2b3c4] caulked, a.ts, make)"]);
  });

  test("blocks that are not the ledger's own stay the very same, whatever they say", () => {
    const typed: Block = { kind: "text", id: "text:1", text: "1 Read a.ts → (3 lines)", author: "person" };
    const image: Block = { kind: "image", id: "image:1", mediaType: "image/png", encodedLength: 1, raw: {} };
    const message = { ...segment(renderHeading(1)), blocks: [typed, image] };
    expect(thinSegment(message, LENGTHS).blocks).toEqual([typed, image]);
    expect(thinSegment(message, LENGTHS).blocks[0]).toBe(typed);
  });

  test("a thin segment has ids of its own", () => {
    const message = segment("1 Read a → b", "2 Read c → d");
    const after = thinSegment(message, LENGTHS);
    expect([after.id, ...after.blocks.map(({ id }) => id)]).toEqual([
      "ledger:x:0:thin",
      "ledger:x:0:0:thin",
      "ledger:x:0:1:thin",
    ]);
  });

  test("the heading says how many exchanges it stands for, thin or not; nothing else does", () => {
    const message = segment(`${renderHeading(12)}\n1 Read a → b`);
    expect([countCollapsed(message), countCollapsed(thinSegment(message, LENGTHS))]).toEqual([12, 12]);
    expect(countCollapsed(segment(`1 Read ${renderHeading(12)} → b`))).toBe(0);
    expect(countCollapsed({ ...message, blocks: [] })).toBe(0);
    const typed: Block = { kind: "text", id: "text:1", text: renderHeading(99), author: "person" };
    expect(countCollapsed({ ...message, blocks: [typed] })).toBe(0);
  });
});
