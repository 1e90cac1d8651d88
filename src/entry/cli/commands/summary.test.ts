/** If red: the summary names the wrong place to resume, or misses decisions and handles. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  createWriter,
  prompt,
  toFile,
  toolResult,
  toolUse,
} from "../../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const file = temporary.name();
writeFileSync(
  file,
  toFile(
    createWriter({ cwd: "/work/shop" })(
      prompt("Round refunds to the cent. Do not change src/ledger.ts."),
      answer("m1", [
        toolUse("toolu_0edit", "Edit", { file_path: "/work/shop/src/pay.ts", old_string: "one", new_string: "two" }),
      ]),
      {
        ...toolResult("toolu_0edit", "ok"),
        toolUseResult: { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" },
      },
      answer("m2", [toolUse("toolu_0test", "Bash", { command: "npm test" })]),
      toolResult("toolu_0test", "Exit code 1\nError: expected 199 to be 200", { is_error: true }),
    ),
  ),
);

/** A session with many old exchanges. */
function writeLong(): string {
  const text = Array.from({ length: 200 }, (_, line) => `${line}: the draught of the hull ${line * 7919}`).join("\n");
  const rounds = Array.from({ length: 30 }, (_, round) => [
    answer(`m${round}`, [toolUse(`toolu_${round}`, "Bash", { command: `survey ${round}` })]),
    toolResult(`toolu_${round}`, `${text}\nround ${round}`),
  ]);
  const long = temporary.name();
  writeFileSync(long, toFile(createWriter({ cwd: "/work/ship" })(prompt("Never touch the keel."), ...rounds.flat())));
  return long;
}

const run = (...words: readonly string[]) => runPlimsoll(["summary", "--transcript", file, ...words]);

describe("plimsoll summary", () => {
  it("[R46][R47] prints the anchor: where to resume, to the line and the function", async () => {
    const { output, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^## Compaction Summary \(generated at 2\)\n/);
    expect(output).toContain("- Current file: src/pay.ts:2, current function/section: pay\n");
    expect(output).toContain("> Resume: make `npm test` pass: Error: expected 199 to be 200");
    expect(output).not.toContain("## Calls");
  });

  it("[R42] [R43] [R44] [R45] [R48] has its parts in order: decisions with reasons, where the work stands, what presses", async () => {
    const lines = createWriter({ cwd: "/work/shop" })(
      prompt("Round refunds to the cent. This is urgent, by Friday."),
      answer("m1", [
        "I decided to round per line because the ledger sums lines.",
        toolUse("toolu_0edit", "Edit", { file_path: "/work/shop/src/pay.ts", old_string: "one", new_string: "two" }),
      ]),
      {
        ...toolResult("toolu_0edit", "ok"),
        toolUseResult: { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" },
      },
    );
    const pressing = temporary.name();
    writeFileSync(pressing, toFile(lines));
    const { output } = await runPlimsoll(["summary", "--transcript", pressing]);
    const parts = [
      "### Topics Covered",
      "### Key Decisions Made\n- I decided to round per line: because the ledger sums lines. — affects ",
      "### Active Threads",
      "- Current file: src/pay.ts:2, current function/section: pay",
      "- Partial progress: done 0; remains 1",
      '### Emotional/Priority Context\n- "This is urgent, by Friday."',
      "### Continuation Point\n> Resume: finish ",
    ];
    const places = parts.map((part) => output.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((left, right) => left - right));
  });

  it("prints with --full what the policy answers to a compaction: the record, then a ledger whose handles are the gateway's", async () => {
    const { output } = await runPlimsoll(["summary", "--transcript", writeLong(), "--full"]);
    expect(output).toContain("Never touch the keel.");
    expect(output).toContain("1 Bash survey 0");
    expect(output).toMatch(/plimsoll:[0-9a-f]{12}/);
    expect(output).not.toMatch(/\bcall:/);
    expect(output).toContain("(A preview: nothing was compacted");
  });

  it("keeps no more exchanges than leave room for the next compaction", async () => {
    const line = "the draught of the hull is 7919\n";
    const rounds = [0, 1, 2, 3].flatMap((round) => [
      answer(`m${round}`, [toolUse(`toolu_${round}`, "Bash", { command: `survey ${round}` })]),
      toolResult(`toolu_${round}`, line.repeat(6000)),
    ]);
    const heavy = temporary.name();
    writeFileSync(heavy, toFile(createWriter({ cwd: "/work/ship" })(prompt("Survey it."), ...rounds)));
    const { output } = await runPlimsoll(["summary", "--transcript", heavy, "--full", "--json"]);
    expect(JSON.parse(output).record.keptExchanges).toBe(2);
  });

  it("says in it where the conversation is, word for word", async () => {
    expect((await run("--full")).output).toContain(file);
  });

  it("gives anchor, answer and next action as JSON", async () => {
    const short = JSON.parse((await run("--json")).output);
    expect(Object.keys(short)).toEqual(["transcript", "sessionId", "toolCalls", "continuation", "anchor", "record"]);
    expect(short).toMatchObject({
      toolCalls: 2,
      sessionId: "session-1",
      record: null,
      continuation: { kind: "failure" },
    });
    expect(short.anchor.tokens).toBeLessThanOrEqual(500);
    const full = JSON.parse((await run("--full", "--json")).output);
    expect(Object.keys(full.record)).toEqual(["text", "tokens", "keptExchanges", "messages"]);
    expect(full.record.text).toContain("Next, at this point: make `npm test` pass");
  });
});
