import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";

const SAMPLE = path.resolve(import.meta.dirname, "../../../samples/demo-session.jsonl");
const run = (words: readonly string[], columns = 80) =>
  runPlimsoll(["telemetry", "--transcript", SAMPLE, ...words], { columns });

describe("plimsoll telemetry", () => {
  it("[R152] shows every request's tokens, growth, cache and cost, and their totals", async () => {
    const { output } = await run(["--last", "3"]);
    const lines = output.split("\n");
    expect(lines[0]).toMatch(/^request +turn +context +growth +cached +output +cost$/);
    expect(lines[3]).toMatch(/^55 +6 +114k +\+403 +100 % +59 +\$0\.0365$/);
    expect(output).toContain("55 requests in 6 turns, 70 tool calls");
  });

  it("[R152] adds up to what stats counts for the same session", async () => {
    const { totals, requests } = JSON.parse((await run(["--json"])).output);
    const stats = JSON.parse((await runPlimsoll(["stats", SAMPLE, "--json"])).output);
    expect(requests).toHaveLength(totals.requests);
    expect(totals).toMatchObject({
      requests: stats.totals.requests,
      cacheReadTokens: stats.totals.cacheReadTokens,
      cacheWriteTokens: stats.totals.cacheWriteTokens,
      outputTokens: stats.totals.outputTokens,
    });
    expect(totals.usd).toBeCloseTo(stats.totals.totalUsd);
  });

  it("fits into a narrow terminal", async () => {
    const { output } = await run(["--last", "3"], 40);
    for (const line of output.split("\n").slice(0, 4)) expect(line.length).toBeLessThanOrEqual(40);
  });
});
