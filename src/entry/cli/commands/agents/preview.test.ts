/** If red: a prompt that is too long for a subagent is sent on, or one that fits is blocked. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const directory = path.join(temporary.folder, "project");
mkdirSync(directory);
const CODE = "const answer = 42;\n";
for (const [name, text] of [
  ["a.ts", CODE],
  ["b.ts", CODE.repeat(10)],
  ["big.ts", CODE.repeat(20_000)],
  ["huge.ts", CODE.repeat(10_000)],
  ["prompt.txt", "Find what is wrong."],
] as const)
  writeFileSync(path.join(directory, name), text);

function preview(words: string, environment: Readonly<Record<string, string>> = {}) {
  return runPlimsoll(["preview", ...words.split(" ")], {
    directory,
    environment: { HOME: temporary.folder, ...environment },
  });
}

describe("plimsoll preview", () => {
  it("[R106] weighs what would be sent, and answers", async () => {
    expect(await preview("--caller team --files a.ts b.ts --prompt prompt.txt")).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "output": "proceed: 181 tokens for team (warns at 30.0k, blocks at 80.0k)
      2 files, 281 characters: about 146 tokens, at most 181 (characters / 4: 70)
      largest files:
        190  b.ts
        19  a.ts
      at dispatch, after the hard caps: 281 characters, 2 files, nothing cut
      ",
        "remarks": "",
      }
    `);
  });

  it("[R104] blocks with exit status 1 and says what to do", async () => {
    const { exitCode, output, remarks } = await preview("--caller team --files big.ts huge.ts a.ts");
    expect({ exitCode, remarks }).toEqual({
      exitCode: 1,
      remarks: "plimsoll: blocked: reduce the worker's scope, or split it between 2 workers\n",
    });
    expect(output).toMatch(/^block: /);
    expect(output).toContain("worker 1: big.ts\n  worker 2: huge.ts, a.ts");
    expect(output).toContain("at dispatch, after the hard caps: ");
  });

  it("[R109] sends the bundle on within the hard caps, and names on stderr what they took", async () => {
    const long = Array.from({ length: 13 }, (_, index) => `${index}.ts`);
    for (const name of long) writeFileSync(path.join(directory, name), CODE.repeat(300));
    const { exitCode, output, remarks } = await preview(
      `--caller review --files ${long.join(" ")} --prompt prompt.txt --dispatch`,
    );
    expect(exitCode).toBe(0);
    expect(output.startsWith("[SYSTEM] \n[USER] Find what is wrong.\n### File 1: 0.ts\n")).toBe(true);
    expect(output.split("### File ")).toHaveLength(13);
    expect(output.split("... [truncated]")).toHaveLength(13);
    expect(output).not.toContain("at dispatch");
    expect(remarks).toContain("cut: 0.ts\n");
    expect(remarks).toContain("dropped: 12.ts\n");
  });

  it("[R109] sends nothing on that is blocked or longer than every cap", async () => {
    const blocked = await preview("--caller team --files big.ts huge.ts --dispatch");
    expect(blocked).toMatchObject({ exitCode: 1, output: "" });
    expect(blocked.remarks).toContain("plimsoll: blocked: ");
    writeFileSync(path.join(directory, "system.txt"), " ".repeat(400_000));
    const refused = await preview("--caller audit --files a.ts --system system.txt --dispatch --profile compat", {
      PLIMSOLL_CONTEXT_THRESHOLDS_AUDIT: "warn:900000,block:900000",
    });
    expect(refused).toMatchObject({ exitCode: 1, output: "" });
    expect(refused.remarks).toContain("characters even without any file");
    expect((await preview("--caller team --files a.ts --dispatch --json")).exitCode).toBe(2);
  });

  it("[R105] gives every documented field as JSON, and no field that is not documented", async () => {
    const { output } = await preview("--caller adversary --files big.ts a.ts --json");
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll preview --caller NAME --files FILE... --json`")[1]
      ?.split("\n## ")[0];
    const documented = /`\{ ([\w, ]+) \}`/.exec(section ?? "")?.[1]?.split(", ");
    const answer: object = JSON.parse(output);
    expect(Object.keys(answer)).toEqual(documented);
    expect(answer).toMatchObject({
      type: "context.preview",
      caller: "adversary",
      file_count: 2,
      top_5_files_by_size: [
        { path: "big.ts", chars: 380_000 },
        { path: "a.ts", chars: 19 },
      ],
      action: "block",
      on_block: { signal: "oracle.failed", reason: "context_budget_exceeded" },
      dispatch: { fits: true, truncated: ["big.ts"], dropped: [] },
    });
  });

  it("[R100, R101] compares a quarter of the characters when asked, after the caller's own truncation", async () => {
    const run = async (words: string) =>
      JSON.parse((await preview(`--caller adversary big.ts --json ${words}`)).output);
    expect(await run("--profile compat")).toMatchObject({ gated_tokens: 95_009, action: "warn" });
    expect(await run("--truncate 1000")).toMatchObject({ total_chars: 1037, action: "proceed" });
  });

  it.each([
    ["adversary", 50_000, 100_000],
    ["team", 30_000, 80_000],
    ["review", 40_000, 100_000],
    ["audit", 60_000, 120_000],
  ])("[R103] warns %s from %i tokens on and blocks from %i on", async (caller, warnAt, blockAt) => {
    const frame = "[SYSTEM] \n[USER] \n### File 1: sized.ts\n".length;
    const actionAt = async (tokens: number) => {
      writeFileSync(path.join(directory, "sized.ts"), "x".repeat(tokens * 4 - frame));
      return JSON.parse((await preview(`--caller ${caller} sized.ts --profile compat --json`)).output).action;
    };
    expect(await actionAt(warnAt - 1)).toBe("proceed");
    expect(await actionAt(warnAt)).toBe("warn");
    expect(await actionAt(blockAt - 1)).toBe("warn");
    expect(await actionAt(blockAt)).toBe("block");
  });

  it("[R102] says of Chinese that a quarter of its characters is far too little, and counts the upper bound", async () => {
    writeFileSync(path.join(directory, "chinese.md"), "上下文窗口的载重线。".repeat(1000));
    const { estimated_tokens, calibrated_tokens, gated_tokens, upper_tokens } = JSON.parse(
      (await preview("--caller team chinese.md --json")).output,
    );
    expect(calibrated_tokens).toBeGreaterThan(estimated_tokens * 3);
    expect(gated_tokens).toBe(upper_tokens);
  });

  it("[R107] takes thresholds from the environment, and warns about what it does not understand", async () => {
    const low = await preview("--caller team a.ts --json", { PLIMSOLL_CONTEXT_THRESHOLDS_TEAM: "warn:1,block:99999" });
    expect(JSON.parse(low.output)).toMatchObject({ action: "warn", threshold: { warn_at: 1, block_at: 99_999 } });
    const bad = await preview("--caller team a.ts", { RUNE_CONTEXT_THRESHOLDS_TEAM: "much" });
    expect(bad.exitCode).toBe(0);
    expect(bad.remarks).toMatch(/^plimsoll: RUNE_CONTEXT_THRESHOLDS_TEAM is not valid: write warn:30000,block:80000/);
  });

  it("[R106] records the signal for the person alone", async () => {
    const { output } = await preview("--caller audit a.ts --json");
    const { recorded_in: file, ...answer } = JSON.parse(output);
    expect(file).toBe(path.join(temporary.folder, ".local/share/plimsoll/data/plimsoll/previews.jsonl"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const last = JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ atMs: 0, directory, caller: "audit", total_chars: answer.total_chars });
  });

  it("answers where nothing can be recorded", async () => {
    const { output, exitCode } = await preview("--caller audit a.ts --json", { HOME: path.join(directory, "a.ts") });
    expect({ exitCode, file: JSON.parse(output).recorded_in }).toEqual({ exitCode: 0, file: null });
  });

  it.each([
    ["--caller cook a.ts", '[R99] --caller takes adversary, team, review, audit, not "cook"'],
    ["a.ts", "needs a caller: --caller adversary|team|review|audit"],
    ["--caller team", "needs files: plimsoll preview --caller team --files FILE..."],
    ["--caller team --files none.ts", "there is no file none.ts"],
    ["--caller team --built a.ts", "[R108] preview a bundle before you build it, not after"],
    ["--caller team --truncate 0 a.ts", "--truncate takes a whole number of at least 1"],
  ])("refuses %j: %s", async (words, reason) => {
    const { exitCode, remarks, output } = await preview(words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toContain(reason.replace(/^\[R\d+\] /, ""));
  });
});
