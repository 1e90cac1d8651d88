/** If red: instructions exceed their room, or are cut without a mark. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import { shareLengths, TRUNCATED } from "../../../core/clip-text.ts";
import { dedupeFiles } from "./dedupe-files.ts";
import { fitInstructions } from "./fit-instructions.ts";
import { type InstructionFile, SCOPES, type Scope } from "./instruction-file.ts";

const file = (scope: Scope, path: string, text: string): InstructionFile => ({ scope, path, text });
const line = "Write what the code does not say.\n";

describe("instruction files", () => {
  it("[R124] are told in the order of their scopes, whatever order they came in", () => {
    const files = [
      file("child", "c", "C"),
      file("project", "p", "P"),
      file("user", "u", "U"),
      file("organisation", "o", "O"),
    ];
    expect(fitInstructions(files).text).toMatchInlineSnapshot(`
      "## o (organisation)

      O

      ## u (user)

      U

      ## p (project)

      P

      ## c (child)

      C"
    `);
  });

  it("[R135] [R137] of 4,001 characters are cut, where one can see it; of 4,000 they are not", () => {
    const whole = fitInstructions([file("project", "p", "x".repeat(4000))]);
    expect(whole).toMatchObject({ truncated: [], told: ["p"] });
    expect(whole.text).not.toContain(TRUNCATED);
    const cut = fitInstructions([file("project", "p", "x".repeat(4001))]);
    expect(cut.truncated).toEqual(["p"]);
    expect(cut.text.endsWith(`\n${TRUNCATED}`)).toBe(true);
    expect(cut.text.length).toBeLessThanOrEqual("## p (project)\n\n".length + 4000);
  });

  it("[R136] [R137] never come to more than 12,000 characters in all, and no scope falls silent for another", () => {
    const files = ["a", "b", "c", "d"].map((name, index) => file("child", name, `${index}${line.repeat(200)}`));
    const { text, told: included, truncated, leftOut } = fitInstructions([...files, file("child", "small", "Short.")]);
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(text.length).toBeGreaterThan(11_500);
    expect(included).toEqual(["a", "b", "c", "d", "small"]);
    expect(truncated).toEqual(["a", "b", "c", "d"]);
    expect(text.split(TRUNCATED)).toHaveLength(1 + 4);
    expect(leftOut).toEqual([]);
  });

  it("[R137] [R144] that have no room at all are named, under the mark", () => {
    const files = Array.from({ length: 200 }, (_, index) =>
      file("child", `folder-${index}/CLAUDE.md`, `${index} ${line.repeat(30)}`),
    );
    const { text, told: included, leftOut } = fitInstructions(files);
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(included.length + leftOut.length).toBe(200);
    expect(leftOut.length).toBeGreaterThan(0);
    expect(text).toContain(`${TRUNCATED} No room here, read them when they matter: ${leftOut[0]}`);
  });

  it("[R126] that say the same are told once, at three levels, and from the first of them", () => {
    const same = "# Rules\n\n- Use tabs.\n";
    const {
      told: included,
      duplicates,
      text,
    } = fitInstructions([
      file("child", "c", "# Rules\r\n\r\n-  Use   tabs."),
      file("project", "p", same),
      file("user", "u", same),
    ]);
    expect(included).toEqual(["u"]);
    expect(duplicates).toEqual([
      { path: "p", sameAs: "u" },
      { path: "c", sameAs: "u" },
    ]);
    expect(text.split("Use tabs")).toHaveLength(2);
  });

  it("that are empty are not told, and none gives nothing", () => {
    expect(fitInstructions([file("user", "u", " \n")]).text).toBe("");
    expect(fitInstructions([]).text).toBe("");
  });

  it.each([
    ["maxFileCharacters", { maxFileCharacters: 10 }],
    ["maxTotalCharacters", { maxTotalCharacters: 1.5 }],
  ])("take no wrong %s", (name, budget) => {
    expect(() => fitInstructions([], budget)).toThrow(TypeError);
    expect(() => fitInstructions([], budget)).toThrow(name);
  });
});

const files = fc.array(
  fc.record({
    scope: fc.constantFrom(...SCOPES),
    path: fc.string({ maxLength: 300 }),
    text: fc
      .tuple(fc.constantFrom("a", "b", "c", "é😀 ", line), fc.nat(6000))
      .map(([unit, count]) => unit.repeat(count)),
  }),
  { maxLength: 30 },
);

it("[R135] [R136] [R137] whatever the files, no budget is exceeded, and every cut is marked", () => {
  fc.assert(
    fc.property(
      files,
      fc.integer({ min: 200, max: 5000 }),
      fc.integer({ min: 1000, max: 20_000 }),
      (given, maxFile, maxTotal) => {
        const budget = { maxFileCharacters: maxFile, maxTotalCharacters: maxTotal };
        const { text, told: included, truncated, leftOut } = fitInstructions(given, budget);
        expect(text.length).toBeLessThanOrEqual(maxTotal);
        expect(text.split(TRUNCATED).length - 1).toBeGreaterThanOrEqual(
          truncated.length + (leftOut.length > 0 ? 1 : 0),
        );
        expect(included.length + leftOut.length).toBe(dedupeFiles(given).files.length);
      },
    ),
    { numRuns: tries(40, 200) },
  );
});

it("[R126] of several files that say the same, the first scope is kept, and nothing else is dropped", () => {
  fc.assert(
    fc.property(files, (given) => {
      const { files: kept, duplicates } = dedupeFiles(given);
      const ranks = kept.map(({ scope }) => SCOPES.indexOf(scope));
      expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
      const words = (text: string): string => text.replace(/\s+/g, " ").trim();
      for (const one of given.filter(({ text }) => words(text) !== "")) {
        const same = kept.filter(({ text }) => words(text) === words(one.text));
        expect(same).toHaveLength(1);
        expect(SCOPES.indexOf(same[0]?.scope ?? "child")).toBeLessThanOrEqual(SCOPES.indexOf(one.scope));
      }
      expect(kept.length + duplicates.length).toBe(given.filter(({ text }) => words(text) !== "").length);
    }),
    { numRuns: 50 },
  );
});

it("room is shared so that small texts stay whole and large ones get the same", () => {
  expect(shareLengths([10, 500, 900], 1000)).toEqual([10, 495, 495]);
  expect(shareLengths([10, 20], 1000)).toEqual([10, 20]);
  expect(shareLengths([], 10)).toEqual([]);
});
