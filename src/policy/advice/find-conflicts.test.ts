import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findConflicts, renderConflicts } from "./find-conflicts.ts";
import { type Claim, parseClaim } from "./parse-claim.ts";

/** `source | line`, as it would stand in two files. */
function claims(...lines: readonly string[]): readonly Claim[] {
  return lines.flatMap((line) => {
    const [source = "", text = ""] = line.split(" | ");
    const claim = parseClaim(source, text);
    return claim ? [claim] : [];
  });
}

describe("sources that disagree", () => {
  it.each([
    ["a fact", "CLAUDE.md | Port: 8080", "decisions.md | port is 9090"],
    ["a rule and its opposite", "CLAUDE.md | Always commit to main", "decisions.md | never commit to the main"],
    ["two tools for one purpose", "CLAUDE.md | use npm for installs", "decisions.md | use pnpm for installs"],
    ["a tool and its ban", "CLAUDE.md | use npm for installs", "decisions.md | do not use npm for installs"],
  ])("[R111] on %s are both shown, under a flag", (_what, left, right) => {
    const conflicts = findConflicts(claims(left, right));
    expect(conflicts).toHaveLength(1);
    const text = renderConflicts(conflicts);
    expect(text).toMatch(/^CONFLICT on ".+": sources disagree, none was picked; ask which one holds\.\n/);
    expect(text).toContain(`- ${left.replace(" | ", ": ")}`);
    expect(text).toContain(`- ${right.replace(" | ", ": ")}`);
  });

  it("[R111] leave out who has no part in it", () => {
    const [conflict] = findConflicts(
      claims("a | never use npm for installs", "b | use npm for installs", "c | never use yarn for installs"),
    );
    expect(conflict?.claims.map(({ source }) => source)).toEqual(["a", "b"]);
  });
});

describe("no conflict is", () => {
  it.each([
    ["the same fact twice", "a | Port: 8080", "b | port = 8080"],
    ["two bans for one purpose", "a | never use npm for installs", "b | never use yarn for installs"],
    ["a ban and another choice", "a | never use npm for installs", "b | use pnpm for installs"],
    ["two notes", "a | Note: the port may change", "b | note: ask before a release"],
    ["two subjects", "a | Port: 8080", "b | Host: 9090"],
    ["a source that corrects itself", "a | Port: 8080", "a | Port: 9090"],
  ])("%s", (_what, left, right) => {
    expect(findConflicts(claims(left, right))).toEqual([]);
    expect(renderConflicts([])).toBe("");
  });
});

it("[R111] whatever the order of the sources, the same claims are in dispute", () => {
  const anyClaim = fc.record({
    source: fc.constantFrom("a", "b", "c"),
    text: fc.constant("as it stands"),
    subject: fc.constantFrom("port", "host"),
    value: fc.constantFrom("1", "2"),
    isNegated: fc.boolean(),
  });
  const keys = (found: ReturnType<typeof findConflicts>): readonly string[] =>
    found.flatMap((conflict) => conflict.claims.map((claim) => JSON.stringify(claim))).sort();
  fc.assert(
    fc.property(fc.array(anyClaim, { maxLength: 8 }), (all) => {
      const found = findConflicts(all);
      expect(keys(findConflicts([...all].reverse()))).toEqual(keys(found));
      for (const conflict of found)
        expect(new Set(conflict.claims.map(({ source }) => source)).size).toBeGreaterThan(1);
    }),
  );
});
