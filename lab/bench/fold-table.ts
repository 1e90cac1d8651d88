import { type FoldedOutput, foldOutput } from "../../src/fold/fold-output.ts";
import type { Hint } from "../../src/fold/hint.ts";
import { DEFAULT_BUDGET } from "../../src/fold/thresholds.ts";
import { mayBeFolded } from "../../src/layers/options/policy-folds.ts";
import { estimateTextTokens, tokenizerOf } from "../../src/models/tokens.ts";
import { isRetained, type UsedResult } from "./fold-usage.ts";

/** One kind's sums. */
export interface FoldRow {
  results: number;
  characters: number;
  tokensBefore: number;
  tokensAfter: number;
  used: number;
  ours: number;
  /** The first ten lines, the same marker and budget. */
  classic: number;
  /** As many characters as our preview has, half from the start and half from the end. */
  ends: number;
  longest: number;
}

const emptyRow = (): FoldRow => ({
  results: 0,
  characters: 0,
  tokensBefore: 0,
  tokensAfter: 0,
  used: 0,
  ours: 0,
  classic: 0,
  ends: 0,
  longest: 0,
});

export const ARTIFACT_PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md";

export function hintOf({ call }: UsedResult): Hint {
  const word = (name: string): string | undefined => {
    const value = call?.input[name];
    return typeof value === "string" ? value : undefined;
  };
  return { tool: call?.tool ?? "", command: word("command") ?? word("pattern"), path: word("file_path") };
}

export function isFolded({ text, block }: UsedResult): boolean {
  return !block.isError && mayBeFolded(text);
}

/** Adds one result to its kind's row and to the row of all. */
export function addResult(rows: Map<string, FoldRow>, result: UsedResult): FoldedOutput {
  const hint = hintOf(result);
  const folded = foldOutput(result.text, hint, { path: ARTIFACT_PATH });
  const classic = foldOutput(result.text, hint, { path: ARTIFACT_PATH, style: "classic" }).text;
  const half = Math.floor(folded.text.length / 2);
  const ends = result.text.slice(0, half) + result.text.slice(-half);
  const tokenizer = tokenizerOf(result.model);
  const count = (preview: string): number => result.used.filter((item) => isRetained(item, preview)).length;
  const kept = { ours: count(folded.text), classic: count(classic), ends: count(ends) };
  const tokensBefore = estimateTextTokens(result.text, tokenizer);
  const tokensAfter = estimateTextTokens(folded.text, tokenizer);
  for (const key of [folded.kind, "all"]) {
    const row = rows.get(key) ?? emptyRow();
    rows.set(key, row);
    row.results++;
    row.characters += result.text.length;
    row.tokensBefore += tokensBefore;
    row.tokensAfter += tokensAfter;
    row.used += result.used.length;
    row.ours += kept.ours;
    row.classic += kept.classic;
    row.ends += kept.ends;
    row.longest = Math.max(row.longest, folded.text.length);
  }
  return folded;
}

export function renderFoldTable(rows: ReadonlyMap<string, FoldRow>): string {
  const share = (part: number, whole: number): string => (whole === 0 ? "–" : `${((part / whole) * 100).toFixed(0)} %`);
  const cells = [...rows]
    .sort((left, right) => right[1].results - left[1].results)
    .map(([kind, row]) =>
      [
        kind,
        row.results,
        row.characters,
        Math.round(row.tokensBefore - row.tokensAfter),
        share(row.tokensBefore - row.tokensAfter, row.tokensBefore),
        row.used,
        share(row.ours, row.used),
        share(row.classic, row.used),
        share(row.ends, row.used),
        `${row.longest} of ${DEFAULT_BUDGET}`,
      ].join(" | "),
    );
  const head =
    "kind | results | characters | tokens saved | share | used next | kept | first 10 lines | both ends | longest";
  return [head, head.replaceAll(/[^|]+/g, "---"), ...cells].map((line) => `| ${line} |`).join("\n");
}
