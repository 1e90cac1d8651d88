/** If red: a compaction is judged without what matters most, or by pasted text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { listFacts } from "./list-facts.ts";

const happened = story()
  .asks("Add rounding to the invoice total. Never touch the migrations folder.")
  .calls("Read", { file_path: "/p/src/money.ts" }, "1→export const cents = 100;")
  .calls("Write", { file_path: "/p/src/invoice.ts", content: "export function total() {}\n" }, "ok")
  .calls("TodoWrite", { todos: [{ content: "Round the invoice total", status: "in_progress" }] }, "ok")
  .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: cannot resolve decimal.js", { isError: true })
  .says("I decided to use bankers' rounding instead of half-up because the ledger does.")
  .happened();

describe("the facts of a session", () => {
  const facts = listFacts(happened, { root: "/p" });

  it("[R110] are the place to go on, what was asked, work, constraints, files, errors and decisions, in this order", () => {
    const kinds = facts.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1]);
    expect(kinds.filter((kind) => kind !== "identifier")).toEqual([
      "continuation",
      "request",
      "task",
      "constraint",
      "file",
      "error",
      "decision",
      "file",
    ]);
  });

  it("[R184] say what they are about, not that a file exists: statuses, words, hashes, lines", () => {
    const texts = facts.map(({ text }) => text);
    expect(texts).toContain("Task, at this point in progress: Round the invoice total");
    expect(texts).toContain('The user said: "Never touch the migrations folder."');
    expect(texts).toContainEqual(expect.stringMatching(/^File created: src\/invoice\.ts #[\da-f]{8}$/));
    expect(texts).toContain("Unresolved: `npm run build` → error: cannot resolve decimal.js");
    expect(texts).toContain("File read: src/money.ts");
  });

  it("leave out what a pasted document says, and finished work that left nothing", () => {
    const pasted = story()
      .asks("Implement this plan.\n# Plan\n## Rounding\nNever touch the migrations folder.")
      .calls("TodoWrite", { todos: [{ content: "Run all the tests", status: "completed" }] }, "ok")
      .happened();
    expect(listFacts(pasted).filter(({ kind }) => kind === "constraint" || kind === "task")).toEqual([]);
  });

  it("name nothing that looks like a credential, no folded output by its bare name, and no tool of our own", () => {
    const token = `ghp_${"a1".repeat(18)}`;
    const session = story()
      .asks("Look at deployKeel2 again.")
      .calls(
        "Bash",
        { command: "deployKeel2" },
        `deployKeel2 ${token} 2f3689fca6d7 mcp__plugin_plimsoll__recall\n`.repeat(3),
      )
      .says(`deployKeel2 printed ${token}, 2f3689fca6d7, mcp__plugin_plimsoll__recall.`)
      .happened();
    const names = listFacts(session).flatMap((fact) => (fact.kind === "identifier" ? [fact.term] : []));
    expect(names).toContain("deployKeel2");
    expect(names.filter((name) => /ghp_|2f3689|plimsoll/.test(name))).toEqual([]);
  });

  it("name no more than twenty changed files, the newest of them", () => {
    const names = Array.from({ length: 25 }, (_, at) => `/p/plank${at}.ts`);
    const reported = names.reduce(
      (so, file_path) => so.calls("Write", { file_path, content: "x" }, "ok"),
      story().asks("Make the planks."),
    );
    const files = listFacts(reported.happened()).flatMap((fact) => (fact.kind === "file" ? [fact.path] : []));
    expect(files).toEqual(names.slice(-20).reverse());
  });

  it("come by importance whatever the session was, and leave it as it is", () => {
    fc.assert(
      fc.property(arbitraryHappened, (any) => {
        const before = JSON.stringify(any);
        const ranks = listFacts(any).map(({ importance }) => importance);
        expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
        expect(JSON.stringify(any)).toBe(before);
      }),
      { numRuns: 40 },
    );
  });
});
