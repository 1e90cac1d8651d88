/** If red: a bundle that is too large for a subagent passes the gate. */
import { describe, expect, it } from "vitest";
import {
  type ContextPreview,
  PREVIEW_CALLERS,
  type PreviewCaller,
  type PreviewOptions,
  type PreviewQuestion,
  previewContext,
} from "./preview-context.ts";

/** A bundle of exactly so many characters: one file that is only counted, and the lines around it. */
function ask(caller: string, chars: number, options: PreviewOptions = {}): ContextPreview {
  const empty = "[SYSTEM] \n[USER] \n### File 1: a.ts\n".length;
  return previewContext({ caller, files: [{ path: "a.ts", chars: chars - empty }] }, options);
}

const compat = { profile: "compat" } as const;

describe("the preview gate", () => {
  it("[R99] answers the four callers, and refuses any other by naming them", () => {
    expect(PREVIEW_CALLERS.map((caller) => ask(caller, 100).caller)).toEqual(["adversary", "team", "review", "audit"]);
    expect(() => ask("cook", 100)).toThrow(new TypeError('caller takes adversary, team, review, audit, not "cook"'));
  });

  it.each([
    [4000, 1000],
    [4003, 1000],
    [4004, 1001],
  ])("[R100] estimates %i characters as %i tokens, rounded down", (chars, tokens) => {
    expect(ask("team", chars)).toMatchObject({ total_chars: chars, estimated_tokens: tokens });
  });

  it("[R100] has the calibrated estimate and its upper bound next to it, and gates by the upper bound", () => {
    const text = "export function total(items: readonly Item[]): number {\n  return items.length * 2;\n}\n".repeat(
      1000,
    );
    const question = { caller: "team", files: [{ path: "a.ts", text }] };
    const preview = previewContext(question);
    expect(preview.calibrated_tokens).toBeGreaterThan(preview.estimated_tokens);
    expect(preview.upper_tokens).toBeGreaterThan(preview.calibrated_tokens * 1.2);
    expect(preview.gated_tokens).toBe(preview.upper_tokens);
    expect(preview.action).toBe("warn");
    expect(previewContext(question, compat)).toMatchObject({
      gated_tokens: preview.estimated_tokens,
      action: "proceed",
    });
  });

  it("[R101] counts both prompts, every heading and every body, after truncation and redaction", () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const question: PreviewQuestion = {
      caller: "team",
      system: "be strict",
      user: "look at it",
      files: [
        { path: "a.ts", text: "x".repeat(50) },
        { path: "b.ts", text: `const token = ${token}` },
      ],
    };
    const expected = [
      "[SYSTEM] be strict",
      "[USER] look at it",
      "### File 1: a.ts",
      `${"x".repeat(15)}... [truncated]`,
      "### File 2: b.ts",
      "const token = [REDACTED]",
    ].join("\n");
    const preview = previewContext(question, { maxFileChars: 30 });
    expect(preview.total_chars).toBe(expected.length);
    expect(preview.top_5_files_by_size).toEqual([
      { path: "a.ts", chars: 30 },
      { path: "b.ts", chars: 24 },
    ]);
  });

  it("[R102] knows that a quarter of the characters is far too little for Chinese and too much for repetition", () => {
    const chinese = previewContext({
      caller: "team",
      files: [{ path: "a.md", text: "上下文窗口的载重线。".repeat(1000) }],
    });
    expect(chinese.calibrated_tokens).toBeGreaterThan(chinese.estimated_tokens * 3);
    const repeated = previewContext({ caller: "team", files: [{ path: "a.md", text: "a".repeat(10_000) }] });
    expect(repeated.calibrated_tokens).toBeLessThan(repeated.estimated_tokens);
  });

  it.each<[PreviewCaller, number, number]>([
    ["adversary", 50_000, 100_000],
    ["team", 30_000, 80_000],
    ["review", 40_000, 100_000],
    ["audit", 60_000, 120_000],
  ])("[R103] warns %s at %i tokens and blocks at %i, not one token before", (caller, warnAt, blockAt) => {
    const actions = [warnAt - 1, warnAt, blockAt - 1, blockAt].map((tokens) => ask(caller, tokens * 4, compat).action);
    expect(actions).toEqual(["proceed", "warn", "warn", "block"]);
  });

  it("[R104] says what each caller does instead when it is blocked, and nothing otherwise", () => {
    expect(PREVIEW_CALLERS.map((caller) => ask(caller, 1_000_000).on_block)).toEqual([
      {
        signal: "oracle.failed",
        reason: "context_budget_exceeded",
        advice: "abort, and emit oracle.failed reason=context_budget_exceeded",
        split: null,
      },
      {
        signal: null,
        reason: "context_budget_exceeded",
        advice: "reduce the worker's scope, or split it between 2 workers",
        split: null,
      },
      {
        signal: null,
        reason: "context_budget_exceeded",
        advice: "ask the user to review fewer files",
        split: null,
      },
      { signal: null, reason: "context_budget_exceeded", advice: "reduce the audit to one pack", split: null },
    ]);
    expect(ask("team", 100).on_block).toBeNull();
  });

  it("[R104] proposes to a team how to split the worker in two", () => {
    const files = [300_000, 200_000, 150_000, 10_000].map((chars, index) => ({ path: `${index}.ts`, chars }));
    expect(previewContext({ caller: "team", files }).on_block?.split).toEqual([
      ["0.ts", "3.ts"],
      ["1.ts", "2.ts"],
    ]);
  });

  it("[R105] has the seed's payload, the five largest files in descending order", () => {
    const files = [5, 1, 9, 3, 7, 2].map((chars) => ({ path: `${chars}.ts`, chars }));
    const { type, caller, estimated_tokens, file_count, top_5_files_by_size, threshold, action } = previewContext({
      caller: "audit",
      files,
    });
    expect({ type, caller, estimated_tokens, file_count, threshold, action }).toEqual({
      type: "context.preview",
      caller: "audit",
      estimated_tokens: 38,
      file_count: 6,
      threshold: { warn_at: 60_000, block_at: 120_000 },
      action: "proceed",
    });
    expect(top_5_files_by_size).toEqual([9, 7, 5, 3, 2].map((chars) => ({ path: `${chars}.ts`, chars })));
  });

  it.each(["RUNE", "PLIMSOLL"])("[R107] takes thresholds from %s_CONTEXT_THRESHOLDS_TEAM", (prefix) => {
    const environment = { [`${prefix}_CONTEXT_THRESHOLDS_TEAM`]: "warn:10,block:20" };
    expect(ask("team", 80, { ...compat, environment })).toMatchObject({
      threshold: { warn_at: 10, block_at: 20 },
      action: "block",
      warnings: [],
    });
    expect(ask("audit", 80, { ...compat, environment })).toMatchObject({ action: "proceed" });
  });

  it("[R107] prefers our own variable", () => {
    const environment = {
      RUNE_CONTEXT_THRESHOLDS_TEAM: "warn:1,block:2",
      PLIMSOLL_CONTEXT_THRESHOLDS_TEAM: "warn:3,block:4",
    };
    expect(ask("team", 80, { environment }).threshold).toEqual({ warn_at: 3, block_at: 4 });
  });

  it.each([
    "60000",
    "warn:60000",
    "warn:x,block:y",
    "warn:9,block:8",
    "warn:-1,block:8",
    "warn:1,block:2,",
    "warn:0,block:0",
  ])("[R107] keeps the default and warns about %j", (text) => {
    const preview = ask("team", 80, { environment: { RUNE_CONTEXT_THRESHOLDS_TEAM: text } });
    expect(preview.threshold).toEqual({ warn_at: 30_000, block_at: 80_000 });
    expect(preview.warnings).toEqual([
      "RUNE_CONTEXT_THRESHOLDS_TEAM is not valid: write warn:30000,block:80000, with warn not above block; until then, these defaults apply",
    ]);
  });

  it("[R108] refuses to answer after the bundle was built", () => {
    expect(() => previewContext({ caller: "team", files: [], isBundleBuilt: true })).toThrow(
      new TypeError("isBundleBuilt: preview a bundle before you build it, not after"),
    );
  });

  it("refuses options that mean nothing, and takes counts that are none for nothing", () => {
    expect(() => ask("team", 80, { maxFileChars: -1 })).toThrow(/^maxFileChars takes a number/);
    // @ts-expect-error no such profile
    expect(() => ask("team", 80, { profile: "exact" })).toThrow(/^profile takes calibrated or compat/);
    const none = previewContext({ caller: "team", files: [] }).total_chars;
    const bad = previewContext({ caller: "team", files: [{ path: "", chars: Number.NaN }] });
    expect(bad.total_chars - none).toBe("\n### File 1: \n".length);
  });
});
