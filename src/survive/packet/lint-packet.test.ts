import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { lintPacket } from "./lint-packet.ts";

const whole = (constraint: string): string =>
  [
    "**Task**: Reject expired tokens",
    "### Decisions",
    "(none)",
    "### Constraints",
    constraint,
    "### Already Tried",
    "(none)",
    "### Type Surface",
    "- `Store`",
    "### Files Touched",
    "- `src/store.ts` (Store)",
    "### Acceptance",
    "- [ ] returns what was stored",
    "### Out of scope",
    "(none)",
  ].join("\n");

const lint = (constraint: string) => lintPacket(whole(constraint), { tokens: 100 });

describe("linting a packet", () => {
  it.each([
    "- fix login.ts:42",
    "- fix `src/auth/login.py:7` first",
    "- src/auth/login.rs#L42 is wrong",
    "- the check on line 42 is wrong",
    "- see lines 10-20",
    "- a.ts:1",
    "login.ts:42 seen: nothing quoted",
  ])("[R121] blocks a line number without evidence: %j", (line) => {
    expect(lint(line)).toContainEqual({ tier: "BLOCK", line: 5, message: expect.stringMatching(/without evidence/) });
  });

  it("[R121] lets a line number pass with a warning when the line quotes what was seen there", () => {
    expect(lint("- login.ts:42, seen: `if (!token) return`").map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it.each([
    "- listens on localhost:8080",
    "- calls api.example.com:443",
    "- binds 127.0.0.1:3000",
    "- at most 150 lines, 3 parameters",
    "- starts at 10:30",
    "- needs v1.2.3",
  ])("[R121] finds nothing in %j", (line) => {
    expect(lint(line)).toEqual([]);
  });

  it.each(["- src/auth/login.ts", "- `lib/store.py` must change", "- [ ] app\\main.go"])(
    "[R121] blocks a bare path outside Files Touched: %j",
    (line) => {
      expect(lint(line)).toContainEqual(
        expect.objectContaining({ tier: "BLOCK", message: expect.stringMatching(/bare path/) }),
      );
    },
  );

  it("[R121] warns of a path in a sentence", () => {
    expect(lint("- everything below src/auth is frozen").map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it("[R121] warns of criteria that cannot be tested", () => {
    const text = whole("x").replace("returns what was stored", "Store is defined");
    expect(lintPacket(text, { tokens: 100 }).map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it.each([
    ["Out of scope", 100, "BLOCK"],
    ["Acceptance", 100, "BLOCK"],
    ["Type Surface", 300, "BLOCK"],
    ["Type Surface", 299, "WARN"],
    ["Decisions", 100, "WARN"],
    ["Constraints", 100, "WARN"],
    ["Already Tried", 100, "WARN"],
    ["Files Touched", 100, "WARN"],
  ] as const)("[R121] misses %s in a packet of %i tokens: %s", (heading, tokens, tier) => {
    const text = whole("x").replace(`### ${heading}\n`, "### Something else\n");
    expect(lintPacket(text, { tokens })).toContainEqual({ tier, line: 0, message: `no section ${heading}` });
  });

  it("[R121] blocks a packet without a task", () => {
    expect(lintPacket(whole("x").replace(/^.*\n/, "**Task**: \n"), { tokens: 100 })).toEqual([
      { tier: "BLOCK", line: 0, message: "no task" },
    ]);
  });

  it("[R121] takes (none) for an answer out of scope, but not for acceptance", () => {
    const text = whole("x").replace("- [ ] returns what was stored", "(none)");
    expect(lintPacket(text, { tokens: 100 }).map(({ tier }) => tier)).toEqual(["BLOCK"]);
  });

  it("never throws, and takes a long line in its stride", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => lintPacket(text, { tokens: 1 })).not.toThrow();
      }),
    );
    for (const piece of [".", "/", ".a", "line ", "seen: `", "- src/", "\\"]) {
      const lint = (length: number): unknown => lintPacket(`- ${piece.repeat(length / piece.length)}`, { tokens: 1 });
      expectProportional(300_000, lint, { what: piece });
    }
  });
});
