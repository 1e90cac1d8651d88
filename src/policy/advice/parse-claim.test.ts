import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { parseClaim } from "./parse-claim.ts";

describe("a claim", () => {
  it.each([
    ["- Port: 8080", "port", "8080", false],
    ["the port = 8080", "port", "8080", false],
    ["The default port is `8080`.", "default port", "8080", false],
    ["* Use pnpm for installs", "installs", "pnpm", false],
    ["1. Never use npm for installs.", "installs", "npm", true],
    ["Always commit to main", "commit to main", "", false],
    ["Do not commit to the main!", "commit to main", "", true],
    ["Don’t commit to main", "commit to main", "", true],
    ["commit to main", "commit to main", "", false],
  ])("in %j is about %j and says %j, negated %s", (line, subject, value, isNegated) => {
    expect(parseClaim("a.md", line)).toMatchObject({ source: "a.md", subject, value, isNegated });
  });

  it("keeps the words as they stand, without the mark of the list", () => {
    expect(parseClaim("a.md", "  - The Port: `8080`. ")?.text).toBe("The Port: `8080`.");
  });

  it("is not in an empty line, and no line throws", () => {
    expect(parseClaim("a.md", "  ")).toBeUndefined();
    fc.assert(
      fc.property(arbitraryUnits(80), (line) => {
        const claim = parseClaim("a.md", line);
        if (claim) expect(claim.subject).not.toBe("");
      }),
    );
  });
});
