/** If red: a preview is longer than its output, shows a secret, or names no way back. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryNamedSecret, arbitraryOutput, arbitrarySecret } from "../../test/support/arbitrary-output.ts";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { foldOutput, LEAST_BUDGET } from "./fold-output.ts";
import type { Hint } from "./hint.ts";

const arbitraryHint: fc.Arbitrary<Hint> = fc.record({
  tool: fc.constantFrom("Bash", "Read", "Grep", "Glob", "Task", "WebFetch", "mcp__x__y", ""),
  command: fc.constantFrom("npm test", "git diff", "ls -la", "cat a.py", "rg x", undefined),
  path: fc.constantFrom("a.ts", "b.md", "c.json", "d.csv", "e.html", undefined),
});
const arbitraryBudget = fc.integer({ min: LEAST_BUDGET, max: 2000 });
const PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md";

it("takes a hash that whoever stored the original has already", () => {
  const text = "line of a long log\n".repeat(400);
  const sha256 = createHash("sha256").update(text).digest("hex");
  expect(foldOutput(text, {}, { sha256 })).toEqual(foldOutput(text));
  expect(foldOutput(text, {}, { sha256: "f".repeat(64) }).handle).toBe("plimsoll:ffffffffffff");
});

describe("foldOutput, whatever it is given", () => {
  it("[R60] stays within its budget, is never longer than the original, and always the same", () => {
    fc.assert(
      fc.property(arbitraryOutput, arbitraryHint, arbitraryBudget, (text, hint, budget) => {
        const folded = foldOutput(text, hint, { budget, path: PATH });
        expect(folded.text.length).toBeLessThanOrEqual(Math.min(budget, text.length));
        expect(foldOutput(text, hint, { budget, path: PATH })).toEqual(folded);
      }),
      { numRuns: tries(40, 400) },
    );
  });

  it("[R60] holds to the same in the classic style and with a path of any length", () => {
    fc.assert(
      fc.property(arbitraryOutput, arbitraryBudget, fc.nat(900), (text, budget, length) => {
        const path = "p/".repeat(length);
        for (const style of ["classic", "content"] as const)
          expect(foldOutput(text, { tool: "Bash" }, { budget, path, style }).text.length).toBeLessThanOrEqual(
            Math.min(budget, text.length),
          );
      }),
    );
  });

  it("[R64] shows no secret, wherever in the output it stands", () => {
    fc.assert(
      fc.property(
        arbitraryOutput,
        fc.array(fc.oneof(arbitrarySecret, arbitraryNamedSecret), { minLength: 1, maxLength: 4 }),
        arbitraryHint,
        fc.nat(),
        (text, secrets, hint, seed) => {
          const lines = text.split("\n");
          for (const [index, { line }] of secrets.entries())
            lines.splice((seed * (index + 1)) % (lines.length + 1), 0, line);
          for (const style of ["content", "classic"] as const) {
            const folded = foldOutput(lines.join("\n"), hint, { path: PATH, style }).text;
            for (const { secret } of secrets) expect(folded).not.toContain(secret.slice(0, 16));
          }
        },
      ),
      { numRuns: tries(40, 400) },
    );
  });

  it("[R64] shows no line of a private key, wherever it stands and however it is numbered", () => {
    const key = [
      "-----BEGIN PRIVATE KEY-----",
      ...Array.from({ length: 26 }, (_, n) => `c2VjcmV0IG1hdGVyaWFs${n}AbCdEf`),
      "-----END PRIVATE KEY-----",
    ];
    fc.assert(
      fc.property(arbitraryOutput, arbitraryHint, fc.nat(), fc.boolean(), (text, hint, seed, isNumbered) => {
        const lines = text.split("\n");
        lines.splice(seed % (lines.length + 1), 0, ...key);
        const whole = lines.map((line, index) => (isNumbered ? `${index + 1}\t${line}` : line)).join("\n");
        for (const style of ["content", "classic"] as const)
          expect(foldOutput(whole, hint, { style }).text).not.toContain("c2VjcmV0");
      }),
    );
  });

  it("shows no half of a surrogate pair that was whole", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), { maxLength: 40 }),
        arbitraryBudget,
        (lines, budget) => {
          const { text } = foldOutput(lines.join("\n"), {}, { budget });
          expect(text).toBe(Buffer.from(text, "utf8").toString("utf8"));
        },
      ),
    );
  });

  it("takes time in proportion to the text, also when somebody makes one to be slow", () => {
    const units = [
      "a-1-",
      "a:1:",
      "(((",
      "<a ",
      "|",
      "{[",
      "at a (",
      "  ",
      "=> ",
      "x/",
      "``` ",
      "-",
      "**",
      "1\t",
      "Error ",
      "\u001b[",
    ];
    for (const unit of units) {
      const fold = (text: string): void => void foldOutput(text, { tool: "Bash" });
      expectProportional(200_000, (length) => fold(unit.repeat(length / unit.length)), { what: unit });
      expectProportional(2000, (lines) => fold(`${unit.repeat(40)}\n`.repeat(lines)), { what: unit });
    }
  });
});

describe("foldOutput", () => {
  it("names the content by its hash", () => {
    const text = "line\n".repeat(1000);
    const hash = createHash("sha256").update(text).digest("hex");
    expect(foldOutput(text)).toMatchObject({
      sha256: hash,
      handle: `plimsoll:${hash.slice(0, 12)}`,
      lines: 1000,
      characters: 5000,
    });
  });

  it("gives up the preview before the path, and the path before the marker", () => {
    const text = "some words here\n".repeat(500);
    const tight = foldOutput(text, { tool: "Bash" }, { budget: LEAST_BUDGET, path: "p".repeat(200) }).text;
    expect(tight).toMatch(/^\[FOLDED: Bash output — 500 lines, 8000 chars\]\nFull output: plimsoll:[0-9a-f]{12}$/);
  });

  it("leaves the handle out where nothing can be asked for", () => {
    expect(foldOutput("some words here\n".repeat(500), {}, { hasHandle: false }).text).not.toContain("plimsoll:");
  });

  it("indexes the names that its lines do not show, a few of each series", () => {
    const rows = Array.from({ length: 300 }, (_, index) => `  step(${index}).then(runThing${index}, otherThing);`);
    const { text } = foldOutput(`function main() {\n${rows.join("\n")}\n  finallyDone(lastOne);\n}`, { path: "a.ts" });
    const [, index = ""] = text.split("also names: ");
    expect(index).toContain("finallyDone lastOne");
    expect(index.match(/runThing/g)).toHaveLength(3);
  });

  it("refuses a budget that no marker fits", () => {
    expect(() => foldOutput("x", {}, { budget: 100 })).toThrow(/at least 240/);
  });
});
