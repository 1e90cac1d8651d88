/** If red: the next session reads a guess as a fact, or the fixes of earlier errors are gone. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  createWriter,
  prompt,
  toFile,
  toolResult,
  toolUse,
} from "../../../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const file = temporary.name();
const reads = Array.from({ length: 12 }, (_, index) => [
  answer(`r${index}`, [toolUse(`read${index}`, "Read", { file_path: `/work/shop/src/f${index}.ts` })]),
  toolResult(`read${index}`, "text"),
]).flat();
writeFileSync(
  file,
  toFile(
    createWriter({ cwd: "/work/shop" })(
      prompt("Round refunds. You must not change the ledger."),
      ...reads,
      answer("m1", ["I decided to round per line because the ledger sums lines."]),
      answer("m2", [toolUse("toolu_0test", "Bash", { command: "npm test" })]),
      toolResult("toolu_0test", "Exit code 1\nError: expected 199 to be 200", { is_error: true }),
    ),
  ),
);

describe("plimsoll state", () => {
  it("shows the newest of everything that is known, and what comes next", async () => {
    const { output, exitCode } = await runPlimsoll(["state", "--transcript", file]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^14 requests · 0 compactions\nnext: make `npm test` pass: Error: expected 199/);
    expect(output).toContain("Files (12)\n  src/f11.ts: 0 changes, 1 read (request 12)\n");
    expect(output).toContain("  … 2 more: --json lists all\n");
    expect(output).toContain("Failed when last run (1)\n  npm test → Error: expected 199 to be 200 (request 14)\n");
    expect(output).toMatch(
      /Decisions \(2\)\n {2}you: You must not change the ledger\. \(request 0\)\n {2}I decided to round per line because the ledger sums lines\.? \(request 13\)\n/,
    );
    expect(output).toContain("after request 0 [binding]: Round refunds. You must not change the ledger.\n");
  });

  it("[R197] names what a line rests on where it is asked, and guesses only where they are asked for", async () => {
    const plain = (await runPlimsoll(["state", "--transcript", file])).output;
    expect(plain).not.toMatch(/phase|perhaps|urgent|Tried/i);
    const why = (await runPlimsoll(["state", "--transcript", file, "--why"])).output;
    expect(why).toContain("(request 0; rests on your words)");
    expect(why).toContain("(request 14; rests on exit statuses)");
    expect(why).toContain("(request 12; rests on the record of the calls)");
    const perhaps = (await runPlimsoll(["state", "--transcript", file, "--perhaps"])).output;
    expect(perhaps).toMatch(/Perhaps the phase \(1\)\n {2}\w+/);
  });

  it("gives all of it as JSON", async () => {
    const state = JSON.parse((await runPlimsoll(["state", "--transcript", file, "--json"])).output);
    expect(state).toMatchObject({
      requests: 14,
      compactions: 0,
      directory: "/work/shop",
      continuation: { kind: "failure" },
    });
    expect(state.files.length).toBe(12);
    expect(state.words[0].constraints).toEqual(["You must not change the ledger."]);
  });
});

describe("plimsoll state --cold", () => {
  it("[R185] shows every error that was fixed with its fix, and none that was not", async () => {
    const fixed = temporary.name("-fixed.jsonl");
    const test = (id: string, result: string, isError: boolean) => [
      answer(`a${id}`, [toolUse(id, "Bash", { command: "npm test" })]),
      toolResult(id, result, isError ? { is_error: true } : {}),
    ];
    const entries = createWriter({ cwd: "/work/shop" })(
      prompt("Mend the tokens."),
      ...test("t1", "Exit code 1\nError: bad signature in token.ts", true),
      answer("e", [
        toolUse("e1", "Edit", { file_path: "/work/shop/token.ts", old_string: "RS256", new_string: "HS256" }),
      ]),
      toolResult("e1", "The file has been updated."),
      ...test("t2", "42 passed", false),
      answer("l", [toolUse("l1", "Bash", { command: "npm run lint" })]),
      toolResult("l1", "Exit code 1\nError: unused name", { is_error: true }),
    );
    writeFileSync(fixed, toFile(entries));
    const { errors } = JSON.parse((await runPlimsoll(["state", "--transcript", fixed, "--json"])).output);
    expect(errors).toMatchObject([
      { line: "Error: bad signature in token.ts", resolvedBy: "t2", editedFiles: ["/work/shop/token.ts"] },
      { line: "Error: unused name", resolvedBy: "", editedFiles: [] },
    ]);
  });

  it("[R193] lists and clears what was written down of one session alone", async () => {
    const home = temporary.name("-one");
    const folder = path.join(home, ".claude/data/compressed_context");
    mkdirSync(folder, { recursive: true });
    const lists = { files_modified: [], commands_run: [], key_outcomes: [], errors_resolved: [] };
    const fields = { task_id: "1", start_turn: 1, end_turn: 2, compressed_at: "2999-01-01T00:00:00Z", ...lists };
    const { sessionId } = JSON.parse((await runPlimsoll(["state", "--transcript", file, "--json"])).output);
    for (const [name, id] of Object.entries({ mine: sessionId, other: "other" }))
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ ...fields, session_id: id, subject: name }));
    const run = async (what: string) => {
      const world = { environment: { HOME: home }, directory: home };
      return (await runPlimsoll(["state", "--cold", what, "--transcript", file], world)).output;
    };
    expect(await run("list")).toMatch(/mine/);
    expect(await run("list")).not.toMatch(/other/);
    expect(await run("clear")).toContain("1 file removed.");
    expect(await run("list")).toContain("saved for this session");
    expect(readdirSync(folder)).toEqual(["other.json"]);
  });

  it("[R182] lists what was written down, lets the old go, clears the rest and forgets the looks", async () => {
    const home = temporary.name("-home");
    const put = (name: string, content: object): void => {
      mkdirSync(path.dirname(path.join(home, ".claude/data", name)), { recursive: true });
      writeFileSync(path.join(home, ".claude/data", name), JSON.stringify(content));
    };
    const lists = { files_modified: [], commands_run: [], key_outcomes: [], errors_resolved: [] };
    const fields = { session_id: "s", task_id: "1", start_turn: 1, end_turn: 2, ...lists };
    put("compressed_context/a.json", { ...fields, subject: "Old hull", compressed_at: "1900-01-01T00:00:00Z" });
    put("compressed_context/b.json", { ...fields, subject: "New mast", compressed_at: "2999-01-01T00:00:00Z" });
    put("compressed_context/notes.txt", {});
    put("context_queue/s_state.json", { lastCheckTurn: 10 });
    const run = async (what: string) =>
      (await runPlimsoll(["state", "--cold", what], { environment: { HOME: home }, directory: home })).output;
    expect(await run("list")).toMatch(/New mast.*\n.*Old hull/);
    expect(await run("expire")).toContain("1 file removed.");
    expect(await run("list")).not.toContain("Old hull");
    expect(await run("clear")).toContain("1 file removed.");
    expect(await run("reset")).toContain("1 file removed.");
    expect(readdirSync(path.join(home, ".claude/data/compressed_context"))).toEqual(["notes.txt"]);
  });
});
