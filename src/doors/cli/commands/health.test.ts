import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll, type TerminalOptions } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  agentProgress,
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";

const temporary = createTemporaryFolder();

function write(...drafts: readonly JsonObject[]): string {
  const file = temporary.name();
  writeFileSync(file, toFile(transcript(...drafts)));
  return file;
}

async function readHealth(
  file: string,
  more: readonly string[] = [],
  options: TerminalOptions = {},
): Promise<JsonObject> {
  const { output, remarks, exitCode } = await runPlimsoll(["health", "--transcript", file, "--json", ...more], options);
  expect({ remarks, exitCode }).toEqual({ remarks: "", exitCode: 0 });
  return JSON.parse(output);
}

async function renderHealth(
  file: string,
  more: readonly string[] = [],
  options: TerminalOptions = {},
): Promise<string> {
  return (await runPlimsoll(["health", "--transcript", file, ...more], options)).output;
}

const read = (tokens: number): JsonObject => ({ cache_read_input_tokens: tokens, input_tokens: 0 });

/** An answer as a client records it that leaves the usage out. */
function unmeasured(id: string, ...blocks: readonly JsonObject[]): JsonObject {
  return { type: "assistant", message: { id, role: "assistant", model: "claude-opus-4-6", content: blocks } };
}

describe("plimsoll health", () => {
  it.each(["cook", "team", "rescue", "context-pack", "session-bridge", "adversary"])(
    "[R9] [R28] answers the caller %s with the report, the boundary and what to do",
    async (caller) => {
      const file = write(
        prompt("fix it"),
        answer("m1", [toolUse("t1", "Edit", { file_path: "/p/hull.ts" })], read(140_000)),
        toolResult("t1", "ok"),
        answer("m2", [toolUse("t2", "Read", { file_path: "/p/mast.ts" })], read(141_000)),
        toolResult("t2", "a mast"),
      );
      const report = await renderHealth(file, ["--caller", caller]);
      expect(report.split("\n")[0]).toBe("## Context Health");
      expect(report).toContain("- boundary: after the tests of /p/hull.ts pass");
      expect(report).toContain(`recommendation for ${caller}, `);
      expect(report).toContain("compact-at-boundary");
    },
  );

  it("[R7] refuses an occasion on which the caller does not ask", async () => {
    const file = write(prompt("fix it"), answer("m1", ["done"], read(20_000)));
    const { remarks, exitCode } = await runPlimsoll([
      "health",
      "--transcript",
      file,
      "--caller",
      "team",
      "--occasion",
      "tea",
    ]);
    expect(exitCode).not.toBe(0);
    expect(remarks).toContain("before-dispatch, after-merge");
  });

  it("shows the load line, its source and the counts", async () => {
    const file = write(
      { type: "custom-title", customTitle: "fix the parser" },
      prompt("fix it"),
      answer("m1", [toolUse("t1", "Bash")], read(90_000)),
      toolResult("t1", "ok"),
      answer("m2", ["done"], read(100_200)),
    );
    expect(await renderHealth(file)).toMatchInlineSnapshot(`
      "fix the parser
      ████████████████████████░░░░░░░░░░░░░░░░┃░░░░░░░
      YELLOW 100k of 200k · 60 % of the load line at 167k · 66.8k to compaction · ≈ 6 requests
      1 tool call · 2 requests · 0 compactions · claude-opus-4-6
      source: usage (exact): usage of the last request

      ## Context Health
      - **Utilization**: 50%
      - **Status**: YELLOW
      - **Tool Calls**: 1
      - **Recommendation**: load-essential-only

      ### Critical Context (preserved on compaction)
      - Task: nothing is open: "fix it" was answered; wait for the user's next prompt
      - Phase: research
      - Decisions: 0 saved to .plimsoll/
      - Files touched: none
      - Blockers: none

      ### Context Budget
      - **Baseline cost**: ~90k tokens (45% of estimated window)
      - **Recommendation**: run \`plimsoll audit\`: it counts MCP tools by server and names what to disable
      "
    `);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const documented = readFileSync(new URL("../../../../docs/json.md", import.meta.url), "utf8")
      .split("## `plimsoll health --json`")[1]
      ?.split("\n## ")[0]
      ?.split("\n")
      .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const health = await readHealth(write(prompt("fix it"), answer("m1", ["done"], read(20_000))));
    expect(Object.keys(health).sort()).toEqual([...(documented ?? [])].sort());
    for (const field of [
      "level",
      "profile",
      "source",
      "confidence",
      "usedTokens",
      "windowTokens",
      "compactionPointTokens",
      "toolCalls",
    ])
      expect(health).toHaveProperty(field);
  });

  it("reads the newest session of the project it is started in", async () => {
    const home = path.join(temporary.folder, "home");
    const project = path.join(home, ".claude", "projects", "-work-my-project");
    mkdirSync(path.join(project, "s", "subagents"), { recursive: true });
    const files = ["old.jsonl", "new.jsonl", "s/subagents/agent-1.jsonl"].map((name, index) => {
      const file = path.join(project, name);
      writeFileSync(file, toFile(transcript(prompt("x"), answer("m1", ["y"], read(1000 * (index + 1))))));
      utimesSync(file, 1000 + index, 1000 + index);
      return file;
    });
    const { output } = await runPlimsoll(["health", "--json"], {
      environment: { HOME: home },
      directory: "/work/my.project",
    });
    expect(JSON.parse(output)).toMatchObject({ transcript: files[1], usedTokens: 2000 });
  });
});

describe("the tool calls", () => {
  it("[R12] are all calls of this conversation: parallel, split over lines, of any tool, and none of a subagent", async () => {
    const side = { ...answer("m9", [toolUse("t9", "Grep"), toolUse("t10", "Grep")], read(9000)), isSidechain: true };
    const file = write(
      prompt("fix it"),
      answer("m1", ["I look", toolUse("t1", "Read")], read(20_000)),
      answer("m1", [toolUse("t2", "Read")], read(20_000)),
      answer("m1", [toolUse("t3", "mcp__docs__search"), toolUse("t4", "Task")], read(20_000)),
      toolResult("t1", "a"),
      toolResult("t2", "b"),
      toolResult("t3", "c"),
      side,
      agentProgress(answer("m8", [toolUse("t8", "Grep")], read(9000))),
      toolResult("t4", "d"),
      answer("m2", [toolUse("t5", "Edit")], read(22_000)),
    );
    expect(await readHealth(file)).toMatchObject({ toolCalls: 5, steps: 2, usedTokens: 22_000, lane: "main" });
  });

  it("[R17] go by the table for large files after three Reads of 501 lines, and not after 500", async () => {
    const session = (lines: number): string => {
      const text = Array.from({ length: lines }, (_, index) => `${index + 1}\tx`).join("\n");
      const reads = ["t1", "t2", "t3"];
      return write(
        answer(
          "m1",
          reads.map((id) => toolUse(id, "Read")),
          read(20_000),
        ),
        ...reads.map((id) => toolResult(id, text)),
        answer(
          "m2",
          Array.from({ length: 37 }, (_, index) => toolUse(`b${index}`, "Bash")),
          read(30_000),
        ),
      );
    };
    const calls = ["--profile", "calls"];
    expect(await readHealth(session(501), calls)).toMatchObject({
      level: "YELLOW",
      hasLargeFiles: true,
      toolCalls: 40,
    });
    expect(await readHealth(session(500), calls)).toMatchObject({
      level: "GREEN",
      hasLargeFiles: false,
      toolCalls: 40,
    });
    expect(await renderHealth(session(501), calls)).toContain("40 tool calls, 3 large reads");
  });
});

describe("without usage", () => {
  const file = write(
    prompt("fix it"),
    unmeasured("m1", toolUse("t1", "Read")),
    unmeasured("m2", toolUse("t2", "Bash")),
  );

  it("[R13] shows nothing but a number of calls, called directional", async () => {
    expect(await readHealth(file)).toMatchObject({
      usedTokens: null,
      lowTokens: null,
      highTokens: null,
      tokensToLine: null,
      confidence: "directional",
      source: "calls",
      profile: "calls",
      toolCalls: 2,
    });
  });

  it("[R13] carries the note, and no percentage", async () => {
    const text = await renderHealth(file);
    expect(text).toContain("Note: tool call count is directional, not a measured size.");
    expect(text).toContain("2 tool calls, size not known yet");
    expect(text).not.toContain("%");
  });

  it("[R13] carries the note wherever calls decide, and nowhere else", async () => {
    const measured = write(prompt("fix it"), answer("m1", ["done"], read(20_000)));
    expect(await renderHealth(measured, ["--profile", "calls"])).toContain("Note: tool call count is directional");
    expect(await renderHealth(measured)).not.toContain("Note:");
  });
});

describe("the size", () => {
  it("is that of the last real answer: no synthetic line, no API error, no subagent", async () => {
    const synthetic = { type: "assistant", message: { id: "x", model: "<synthetic>", role: "assistant", content: [] } };
    const file = write(
      prompt("fix it"),
      answer("m1", ["done"], { input_tokens: 3, cache_read_input_tokens: 80_000, cache_creation_input_tokens: 2000 }),
      { ...answer("m2", ["x"], read(5)), isSidechain: true },
      { ...synthetic, message: { ...synthetic.message, usage: { input_tokens: 0 } } },
      { ...answer("m3", ["Prompt is too long"], { input_tokens: 0 }), isApiErrorMessage: true },
    );
    expect(await readHealth(file)).toMatchObject({ usedTokens: 82_003, source: "usage", confidence: "exact" });
  });

  it("[R160] follows the usage and not the characters of the transcript", async () => {
    const session = (characters: number, tokens: number): string =>
      write(
        prompt("x".repeat(characters)),
        answer("m1", [toolUse("t1", "Read")], read(tokens - 1000)),
        toolResult("t1", "y".repeat(characters)),
        answer("m2", ["z".repeat(characters)], read(tokens)),
      );
    expect(await readHealth(session(10, 60_000))).toMatchObject({ usedTokens: 60_000 });
    expect(await readHealth(session(100_000, 60_000))).toMatchObject({ usedTokens: 60_000 });
    expect(await readHealth(session(10, 61_000))).toMatchObject({ usedTokens: 61_000 });
  });

  const before = [prompt("fix it"), answer("m1", ["one"], read(20_000)), answer("m2", ["two"], read(160_000))];

  it.each([
    ["without", {}],
    ["with", { postTokens: 5000 }],
  ])(
    "is an estimate right after a compaction %s postTokens, never the old usage, and says so",
    async (_how, metadata) => {
      const file = write(...before, boundary("l3", { preTokens: 161_000, ...metadata }), summary("what happened"));
      const health = await readHealth(file);
      expect(health).toMatchObject({ source: "estimate", confidence: "estimated", compactions: 1 });
      expect(health.note).toContain("compacted, and no request since");
      expect([160_000, 161_000]).not.toContain(health.usedTokens);
      expect(health.usedTokens).toBeLessThan(60_000);
      expect(await renderHealth(file)).toMatch(/about .*\n.*compacted, and no request since.*\nbetween .* and /s);
    },
  );

  it("is the usage again with the next answer", async () => {
    const file = write(...before, boundary("l3"), summary("what happened"), answer("m3", ["three"], read(41_000)));
    expect(await readHealth(file)).toMatchObject({
      source: "usage",
      usedTokens: 41_000,
      lastCompaction: { trigger: "auto", preTokens: 167_000, postTokens: null },
    });
  });
});

describe("the person's settings", () => {
  const file = write({ ...prompt("x"), cwd: temporary.folder }, answer("m1", ["y"], read(60_300)));

  it("move the line", async () => {
    const environment = { HOME: "/home/nobody", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };
    expect(await readHealth(file, [], { environment })).toMatchObject({
      compactionPointTokens: 67_000,
      compactionPointSource: "setting",
      level: "RED",
    });
    expect(await readHealth(file)).toMatchObject({ compactionPointTokens: 167_000, level: "GREEN" });
  });

  it("are those of the session's project, not of the folder one happens to stand in", async () => {
    mkdirSync(path.join(temporary.folder, ".claude"));
    writeFileSync(path.join(temporary.folder, ".claude", "settings.json"), '{"autoCompactWindow":120000}');
    expect(await readHealth(file)).toMatchObject({ compactionPointTokens: 87_000 });
  });

  it("choose the profile", async () => {
    expect(await readHealth(file, ["--profile", "percent"])).toMatchObject({ profile: "percent", level: "GREEN" });
  });
});

describe("what was passed over", () => {
  it("is told", async () => {
    const file = temporary.name();
    const lines = transcript(prompt("x"), answer("m1", ["y"], read(20_000)), { type: "from-the-future" });
    writeFileSync(file, `${toFile(lines)}{"broken":\n{"type":"user","mess`);
    expect(await renderHealth(file)).toContain(
      "1 malformed line skipped\n1 line of a type this version does not know\n20 bytes of an unfinished last line not counted",
    );
    expect(await readHealth(file)).toMatchObject({
      lines: { lines: 4, parsed: 2, ignored: 1, malformed: 1, unknown: 1, unfinishedBytes: 20 },
    });
  });
});
