/** If red: lines that a ledger left out are named wrong, so that the model fetches another one or none. */
import { describe, expect, test } from "vitest";
import { conversation, image, user } from "../../../test/support/build.ts";
import { renderEntry } from "./ledger-text.ts";
import {
  CLOSING,
  type LedgerCall,
  labelLeftOut,
  leaveOutLists,
  nameSegments,
  renderSegments,
  toSegments,
} from "./render-chunk.ts";
import { REMARKS } from "./render-exchange.ts";

const numbered = (...calls: readonly (readonly [number, string])[]): readonly LedgerCall[] =>
  calls.map(([number, call]) => ({ number, call }));
const render = (lines: ReturnType<typeof labelLeftOut>): string => renderEntry({ kind: "leftOut", lines });

describe("lines that are left out", () => {
  test.each<[string, readonly LedgerCall[], string]>([
    ["one", numbered([3, "Read src/plan.md → (9 lines)"]), "(#3 Read plan.md)"],
    ["the same in a row", numbered([4, "Read src/a.ts:1-9 → x"], [5, "Read src/a.ts:9-20 → y"]), "(#4-#5 Read a.ts)"],
    ["the same with a gap", numbered([4, "Read a.ts"], [6, "Read a.ts"]), "(#4 Read a.ts; #6 Read a.ts)"],
    ["another file of the same tool", numbered([4, "Read a.ts"], [5, "Read b.ts"]), "(#4 Read a.ts; #5 b.ts)"],
    ["another tool for the same file", numbered([4, "Read a.ts"], [5, "Grep a.ts"]), "(#4 Read a.ts; #5 Grep a.ts)"],
    ["in another order", numbered([9, "Grep mast"], [8, "Read a.ts"]), "(#8 Read a.ts; #9 Grep mast)"],
    [
      "without a subject",
      numbered([1, "Read a.ts"], [2, "Read"], [3, REMARKS]),
      `(#1 Read a.ts; #2 Read; #3 ${REMARKS})`,
    ],
    [
      "to-do lists by number alone",
      numbered([1, "Todo 1 of 3 done; next: tar"], [2, "Todo 2 of 3 done; next: oil"]),
      "(#1-#2)",
    ],
    ["a command without its folder", numbered([7, "Bash cd /w && ls lib 2>/dev/null → a"]), "(#7 Bash ls lib)"],
    ["a server's tool", numbered([7, "mcp__harbour__find berth"]), "(#7 find berth)"],
    ["a long subject", numbered([7, `Bash ${"x".repeat(90)}`]), `(#7 Bash ${"x".repeat(39)}…)`],
  ])("%s", (_, calls, shown) => {
    expect(render(labelLeftOut(calls))).toBe(shown);
  });

  test.each<[string, readonly LedgerCall[], string]>([
    [
      "commits, then changes, then looks",
      numbered([1, "Read a.ts → x"], [2, "Edit src/b.ts: 1 → 2"], [3, "Bash git commit => [main 1a2b3c4] Tar"]),
      "(#1-#3 [main 1a2b3c4] Tar, b.ts, a.ts)",
    ],
    [
      "a gap begins another",
      numbered([1, "Read a.ts"], [2, "Read b.ts"], [4, "Read c.ts"]),
      "(#1-#2 a.ts, b.ts; #4 c.ts)",
    ],
    ["in their order", numbered([12, "Read c.ts"], [2, "Read b.ts"], [1, "Read a.ts"]), "(#1-#2 a.ts, b.ts; #12 c.ts)"],
    ["each name once", numbered([1, "Read a.ts"], [2, "Edit a.ts: x"], [3, REMARKS]), "(#1-#3 a.ts)"],
    ["nothing but remarks", numbered([1, REMARKS], [2, REMARKS]), `(#1-#2 ${REMARKS})`],
    [
      "a tool without a subject, and no to-do list",
      numbered([1, "Look"], [2, "Todo 1 of 3 done; next: tar"]),
      "(#1-#2 Look)",
    ],
  ])("as segments: %s", (_, calls, shown) => {
    expect(render(nameSegments(calls))).toBe(shown);
  });

  test("names of a segment that have no room are counted, and shorter ones take it", () => {
    const names = Array.from({ length: 6 }, (_, at) => `${"abcdef"[at]}${"x".repeat(36)}`);
    const calls = [...names, "z.ts"].map((name, at) => ({ number: at + 1, call: `Read ${name}` }));
    const [segment] = nameSegments(calls);
    expect(segment?.label).toBe(`${names.slice(0, 4).join(", ")}, z.ts, 2 more`);
    const fitting = names.slice(0, 4).map((call, number) => ({ number, call: `Read ${call}xx` }));
    // 4 names of 39 characters and 3 separators: 162 characters.
    expect(nameSegments(fitting)[0]?.label).toMatch(/, 1 more$/);
  });

  test("to-do lists of a ledger leave their numbers", () => {
    const lines = ["person: go", "3 Todo 1 of 3 done; next: tar", "4 Read a.ts → Todo 1 of 3 done; x"];
    expect(leaveOutLists(lines.join("\n"))).toBe(
      ["person: go", "(#3)", "4 Read a.ts → Todo 1 of 3 done; x"].join("\n"),
    );
  });
});

describe("the segments of an earlier record", () => {
  const heading = (exchanges: number): string => `[LEDGER: ${exchanges} earlier exchanges in brief]`;

  test("are messages of the ledger again, without what came after them", () => {
    const first = `${heading(3)}\nperson: go`;
    const second = `${heading(1)}\nperson: on`;
    const segments = toSegments(`Words before.\n${first}\n${second}\n\n${CLOSING}\n\nperson: last`);
    expect(segments).toEqual(
      [first, second].map((text, at) => ({
        id: `ledger:record:${at}`,
        role: "user",
        blocks: [{ kind: "text", id: `ledger:record:${at}:0`, text, author: "host" }],
      })),
    );
    expect(renderSegments(segments)).toBe(`${first}\n${second}`);
  });

  test("say of a picture that there was one", () => {
    expect(renderSegments(conversation(user("before", image(), "after")))).toBe("before\nperson: (a picture)\nafter");
  });
});
