/** If red: the load of a real session is not what its client was billed for. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { CORPUS, listCorpus, readCorpus } from "../../lab/bench/corpus.ts";
import { judgeCalibration } from "../../src/entry/cli/stats/stats-summaries.ts";
import { quantile } from "../../src/measure/quantile.ts";
import { attributeSession } from "../../src/recorded/assess-session.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { withCorpus } from "../support/needs.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const nameOf = (file: string): string => path.relative(CORPUS, file);

interface ReportedHealth {
  readonly usedTokens: number | null;
  readonly lowTokens: number | null;
  readonly highTokens: number | null;
  readonly source: string;
  readonly confidence: string;
  readonly note: string;
  readonly level: string;
  readonly toolCalls: number;
}

async function readHealth(file: string): Promise<ReportedHealth> {
  const { output, exitCode, remarks } = await runPlimsoll(["health", "--transcript", file, "--json"]);
  expect({ exitCode, remarks }, nameOf(file)).toEqual({ exitCode: 0, remarks: "" });
  return JSON.parse(output);
}

/** What the loop below looks at. It looks for itself, and shares nothing with the reader under test. */
interface Line {
  readonly uuid?: string;
  readonly type?: string;
  readonly subtype?: string;
  readonly compactMetadata?: { readonly trigger?: string };
  readonly isSidechain?: boolean;
  readonly isCompactSummary?: boolean;
  readonly isApiErrorMessage?: boolean;
  readonly message?: {
    readonly model?: string;
    readonly content: readonly { readonly type: string; readonly id: string }[];
    readonly usage?: Readonly<Record<string, number>>;
  };
}

interface Boundary {
  /** Where its line starts in the file's text, and where it ends. */
  readonly start: number;
  readonly end: number;
  readonly isAutomatic: boolean;
  /** The usage that was last told before it. */
  readonly usedBefore: number | undefined;
}

interface PlainReading {
  readonly usedTokens: number | undefined;
  readonly toolCallIds: ReadonlySet<string>;
  readonly boundaries: readonly Boundary[];
}

function readPlainly(file: string): PlainReading {
  const lines: { readonly line: Line; readonly start: number; readonly end: number }[] = [];
  let end = 0;
  for (const text of readFileSync(file, "utf8").split("\n")) {
    const start = end;
    end += text.length + 1;
    try {
      const line: Line = JSON.parse(text);
      if (line.uuid) lines.push({ line, start, end });
    } catch {
      // Not a record: nothing to learn from it here.
    }
  }
  const isSide = lines.every(({ line }) => line.isSidechain === true);
  const toolCallIds = new Set<string>();
  const boundaries: Boundary[] = [];
  let usedTokens: number | undefined;
  for (const { line, ...place } of lines) {
    if ((line.isSidechain === true) !== isSide) continue;
    if (line.subtype === "compact_boundary") {
      boundaries.push({ ...place, isAutomatic: line.compactMetadata?.trigger === "auto", usedBefore: usedTokens });
      usedTokens = undefined;
    }
    // Old clients wrote a summary without a boundary.
    if (line.isCompactSummary === true) usedTokens = undefined;
    const { message } = line;
    if (line.type !== "assistant" || !message || message.model === "<synthetic>" || line.isApiErrorMessage) continue;
    for (const { type, id } of message.content) if (type === "tool_use") toolCallIds.add(id);
    const counts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    if (message.usage) usedTokens = counts.reduce((sum, name) => sum + (message.usage?.[name] ?? 0), 0);
  }
  return { usedTokens, toolCallIds, boundaries };
}

withCorpus.describe("every recorded session", () => {
  const sessions: { readonly file: string; readonly plain: PlainReading; readonly health: ReportedHealth }[] = [];

  beforeAll(async () => {
    for (const file of listCorpus()) sessions.push({ file, plain: readPlainly(file), health: await readHealth(file) });
  });

  it("is measured by exactly the usage of its last real answer after its last compaction", () => {
    const measured = sessions.filter(({ plain }) => plain.usedTokens !== undefined);
    expect(measured.length).toBeGreaterThan(100);
    expect(
      measured.map(({ file, health }) => [nameOf(file), health.usedTokens, health.source, health.confidence]),
    ).toEqual(measured.map(({ file, plain }) => [nameOf(file), plain.usedTokens, "usage", "exact"]));
  });

  it("[R12] has as many tool calls as a plain count finds", () => {
    expect(sessions.map(({ file, health }) => [nameOf(file), health.toolCalls])).toEqual(
      sessions.map(({ file, plain }) => [nameOf(file), plain.toolCallIds.size]),
    );
  });

  it("is estimated when it ends at a compaction, says so, and never quotes the usage before", async () => {
    let cuts = 0;
    for (const { file, plain } of sessions) {
      for (const { end, usedBefore } of plain.boundaries) {
        const health = await readHealth(cut(file, end));
        expect([nameOf(file), health.source, health.confidence]).toEqual([nameOf(file), "estimate", "estimated"]);
        expect(health.note).toContain("no request has followed the last compaction");
        expect(health.usedTokens).not.toBe(usedBefore);
        expect(health.usedTokens).toBeGreaterThanOrEqual(health.lowTokens ?? Number.NaN);
        expect(health.usedTokens).toBeLessThanOrEqual(health.highTokens ?? Number.NaN);
        cuts++;
      }
    }
    expect(cuts).toBeGreaterThan(30);
  });

  it("is at its line right before the client compacts by itself", async () => {
    let cuts = 0;
    for (const { file, plain } of sessions) {
      for (const { start } of plain.boundaries.filter(({ isAutomatic, usedBefore }) => isAutomatic && usedBefore)) {
        expect([nameOf(file), (await readHealth(cut(file, start))).level]).toEqual([nameOf(file), "RED"]);
        cuts++;
      }
    }
    expect(cuts).toBeGreaterThan(30);
  });
});

/** A copy of the first characters of a file. */
function cut(file: string, end: number): string {
  const copy = path.join(temporary.folder, "cut.jsonl");
  writeFileSync(copy, readFileSync(file, "utf8").slice(0, end));
  return copy;
}

withCorpus.describe("over all recorded sessions", () => {
  const alternating: number[] = [];
  const laterHalf: number[] = [];
  const unexplainedShares: number[] = [];
  let worstSum = 0;
  let steps = 0;

  beforeAll(async () => {
    for await (const { recording } of readCorpus()) {
      const judgement = judgeCalibration(recording);
      alternating.push(...(judgement?.errors.alternating ?? []).map(Math.abs));
      if (judgement) laterHalf.push(Math.abs(judgement.errors.laterHalf));
      for (const { parts, unexplainedTokens, contextTokens } of attributeSession({ recording })) {
        const sum = Object.values(parts).reduce((total, tokens) => total + tokens, unexplainedTokens);
        worstSum = Math.max(worstSum, Math.abs(sum - contextTokens));
        if (contextTokens > 0) unexplainedShares.push(Math.abs(unexplainedTokens) / contextTokens);
        steps++;
      }
    }
  });

  it("half of a session's steps predict the growth of the other half: median within 5 %, 95 of 100 within 15 %", () => {
    expect(laterHalf.length).toBeGreaterThan(50);
    for (const errors of [alternating, laterHalf]) {
      expect(quantile(errors, 0.5)).toBeLessThanOrEqual(0.05);
      expect(quantile(errors, 0.95)).toBeLessThanOrEqual(0.15);
    }
  });

  it("the parts of every request and what is unexplained sum to what was recorded", () => {
    expect(steps).toBeGreaterThan(5000);
    expect(worstSum).toBeLessThan(1);
  });

  it("at the median no more than 2 % of a request is unexplained", () => {
    expect(quantile(unexplainedShares, 0.5)).toBeLessThanOrEqual(0.02);
  });
});
