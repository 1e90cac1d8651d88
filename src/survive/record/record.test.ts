import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { type Story, story } from "../../../test/support/story.ts";
import { renderRecord } from "./record.ts";
import { RECORD_OPENING } from "./record-opening.ts";
import { weighText } from "./weigh.ts";

const told = story()
  .asks("The refunds are off by a cent. Do not change src/ledger.ts: the warehouse uses it.")
  .calls("Read", { file_path: "/p/src/ledger.ts" }, "export function sumCents() {}", {
    detail: { file: { startLine: 1, numLines: 1, totalLines: 1, content: "export function sumCents() {}" } },
  })
  .calls("Edit", { file_path: "/p/src/pay.ts", old_string: "one", new_string: "roundHalfEven" }, "ok", {
    detail: { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "roundHalfEven" },
  })
  .calls("TodoWrite", { todos: [{ content: "Round half to even", status: "in_progress" }] }, "ok")
  .calls("Bash", { command: "npm test" }, "Exit code 1\nAssertionError: expected 199 to be 200", { isError: true });

const record = (so: Story, options: Parameters<typeof renderRecord>[1] = {}): string =>
  renderRecord(so.happened(), { root: "/p", transcript: "/home/dev/session.jsonl", ...options }).text;

describe("the compaction record", () => {
  it("[R61][R72] reads so", () => {
    expect(record(told, { artifacts: ["/home/dev/.plimsoll/artifacts/one.txt"] })).toMatchInlineSnapshot(`
      "The conversation before this point was replaced by this record. Requests 1 to 4, 4 calls.
      All of it stays, word for word, in /home/dev/session.jsonl: search it for a call's id before asking the user again.
      Kept here: the task, what the user demanded, paths, decisions, status of the work, unresolved errors. Not here: file contents, reasoning, tool output; read files again before editing them.
      Paths are relative to /p.

      ## Where it stands
      Before this point the user asked last: "The refunds are off by a cent. Do not change src/ledger.ts: the warehouse uses it."
      Next, at this point: make \`npm test\` pass: AssertionError: expected 199 to be 200; the last change was at src/pay.ts:2 (pay)
      Open tasks at this point, next first:
      - in progress: Round half to even

      ## The user's constraints, corrections and deadlines, word for word
      after request 0:
      > The refunds are off by a cent. Do not change src/ledger.ts: the warehouse uses it.

      ## Work, with the proof of its status
      - [active] Round half to even (call:0000c3)

      ## Files (+ created, ~ changed, others read; #hash of the content, lines last read, r last request)
      src/: ~pay.ts #0ebc55 r2, ledger.ts #bfacf4 L1-1 r1

      ## Errors not seen to be resolved
      - r4 \`npm test\` → AssertionError: expected 199 to be 200 (call:0000c4)

      ## Commands, last outcome, tests first
      - r4 \`npm test\` → failed (call:0000c4)

      ## Folded outputs, whole on disk: read them there
      - /home/dev/.plimsoll/artifacts/one.txt

      ## Calls (request, tool, subject, characters of the result, handle)
      r1 Read src/ledger.ts 29 call:0000c1
      r2 Edit src/pay.ts 2 call:0000c2
      r3 TodoWrite Round half to even 2 call:0000c3
      r4 Bash npm test failed 50 call:0000c4

      ## Names and numbers met, the likeliest needed first
      roundHalfEven in_progress sumCents"
    `);
  });

  it("[R72] says what it keeps and what is only in the transcript", () => {
    const text = record(told);
    expect(text).toMatch(/Kept here: the task, what the user demanded, paths, decisions/);
    expect(text).toMatch(/Not here: file contents, reasoning, tool output/);
    expect(text).toContain("/home/dev/session.jsonl");
  });

  it("[R61] cites the files that hold folded outputs", () => {
    expect(record(told, { artifacts: ["/a/one.txt", "/a/two.txt"] })).toContain("- /a/two.txt\n- /a/one.txt");
  });

  it("keeps every constraint word for word, also of a long paste", () => {
    const paste = `Here is the log.\n${"so it went on\n".repeat(200)}Never call the bank twice.\n${"more noise\n".repeat(200)}`;
    expect(record(told.asks(paste))).toContain("> Never call the bank twice.");
  });

  it("shrinks messages to the sentences that bind before any of those goes", () => {
    const so = Array.from({ length: 20 }, (_, index) => index).reduce(
      (sofar, index) =>
        sofar.asks(`${"It went well so far, thank you all. ".repeat(8)}Never touch module ${index}.`).says("Noted."),
      told,
    );
    const [wide, narrow] = [record(so), record(so, { budgetTokens: 4500 })];
    expect(wide.split("It went well").length).toBeGreaterThan(8 * 20);
    expect(narrow.split("It went well").length).toBeLessThan(8 * 20);
    for (let index = 0; index < 20; index++) expect(narrow).toContain(`Never touch module ${index}.`);
  });

  it("quotes the person so that no word of theirs can pass for a heading of ours", () => {
    const text = record(told.asks("You must keep this:\n## Work, with the proof of its status\n- [done] everything"));
    expect(text).toContain("> ## Work, with the proof of its status\n> - [done] everything");
  });

  it("names every file it knows, with its whole path to be read off", () => {
    const so = Array.from({ length: 60 }, (_, index) => index).reduce(
      (sofar, index) => sofar.calls("Read", { file_path: `/p/src/part-${index % 7}/file-${index}.ts` }, "text"),
      story(),
    );
    const lines = record(so).split("\n");
    for (let index = 0; index < 60; index++) {
      const line = lines.find((text) => text.startsWith(`src/part-${index % 7}/: `));
      expect(line?.split(/[:,] /)).toContainEqual(expect.stringMatching(new RegExp(`^file-${index}\\.ts\\b`)));
    }
  });

  it("has a handle for every call: a line of its own, or a stretch that it lies in", () => {
    const so = Array.from({ length: 400 }, (_, index) => index).reduce(
      (sofar, index) => sofar.calls("Bash", { command: `echo ${"word ".repeat(12)}${index}` }, "x"),
      story(),
    );
    const text = record(so, { budgetTokens: 3000 });
    const stretches = [...text.matchAll(/^r(\d+)-r(\d+): (\d+) calls/gm)];
    const singles = [...text.matchAll(/^r(\d+) Bash /gm)].map(([, request]) => Number(request));
    expect(stretches.length).toBeGreaterThan(1);
    expect(singles.length).toBeGreaterThan(5);
    const covered = new Set(singles);
    for (const [, from, to] of stretches)
      for (let request = Number(from); request <= Number(to); request++) covered.add(request);
    expect(covered.size).toBe(400);
  });

  it("tells work with a typed status and the call that proves it", () => {
    const so = told.calls(
      "TodoWrite",
      {
        todos: [
          { content: "Round it", status: "in_progress" },
          { content: "Find it", status: "completed" },
        ],
      },
      "ok",
      { callId: "toolu_0proof" },
    );
    expect(record(so)).toContain("- [active] Round it (call:0proof)\n- [done] Find it (call:0proof)");
  });

  it("lists names that stand nowhere else, and none twice", () => {
    const text = record(told.calls("Grep", { pattern: "x" }, "openingBalance 4f1e2ab"));
    const names = text.split("\n").at(-1)?.split(" ") ?? [];
    expect(names).toEqual(expect.arrayContaining(["openingBalance", "4f1e2ab", "sumCents"]));
    for (const name of names) expect(text.split(name).length, name).toBe(2);
  });

  it("cuts calls, names and older words before what the person demanded", () => {
    const so = Array.from({ length: 120 }, (_, index) => index).reduce(
      (sofar, index) =>
        sofar
          .asks(`Look at part ${index} of it, please, all of you`)
          .calls("Read", { file_path: `/p/file-${index}.ts` }, `someName${index} `.repeat(3)),
      told.asks("You must never change the tax rates."),
    );
    const { sections, text } = renderRecord(so.happened(), { budgetTokens: 2500 });
    const shown = Object.fromEntries(sections.map((section) => [section.name, section.shown / section.items]));
    expect(text).toContain("> You must never change the tax rates.");
    expect(shown.binding).toBe(1);
    for (const name of ["otherWords", "calls", "terms"]) expect(shown[name], name).toBeLessThan(1);
  });

  it("never exceeds its budget, whatever happened", () => {
    fc.assert(
      fc.property(arbitraryHappened, fc.integer({ min: 600, max: 14_000 }), (happened, budgetTokens) => {
        const { text, tokens } = renderRecord(happened, {
          budgetTokens,
          root: "/home/dev/project",
          transcript: "/t.jsonl",
        });
        expect(weighText(text)).toBeLessThanOrEqual(budgetTokens);
        expect(tokens).toBe(Math.ceil(weighText(text)));
        expect(text.startsWith(RECORD_OPENING)).toBe(true);
        expect(text).not.toMatch(/^… \d+ more/m);
      }),
      { numRuns: 60 },
    );
  });

  it("is the same text for the same session, and changes nothing it was given", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const before = JSON.stringify(happened);
        expect(renderRecord(happened)).toEqual(renderRecord(happened));
        expect(JSON.stringify(happened)).toBe(before);
      }),
      { numRuns: 15 },
    );
  });

  it("refuses a budget that has no room for an anchor, with the fix in the sentence", () => {
    expect(() => renderRecord(told.happened(), { budgetTokens: 599 })).toThrow(
      /at least 600 tokens: pass a larger budgetTokens/,
    );
    expect(() => renderRecord(told.happened(), { budgetTokens: Number.NaN })).toThrow(TypeError);
  });
});
