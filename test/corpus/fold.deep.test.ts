/** If red: folding real outputs loses bytes, or hides what was used next. */
import { expect, it } from "vitest";
import { readCorpus } from "../../lab/bench/corpus.ts";
import { addResult, type FoldRow, isFolded } from "../../lab/bench/fold-table.ts";
import { listUsedResults } from "../../lab/bench/fold-usage.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/core/utf8.ts";
import { ARTIFACT_HEADER_LINES, renderArtifactFile } from "../../src/fold/artifact-file.ts";
import { DEFAULT_BUDGET } from "../../src/fold/thresholds.ts";
import { withCorpus } from "../support/needs.ts";

const GENERATED = "2026-01-02T03:04:05.678Z";

withCorpus.describe("folding the recorded sessions", () => {
  it("[R55] [R59] keeps every result byte for byte, every preview within its budget, and what is used next", async () => {
    const rows = new Map<string, FoldRow>();
    let results = 0;
    for await (const { recording } of readCorpus()) {
      for (const result of listUsedResults(recording)) {
        results++;
        const { text } = result;
        const file = renderArtifactFile({ tool: "Bash", generated: GENERATED, command: "x", output: text });
        const read = decodeUtf8(encodeUtf8(file)) ?? "";
        expect(read.split("\n").slice(ARTIFACT_HEADER_LINES).join("\n") === text).toBe(true);
        if (!isFolded(result)) continue;
        const folded = addResult(rows, result);
        expect(folded.text.length).toBeLessThanOrEqual(Math.min(DEFAULT_BUDGET, text.length));
        expect(folded.sha256).toBe(sha256(encodeUtf8(text)));
      }
    }
    const all = rows.get("all");
    expect(results).toBeGreaterThan(10_000);
    expect(all?.results).toBeGreaterThan(900);
    // Measured: 0.73 and 0.93 of what the next five steps used, where the first ten lines keep 0.14 and 0.30.
    expect((all?.ours ?? 0) / (all?.used ?? 1)).toBeGreaterThan(0.68);
    expect((all?.ours ?? 0) / (all?.classic ?? 1)).toBeGreaterThan(4);
    const search = rows.get("search hits");
    expect((search?.ours ?? 0) / (search?.used ?? 1)).toBeGreaterThan(0.88);
    expect((all?.tokensAfter ?? 0) / (all?.tokensBefore ?? 1)).toBeLessThan(0.2);
  });
});
