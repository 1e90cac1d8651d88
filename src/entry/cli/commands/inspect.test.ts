/** If red: the parts of a request do not add up to its size, or subagents and misses are missing from the list. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";

const temporary = createTemporaryFolder();
const WORDS = "some words that were said about the matter\n".repeat(30);
const used = (read: number, write: number) => ({
  input_tokens: 0,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
  output_tokens: 50,
});

const file = temporary.name();
writeFileSync(
  file,
  toFile(
    transcript(
      { type: "custom-title", customTitle: "fix the parser" },
      prompt("fix it"),
      answer("m1", [toolUse("t1", "Bash")], used(0, 20_000)),
      toolResult("t1", WORDS),
      answer("m2", ["done"], used(20_000, 400)),
      boundary("l5", { trigger: "manual", preTokens: 20_500, durationMs: 33_400 }),
      summary(WORDS),
      prompt("go on"),
      answer("m3", [toolUse("t2", "Read")], used(0, 22_000)),
      toolResult("t2", WORDS),
      answer("m4", ["done"], used(22_000, 450)),
    ),
  ),
);

describe("plimsoll inspect", () => {
  it("shows what fills the window, what compactions and misses did, and what became of every line", async () => {
    const { output, exitCode } = await runPlimsoll(["inspect", "--transcript", file]);
    expect(exitCode).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "fix the parser
      █████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░┃░░░░░░░
      GREEN 22.4k of 200k · 13 % of the load line at 167k · 145k to compaction · ≈ 340 requests

      What filled the last request (22.4k tokens)
        system prompt and tools                   20.0k   89 %
        added with the compaction (not recorded)   1.7k  7.6 %
        results of Read                             400  1.8 %
        compaction summary                          298  1.3 %
        tool calls                                   50  0.2 %
        your prompts                                 12  0.1 %
        unaccounted                                   0  0.0 %

      Compactions
        manual, at 20.5k, took 33 s

      Prompt-cache misses
        a compaction: 20.4k tokens written again, $0.12

      Lines
        11: 11 parsed, 0 ignored on purpose, 0 malformed
      "
    `);
  });

  it("gives the last request's parts as JSON, which sum to its size", async () => {
    const { output } = await runPlimsoll(["inspect", "--transcript", file, "--json"]);
    const inspection = JSON.parse(output);
    expect(Object.keys(inspection)).toEqual([
      "transcript",
      "lines",
      "steps",
      "windows",
      "current",
      "compactions",
      "cacheMisses",
      "callsByTool",
      "subagents",
    ]);
    expect(inspection).toMatchObject({
      steps: 4,
      windows: 2,
      callsByTool: { Bash: 1, Read: 1 },
      current: { step: 3, contextTokens: 22_450 },
      compactions: [{ trigger: "manual", preTokens: 20_500, postTokens: null, durationMs: 33_400 }],
      cacheMisses: [{ cause: "compaction", missedTokens: 20_400, stepId: "m3" }],
      lines: { lines: 11, parsed: 11, ignored: 0, malformed: 0, unfinishedBytes: 0 },
    });
    const parts: Readonly<Record<string, number>> = inspection.current.parts;
    const sum = Object.values(parts).reduce((total, tokens) => total + tokens, inspection.current.unexplainedTokens);
    expect(sum).toBeCloseTo(22_450, 3);
    expect(Object.keys(parts).sort()).toEqual(["base", "input", "prompt", "result:Read", "summary", "withCompaction"]);
  });

  it("gives the parts of every request on demand", async () => {
    const { output } = await runPlimsoll(["inspect", "--transcript", file, "--json", "--steps"]);
    const { attribution } = JSON.parse(output);
    expect(attribution.map(({ step, contextTokens }: Record<string, number>) => [step, contextTokens])).toEqual([
      [0, 20_000],
      [1, 20_400],
      [2, 22_000],
      [3, 22_450],
    ]);
  });

  it("lists the windows of a session's subagents, the largest first, and none of another session's", async () => {
    const folder = `${file.slice(0, -".jsonl".length)}/subagents`;
    mkdirSync(folder, { recursive: true });
    const write = (agentId: string, drafts: readonly JsonObject[], sessionId = "session-1"): void =>
      writeFileSync(
        path.join(folder, `agent-${agentId}.jsonl`),
        toFile(createWriter({ isSidechain: true, agentId, sessionId })(...drafts)),
      );
    write("a1", [prompt("look at the mast"), answer("s1", ["seen"], used(0, 30_000))]);
    write("a2", [
      prompt("look at the hold"),
      answer("s2", [toolUse("t1", "Bash")], used(0, 160_000)),
      boundary("b1"),
      answer("s3", ["dry"], used(0, 9_000)),
    ]);
    write("a3", [prompt("look elsewhere"), answer("s4", ["seen"], used(0, 1_000))], "another");
    const { output } = await runPlimsoll(["inspect", "--transcript", file]);
    expect(output.slice(output.indexOf("Subagents"), output.indexOf("Lines"))).toMatchInlineSnapshot(`
      "Subagents, which have windows of their own
        task              requests  peak context  last request  compactions   cost
        look at the hold         2          160k          9.0k            1  $1.06
        look at the mast         1         30.0k         30.0k            0  $0.19

      "
    `);
    const { subagents } = JSON.parse((await runPlimsoll(["inspect", "--transcript", file, "--json"])).output);
    expect(subagents).toMatchObject([
      { title: "look at the hold", requests: 2, peakTokens: 160_000, contextTokens: 9_000, compactions: 1 },
      { title: "look at the mast", requests: 1, peakTokens: 30_000, contextTokens: 30_000, compactions: 0 },
    ]);
    // A subagent's own file has none.
    const own = await runPlimsoll(["inspect", "--transcript", path.join(folder, "agent-a2.jsonl"), "--json"]);
    expect(JSON.parse(own.output).subagents).toEqual([]);
  });

  it("has no current request in a session without answers", async () => {
    const asked = temporary.name();
    writeFileSync(asked, toFile(transcript(prompt("fix it"))));
    const { output } = await runPlimsoll(["inspect", "--transcript", asked, "--json"]);
    expect(JSON.parse(output)).toMatchObject({ steps: 0, windows: 1, current: null, compactions: [] });
    expect((await runPlimsoll(["inspect", "--transcript", asked])).output).toContain(
      "0 tool calls, size not known yet",
    );
  });
});
