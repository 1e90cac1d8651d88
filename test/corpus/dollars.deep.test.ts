/** If red: the costs of real sessions differ from what an independent counter finds. */
import { describe, expect, it } from "vitest";
import { CORPUS, hasCorpus } from "../../lab/bench/corpus.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const temporary = createTemporaryFolder();

/** The public recordings have no request in fast mode, and none above 200,000 tokens on a model that charges more for it. */
describe.skipIf(!hasCorpus)("the recorded sessions next to the project", () => {
  it("cost what the reference says: ccusage 20.0.24 counts the same tokens and $1,146.78", async () => {
    const { output } = await runPlimsoll(["stats", CORPUS, "--json"], { environment: { HOME: temporary.folder } });
    const { totals, rows } = JSON.parse(output);
    expect(totals).toMatchObject({
      inputTokens: 226_169,
      cacheWriteTokens: 44_354_163,
      cacheReadTokens: 1_452_703_165,
      outputTokens: 3_313_149,
      unpricedRequests: 0,
      priceIsAssumed: false,
    });
    expect(totals.totalUsd).toBeCloseTo(1146.78, 2);
    const sum = rows.reduce((usd: number, row: { readonly totalUsd: number }) => usd + row.totalUsd, 0);
    expect(sum).toBeCloseTo(totals.totalUsd, 6);
  });
});
