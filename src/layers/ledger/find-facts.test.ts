/** If red: findings, failing tests or counts of an output are missing from the ledger, or a secret is in it. */
import { describe, expect, test } from "vitest";
import { findFacts, findFindings } from "./find-facts.ts";

const STATUS = `On branch fix/hull
Your branch is ahead of 'origin/fix/hull' by 1 commit.
  (use "git push" to publish your local commits)

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
\tmodified:   src/hull/plank.ts
\tmodified:   src/hull/seam.ts
\tdeleted:    docs/oil.md

Untracked files:
  (use "git add <file>..." to include in what will be committed)
\tsrc/tar.ts

no changes added to commit (use "git add" and/or "git commit -a")`;

describe("facts of an output", () => {
  test.each([
    [
      "a working tree",
      STATUS,
      "on fix/hull: modified src/hull/plank.ts, seam.ts; deleted docs/oil.md; untracked src/tar.ts",
    ],
    [
      "its short form",
      "## fix/hull\n M src/a.ts\n M src/b.ts\n?? docs/c.md\n",
      "on fix/hull: M src/a.ts, b.ts; ?? docs/c.md",
    ],
    [
      "a diff's sizes",
      " src/a.ts | 12 ++++---\n src/b.png | Bin 0 -> 9 bytes\n 2 files changed, 9 insertions(+), 3 deletions(-)\n",
      "2 files changed, 9 insertions(+), 3 deletions(-): src/a.ts 12, b.png Bin",
    ],
    ["a search for files", "Found 3 files\nsrc/a.ts\nsrc/b.ts\ndocs/c.md", "src/a.ts, b.ts, docs/c.md"],
    [
      "a search with lines",
      "src/a.ts:12:  seal(1)\nsrc/a.ts:40:  seal(2)\nsrc/a.ts-41-  }\n--\nsrc/b.ts:7:import seal\nsrc/b.ts:90: seal(3)",
      "4 hits: src/a.ts:12,40, b.ts:7,90",
    ],
  ])("names what later steps ask for: %s", (_, output, facts) => {
    expect(findFacts(output, 240)).toBe(facts);
  });

  test.each([
    ["lines that are only set in", "\tplank one\n\tseam two"],
    ["prose", "The hull leaks.\nIt needs tar."],
    ["a tree with another output behind it", `${STATUS}\n12 tests passed`],
    ["a diff's sizes twice", " a.ts | 1 +\n 1 file changed\n b.ts | 1 +\n 1 file changed\n"],
    [
      "findings, whose words say more than their places",
      "a.ts:1:2: loose\na.ts:3:4: loose\nb.ts:5:6: loose\nb.ts:7:8: x",
    ],
    ["a search in one file", "src/a.ts:1:x\nsrc/a.ts:2:y\nsrc/a.ts:30:z\nsrc/a.ts:41:seal"],
    ["a few hits, which are shown with their words", "a.ts:1:x\nb.ts:2:y"],
    ["more than is searched", "src/a.ts\n".repeat(3_000)],
    ["nothing", ""],
    ["a tree with nothing in it", "On branch fix/hull\nnothing to commit, working tree clean"],
    ["a sum without files", " 1 file changed, 1 insertion(+)"],
    ["files with other lines among them", "src/a.ts\nsrc/b.ts\nwords of a person\nmore words of a person"],
    ["words before files", `${"words of a person\n".repeat(3)}${"src/a.ts\nsrc/b.ts\n".repeat(2)}`],
    ["fewer than four hits", "a.ts:1:x\nb.ts:2:y\nb.ts:3:y"],
  ])("leaves %s to others", (_, output) => {
    expect(findFacts(output, 240)).toBe("");
  });

  test.each<[string, string, string]>([
    [
      "four files of five lines",
      "src/a.ts\nsrc/b.ts\nwords of a person\nsrc/c.ts\nsrc/d.ts",
      "src/a.ts, b.ts, c.ts, d.ts",
    ],
    ["a heading in front", "Two of them leak:\nsrc/a.ts\nsrc/b.ts\nsrc/c.ts\nsrc/d.ts", "src/a.ts, b.ts, c.ts, d.ts"],
    ["another folder and back", "src/a.ts\ndocs/b.md\nsrc/c.ts", "src/a.ts, docs/b.md, src/c.ts"],
    ["lines that are set in", "  src/a.ts\n  src/b.ts\n", "src/a.ts, b.ts"],
    ["a file named twice", "src/a.ts\nsrc/b.ts\nsrc/a.ts", "src/a.ts, b.ts"],
    ["four hits in two files", "a.ts:1:x\na.ts:2:y\nb.ts:3:y\nb.ts:4:y", "4 hits: a.ts:1,2, b.ts:3,4"],
    ["as many characters as are searched", `src/a.ts\n${" ".repeat(23_982)}\nsrc/b.ts`, "src/a.ts, b.ts"],
  ])("takes %s", (_, output, facts) => {
    expect(findFacts(output, 240)).toBe(facts);
  });

  test.each<[number, string]>([
    [26, "src/a.ts, b.ts, c.ts"],
    [12, "src/a.ts, b.ts, … (3)"],
    [11, "src/a.ts, … (3)"],
    [6, "src/a…, … (3)"],
  ])("in %i characters shows of three files: %s", (room, facts) => {
    expect(findFacts("src/a.ts\nsrc/b.ts\nsrc/c.ts", room)).toBe(facts);
  });

  test("counts what there is no room for, and strikes out what looks like a credential", () => {
    const files = Array.from({ length: 90 }, (_, index) => `src/part-${index}/plank.ts`).join("\n");
    const facts = findFacts(files, 100);
    expect(facts).toMatch(/^src\/part-0\/plank\.ts, .*, … \(90\)$/);
    expect(facts.length).toBeLessThan(130);
    expect(findFacts(`src/sk-${"a1B2".repeat(8)}\nsrc/tar.ts`, 240)).not.toContain("a1B2a1B2");
  });
});

test("findings are told each once, by place and words, and failing tests by name", () => {
  const output = `[lint] src/hull.go:22:15: error is unwrapped
[lint] src/hull.go:22:15: error is unwrapped
src/deck.ts(3,9): error TS2322: Type 'tar' is not assignable
  12:5  error  'oil' is never used  no-unused-vars
--- FAIL: TestSeal (0.01s)
 ✗ floats when loaded 12ms
ok  src/mast`;
  expect(findFindings(output, 400)).toBe(
    "src/hull.go:22:15: error is unwrapped | src/deck.ts(3,9): error TS2322: Type 'tar' is not assignable | 12:5 error 'oil' is never used no-unused-vars | --- FAIL: TestSeal | ✗ floats when loaded",
  );
  expect(findFindings(output, 60)).toBe("src/hull.go:22:15: error is unwrapped | … (5)");
  expect(findFindings("all planks hold\n0 issues.", 400)).toBe("");
});

test("a long finding is clipped, and what comes after all that is searched is not found", () => {
  const [place, words] = ["src/hull.go:22:15: ", "x".repeat(200)];
  expect(findFindings(`${place}${words}`, 400)).toBe(`${place}${"x".repeat(120)}…`);
  expect(findFindings(`${"plank\n".repeat(4_000)}--- FAIL: TestSeal`, 400)).toBe("");
});
