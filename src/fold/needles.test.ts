/** If red: the one line that the model must see is missing from a preview. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDraw, HAYSTACKS, type Haystack, type HaystackMaker } from "../../test/support/haystack.ts";
import { HAYSTACKS_APART } from "../../test/support/haystack-apart.ts";
import { HAYSTACKS_OF_PROGRAMS } from "../../test/support/haystack-programs.ts";
import { type FoldedOutput, foldOutput } from "./fold-output.ts";
import { DEFAULT_BUDGET } from "./thresholds.ts";

const PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md";
const RUNS_PER_KIND = 6;
const LEAST_RECALL = 0.99;

function fold({ text, command, path }: Haystack): FoldedOutput {
  return foldOutput(text, { tool: "Bash", command, path }, { path: PATH });
}

/** On one line, and not because a list of names holds a piece of it. */
function isShown({ needle }: Haystack, { text }: FoldedOutput): boolean {
  return text
    .split("\n")
    .some((line) => !line.startsWith("also names: ") && needle.every((piece) => line.includes(piece)));
}

describe.each([
  ["of our own making", HAYSTACKS],
  ["as well-known programs print them", HAYSTACKS_OF_PROGRAMS],
  ["made to be hard", HAYSTACKS_APART],
] as const)("a preview of long outputs %s", (_, makers) => {
  it("shows the one thing that a reader must not miss, within the budget, always the same", () => {
    const missed: string[] = [];
    let runs = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (seed) => {
        for (const make of makers) {
          const haystack = make(createDraw(seed));
          const folded = fold(haystack);
          expect(folded.text.length).toBeLessThanOrEqual(DEFAULT_BUDGET);
          expect(fold(haystack).text).toBe(folded.text);
          runs++;
          if (!isShown(haystack, folded)) missed.push(`${haystack.kind}, seed ${seed}`);
        }
      }),
      { numRuns: RUNS_PER_KIND },
    );
    expect(missed.length / runs, missed.join("; ")).toBeLessThanOrEqual(1 - LEAST_RECALL);
  });

  it("quotes lines by their numbers, and counts none that is not there", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.constantFrom<HaystackMaker>(...makers), (seed, make) => {
        const haystack = make(createDraw(seed));
        const folded = fold(haystack);
        const isNumbered = haystack.path?.endsWith(".txt") === true;
        if (!/^(?:log|plain|test output|stack trace|table)$/.test(folded.kind) || isNumbered) return;
        const lines = haystack.text.split("\n").map(strip);
        for (const [, number, shown] of folded.text.matchAll(/^(\d+): (.*)$/gm)) {
          const [, quoted = "", least, count] =
            /^(.*?)(?: \((at least )?(\d+) lines like this\))?$/.exec(shown ?? "") ?? [];
          const line = lines[Number(number) - 1] ?? "";
          expect(line.trim().startsWith(quoted.replace(/…$/, "").trim()), `${number}: ${shown}`).toBe(true);
          if (count === undefined) continue;
          const alike = lines.filter((other) => maskNumbers(other) === maskNumbers(line)).length;
          if (least) expect(alike).toBeGreaterThanOrEqual(Number(count));
          else expect(alike).toBe(Number(count));
        }
      }),
      { numRuns: 60 },
    );
  });
});

function strip(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return line.replaceAll(/\u001b\[\d+m/g, "").replace(/\r$/, "");
}

/** Told in another way than the survey does it. */
function maskNumbers(line: string): string {
  const words = line.replaceAll(/[\w\-./\\@~$%\u0080-\uffff]*\d[\w\-./\\@~$%\u0080-\uffff]*/g, "#");
  return words.replaceAll(/\s+/g, " ").trim();
}

describe("previews that hid the failure", () => {
  it("shows one warning among hundreds of lines without any", () => {
    const log = Array.from({ length: 480 }, (_, index) => `[${index}] compiled part_${index} without warnings`);
    log.splice(300, 0, "WARN checksum mismatch in part_300");
    const { text } = foldOutput(log.join("\n"), { tool: "Bash", command: "make" });
    expect(text).toContain("301: WARN checksum mismatch in part_300");
    expect(text.match(/without warnings/g)?.length).toBeLessThanOrEqual(5);
    expect(text).toContain("(480 lines like this)");
  });

  it("shows the failing row of JSON with its place", () => {
    const jobs = Array.from({ length: 500 }, (_, id) => ({
      id,
      name: `job ${id}`,
      status: id === 311 ? "FAILED" : "ok",
    }));
    expect(foldOutput(JSON.stringify(jobs)).text).toContain('[311]: {id: 311, name: "job 311", status: "FAILED"}');
  });

  it("shows the row of a table that differs", () => {
    const rows = Array.from({ length: 300 }, (_, id) => `| ${id} | file-${id} | ${id === 211 ? "MISMATCH" : "ok"} |`);
    const { text } = foldOutput(["| id | file | digest |", "|---|---|---|", ...rows].join("\n"));
    expect(text).toContain("214: | 211 | file-211 | MISMATCH |");
  });
});
