/** If red: plimsoll stats gives other sums from two threads than from one. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { CORPUS, listCorpus } from "../../lab/bench/corpus.ts";
import { scanUsage } from "../../src/hosts/claude-code/disk/scan-usage.ts";
import { withCorpus } from "../support/needs.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

// The program keeps an index in its home, which must not be that of whoever runs the tests.
const { name } = createTemporaryFolder();
const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

withCorpus.describe("the accounts of all recorded sessions", () => {
  it("are the same from two threads as from one", () => {
    const env = { ...process.env, CLAUDE_CONFIG_DIR: name() };
    const printed = execFileSync(process.execPath, [PROGRAM, "stats", CORPUS, "--json"], {
      env,
      maxBuffer: 1 << 26,
    }).toString();
    const { totals, files } = JSON.parse(printed);
    const steps = new Map(
      listCorpus().flatMap((file) => scanUsage(file).steps.map((step) => [step.stepId, step.usage])),
    );
    const sum = (
      pick: (usage: { readonly cacheReadTokens: number; readonly outputTokens: number }) => number,
    ): number => [...steps.values()].reduce((total, usage) => total + pick(usage), 0);
    expect(files).toBe(listCorpus().length);
    expect(totals.requests).toBe(steps.size);
    expect(totals.cacheReadTokens).toBe(sum((usage) => usage.cacheReadTokens));
    expect(totals.outputTokens).toBe(sum((usage) => usage.outputTokens));
  });
});
