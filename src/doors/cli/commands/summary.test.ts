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

  it("prints the whole record with --full, the transcript's path in it", async () => {
    const { output } = await run("--full");
    expect(output).toContain(file);
    expect(output).toContain("> Round refunds to the cent. Do not change src/ledger.ts.");
    expect(output).toContain("src/: ~pay.ts");
  });

  it("gives anchor, record and next action as JSON, the record within its budget", async () => {
    const short = JSON.parse((await run("--json")).output);
    expect(Object.keys(short)).toEqual(["transcript", "sessionId", "toolCalls", "continuation", "anchor", "record"]);
    expect(short).toMatchObject({
      toolCalls: 2,
      sessionId: "session-1",
      record: null,
      continuation: { kind: "failure" },
    });
    expect(short.anchor.tokens).toBeLessThanOrEqual(500);
    const full = JSON.parse((await run("--full", "--budget", "700", "--json")).output);
    expect(full.record.tokens).toBeLessThanOrEqual(700);
    expect(full.record.sections.map(({ name }: { readonly name: string }) => name)).toContain("binding");
  });

  it.each([
    [["--full", "--budget", "599"], '--budget takes a whole number from 600, not "599"'],
    [["--full", "--budget", "many"], '--budget takes a whole number from 600, not "many"'],
    [["--budget", "900"], "--budget is for the whole record: plimsoll summary --full --budget N"],
  ])("refuses %j with the way out", async (words, reason) => {
    const { exitCode, output, remarks } = await run(...words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toContain(reason);
  });
});
