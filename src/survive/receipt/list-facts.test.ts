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

  it("[R184] say how each is recognised, and when it was last true", () => {
    expect(
      facts.map(({ text, ...fact }) => ({ ...fact, text: text.replace(/#[\da-f]{8}$/, "#…") })),
    ).toMatchInlineSnapshot(`
      [
        {
          "command": "npm run build",
          "importance": 1,
          "kind": "continuation",
          "path": "/p/src/invoice.ts",
          "request": 5,
          "subject": "",
          "symbol": "",
          "text": "Next, at this point: make \`npm run build\` pass: error: cannot resolve decimal.js; the last change was at src/invoice.ts",
        },
        {
          "importance": 1,
          "kind": "request",
          "request": 0,
          "sentence": "Add rounding to the invoice total.",
          "text": "Before this point the user asked last: "Add rounding to the invoice total. Never touch the migrations folder."",
          "words": "Add rounding to the invoice total. Never touch the migrations folder.",
        },
        {
          "importance": 2,
          "kind": "task",
          "request": 3,
          "status": "active",
          "subject": "Round the invoice total",
          "text": "Task, at this point in progress: Round the invoice total",
        },
        {
          "importance": 3,
          "kind": "constraint",
          "request": 0,
          "sentence": "Never touch the migrations folder.",
          "text": "The user said: "Never touch the migrations folder."",
        },
        {
          "importance": 4,
          "isChanged": true,
          "isUnique": true,
          "kind": "file",
          "path": "/p/src/invoice.ts",
          "request": 2,
          "text": "File created: src/invoice.ts #…",
        },
        {
          "attempt": "npm run build",
          "importance": 5,
          "kind": "error",
          "line": "error: cannot resolve decimal.js",
          "request": 4,
          "text": "Unresolved: \`npm run build\` → error: cannot resolve decimal.js",
        },
        {
          "importance": 6,
          "kind": "identifier",
          "request": 5,
          "term": "in_progress",
          "text": "Name in use: in_progress",
        },
        {
          "importance": 7,
          "kind": "decision",
          "request": 5,
          "sentence": "I decided to use bankers' rounding instead of half-up because the ledger does.",
          "text": "Decided: I decided to use bankers' rounding instead of half-up because the ledger does.",
        },
        {
          "importance": 10,
          "isChanged": false,
          "isUnique": true,
          "kind": "file",
          "path": "/p/src/money.ts",
          "request": 1,
          "text": "File read: src/money.ts",
        },
      ]
    `);
  });

  it("[R184] leave out what nobody could lose: a step that is none, words too few to be recognised, a question that was answered", () => {
    const ended = story().asks("Tar the hull of the boat.").says("It is tarred.").happened();
    expect(listFacts(ended).map(({ kind }) => kind)).toEqual(["request"]);
    const vague = story()
      .asks("continue")
      .calls("TodoWrite", { todos: [{ content: "Rig", status: "pending" }] }, "ok");
    expect(listFacts(vague.happened()).map(({ kind }) => kind)).toEqual(["continuation"]);
    const answer = story()
      .asks("Build it.")
      .says("Oak or pine?\n\n1. oak\n2. pine")
      .asks("2")
      .calls("Bash", { command: "ls" }, "a");
    expect(listFacts(answer.happened()).find(({ kind }) => kind === "request")?.text).toBe(
      'Before this point the user asked last: "2" to "Oak or pine? (2. pine)"',
    );
  });

  it("[R184] quote a request whole up to 600 characters, and say whether it was the last thing said", () => {
    const request = (length: number) =>
      listFacts(story().asks("tar it ".repeat(100).slice(0, length)).asks("yes").happened()).find(
        ({ kind }) => kind === "request",
      )?.text;
    expect(request(600)).toBe(`Before this point the user asked: "${"tar it ".repeat(100).slice(0, 600).trim()}"`);
    expect(request(601)).toBeUndefined();
  });

  it("[R184] are ten open tasks, ten that are done, twenty rules, twenty files that were read and ten names, the newest of each", () => {
    const numbers = Array.from({ length: 25 }, (_, at) => at + 1);
    const todos = (status: string) => numbers.map((at) => ({ content: `Caulk the ${status} plank ${at}`, status }));
    const session = numbers
      .reduce(
        (told, at) =>
          told
            .asks(`Never paint the number ${at} plank.`)
            .calls("Read", { file_path: `/p/plank${at}.ts` }, `1\tsomeName${at}`),
        story(),
      )
      .calls("TodoWrite", { todos: [...todos("pending"), ...todos("completed")] }, "ok");
    const texts = listFacts(session.happened()).map(({ text }) => text);
    const pick = (start: string) =>
      texts.filter((text) => text.startsWith(start)).map((text) => text.match(/\d+/)?.[0]);
    const newest = (count: number) => numbers.slice(-count).reverse().map(String);
    expect(pick("Task, at this point open: ")).toEqual(numbers.slice(0, 10).map(String));
    expect(pick("Task, done: ")).toEqual(numbers.slice(0, 10).map(String));
    expect(pick("The user said: ")).toEqual(newest(20));
    expect(pick("File read: ")).toEqual(newest(20));
    expect(pick("Name in use: ")).toEqual(newest(10));
  });

  it("[R184] hold a decision once, whoever said it, and none that is hedged unless the user gave the answer", () => {
    const session = story()
      .asks("Build the boat.")
      .says(
        "I decided to use tar because oil is thin. I decided to perhaps not use oak, because it might be rotten; I am not sure about it.",
      )
      .says("Which wood might be best for the hull?\n\n1. oak planks\n2. pine planks")
      .asks("2");
    const decided = listFacts(session.happened()).flatMap((fact) => (fact.kind === "decision" ? [fact.text] : []));
    expect(decided).toMatchInlineSnapshot(`
      [
        "Decided: Which wood might be best for the hull? (2. pine planks) → 2",
        "Decided: I decided to use tar because oil is thin.",
      ]
    `);
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
