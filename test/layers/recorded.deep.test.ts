/** If red: layers refuse or break requests of real sessions. */
import { expect, it } from "vitest";
import { readCorpus } from "../../lab/bench/corpus.ts";
import { emptyLedger } from "../../src/core/layer.ts";
import { runPipeline } from "../../src/core/pipeline.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createLayers } from "../../src/layers/catalogue.ts";
import { estimateMessageTokens } from "../../src/models/tokens.ts";
import { findBreaches } from "../support/layer-contract.ts";
import { withCorpus } from "../support/needs.ts";
import { createCachedCounter, createRecordedHistory } from "./recorded-history.ts";

/** Every fourth session is enough to notice a change; `npm run lab -- bench layers` counts all of them. */
const STRIDE = 4;
const LINE_TOKENS = 147_000;

withCorpus.describe("the layers on recorded sessions", () => {
  it("[R128] let 99 % of the requests stop at layer 1, and refuse nothing of their own", async () => {
    let [requests, beyond, session] = [0, 0, 0];
    for await (const { recording } of readCorpus()) {
      if (session++ % STRIDE !== 0) continue;
      const { messages, requests: ends } = createRecordedHistory(recording, "start");
      const countTokens = createCachedCounter((message) => estimateMessageTokens(message, "classic"));
      const { row } = createLayers({ vocabulary: claudeCodeVocabulary, collapseExchanges: { eager: false } });
      let ledger = emptyLedger;
      for (const end of ends) {
        const view = { messages: messages.slice(0, end), layers: row, ledger, targetTokens: LINE_TOKENS, countTokens };
        const result = runPipeline(view);
        ({ ledger } = result);
        requests++;
        const acted = result.report.layers.filter(({ applied }) => applied > 0).map(({ layer }) => layer);
        if (acted.some((layer) => layer !== "foldOutputs")) beyond++;
        expect(result.report.layers.flatMap(({ refused, failure }) => [...refused, failure ?? []].flat())).toEqual([]);
      }
    }
    expect(requests).toBeGreaterThan(1_500);
    expect(1 - beyond / requests).toBeGreaterThanOrEqual(0.99);
  });

  it("keep their contract on the last request of recorded sessions", async () => {
    let session = 0;
    for await (const { recording } of readCorpus()) {
      if (session++ % (STRIDE * 3) !== 0) continue;
      const { messages } = createRecordedHistory(recording, "lastCompaction");
      const { foldOutputs, clearStale, collapseExchanges } = createLayers({
        vocabulary: claudeCodeVocabulary,
        clearStale: { clearAtLeast: 0 },
        collapseExchanges: { leastTokens: 2_000, maxTailTokens: 10_000 },
      });
      for (const layer of [foldOutputs, clearStale, collapseExchanges]) {
        const breaches = findBreaches(layer, messages);
        // Never a text of a session in a failure.
        expect({ layer: layer.name, kinds: [...new Set(breaches.map((breach) => breach.split(":")[0]))] }).toEqual({
          layer: layer.name,
          kinds: [],
        });
      }
    }
  });
});
