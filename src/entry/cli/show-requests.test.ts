/** If red: the table of requests does not add up to what plimsoll stats says of the same session. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();

const SAMPLE = path.resolve(import.meta.dirname, "../../../samples/demo-session.jsonl");
const run = (words: readonly string[], columns = 80) =>
  runPlimsoll(["inspect", "--requests", "--transcript", SAMPLE, ...words], { columns });

describe("plimsoll inspect --requests", () => {
  it("[R152] shows every request's tokens, growth, cache and cost, and their totals", async () => {
    const { output } = await run(["--last", "3"]);
    const lines = output.split("\n");
    expect(lines[0]).toMatch(/^request +turn +context +growth +cached +output +cost$/);
    expect(lines[3]).toMatch(/^55 +6 +114k +\+403 +100 % +59 +\$0\.0365$/);
    expect(output).toContain("55 requests in 6 turns, 70 tool calls, in the main conversation only");
  });

  it("[R128] counts the requests that stopped at the first layer", async () => {
    expect((await run([])).output).toContain("55 of them (100.0 %) needed no compaction before they were sent");
    const file = path.join(temporary.folder, "compacted.jsonl");
    const requests = Array.from({ length: 2000 }, (_, index) => answer(`m${index}`, ["x"]));
    writeFileSync(file, toFile(transcript(prompt("x"), ...requests, boundary("l2001"), answer("last", ["y"]))));
    const words = ["inspect", "--requests", "--transcript", file];
    expect((await runPlimsoll(words)).output).toContain(
      "2000 of them (99.9 %) needed no compaction before they were sent",
    );
    const { totals } = JSON.parse((await runPlimsoll([...words, "--json"])).output);
    expect(totals).toMatchObject({ requests: 2001, firstLayerRequests: 2000, firstLayerShare: 2000 / 2001 });
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

  it("says of an old client's output that it is a lower bound, and nothing of a new one's", async () => {
    const file = path.join(temporary.folder, "old.jsonl");
    const old = { ...answer("m1", ["x"], { output_tokens: 562 }), version: "2.1.40" };
    writeFileSync(file, toFile(transcript(prompt("x"), old, answer("m2", ["y"], { output_tokens: 7 }))));
    const words = ["inspect", "--requests", "--transcript", file];
    const { output } = await runPlimsoll(words);
    expect(output).toMatch(/^1 .* \u2265562 +\u2265\$/m);
    expect(output).toMatch(/^2 .* 7 +\$/m);
    expect(output).toContain("at least 569 output, at least $");
    expect(output).toContain("\u2265 at least: older versions of the agent logged the output of 1 request too early");
    expect(JSON.parse((await runPlimsoll([...words, "--json"])).output).totals.unfinalOutputRequests).toBe(1);
    expect((await run([])).output).not.toContain("\u2265");
  });

  it("fits into a narrow terminal", async () => {
    const { output } = await run(["--last", "3"], 40);
    for (const line of output.split("\n").slice(0, 4)) expect(line.length).toBeLessThanOrEqual(40);
  });
});
