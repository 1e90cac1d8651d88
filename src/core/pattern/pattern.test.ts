/** If red: a recall by pattern finds other lines than the person asked for, or a pattern hangs the session. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { compilePattern, createAutomaton, createPatternMatcher } from "./create-pattern-matcher.ts";
import { parsePattern } from "./parse-pattern.ts";

const atom = fc.constantFrom(
  ..."abAB01_- .".split(""),
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\.",
  "\\x61",
  "\\u0041",
  "[ab]",
  "[^a]",
  "[a-z0-9]",
  "[\\]\\d]",
  "\\b",
  "\\B",
  "^",
  "$",
  "ß",
  "é",
  "İ",
  "K",
  "😀",
);
const pattern = fc.letrec<{ whole: string; part: string; piece: string }>((tie) => ({
  whole: fc.oneof(
    { weight: 3, arbitrary: tie("part") },
    { weight: 1, arbitrary: fc.tuple(tie("part"), tie("part")).map(([left, right]) => `${left}|${right}`) },
  ),
  part: fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
  piece: fc.oneof(
    { weight: 4, arbitrary: atom },
    {
      weight: 2,
      arbitrary: fc
        .tuple(atom, fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}?"))
        .map((both) => both.join("")),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("(", "(?:", "(?<n>"),
          tie("whole"),
          fc.constantFrom(")", ")*", ")+", ")?", "){2}", "){0,3}"),
        )
        .map((parts) => parts.join("")),
    },
  ),
})).whole;
const text = fc.string({ unit: fc.constantFrom(..."abAB01_- .é😀ßKk\u212a\u0130\r\u2028".split("")), maxLength: 12 });

function isExpression(source: string): boolean {
  try {
    new RegExp(source, "i");
    return true;
  } catch {
    return false;
  }
}

/** Always by the automaton, also where the language's own engine would be quick. */
function automatonOf(source: string) {
  const tree = parsePattern(source);
  const program = tree && compilePattern(tree);
  return program && { ...createAutomaton(program), instructions: program.length };
}

describe("a pattern", () => {
  it("matches exactly what the language's own engine matches", () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        fc.pre(isExpression(source));
        const own = automatonOf(source);
        // Repetitions within repetitions may be too large; that enough of them are understood is seen below.
        if (own === undefined) return;
        for (const each of texts) {
          const isMatch = new RegExp(source, "i").test(each);
          matched += isMatch ? 1 : 0;
          expect(own.isMatch(each), `${source} on ${JSON.stringify(each)}`).toBe(isMatch);
        }
      }),
      { numRuns: tries(40, 3000) },
    );
    expect(matched).toBeGreaterThan(tries(0, 1000));
  });

  it("is never understood wrongly, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab\\^$.*+?()[]{}|1,-:<>=!kpduxcn]".split("")), maxLength: 10 }),
        text,
        (source, each) => {
          const own = createPatternMatcher(source);
          if (own) expect(own(each), source).toBe(new RegExp(source, "i").test(each));
        },
      ),
      { numRuns: tries(40, 5000) },
    );
  });
});

const DANGEROUS = [
  ".?".repeat(26),
  ".*.*.*z",
  "(a+)+$",
  "((a+))+$",
  "(a|a)+$",
  "(a|aa)+$",
  "(a?){30}b",
  "a*a*a*a*a*b",
  "(.*a){20}",
  "([a-z]+)*x",
  "(\\w+\\s?)+$",
  `${"(a|a)".repeat(26)}z`,
  "(a|b)*a(a|b){20}c",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
] as const;

describe("a pattern that takes an engine that goes back for ever", () => {
  it.each(DANGEROUS)("%s is looked at in steps that grow with the text alone", (source) => {
    for (const unit of ["a", "ab", "a b", "xay"]) {
      for (const length of [1000, 10_000]) {
        const own = automatonOf(source);
        own?.isMatch(`${unit.repeat(length / unit.length)}!`);
        expect(own?.work() ?? Number.NaN).toBeLessThanOrEqual((own?.instructions ?? 0) * (length + 2));
      }
    }
  });
});

describe("a pattern that no automaton can follow", () => {
  it.each([
    "(a)\\1",
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    "\\k<n>(?<n>a)",
    "a{1000}",
    "(a{30}){30}",
    "((a{9}){9}){9}",
    "(",
    "[z-a]",
    "*",
  ])("%s is left to others", (source) => {
    expect(createPatternMatcher(source)).toBeUndefined();
  });
});
