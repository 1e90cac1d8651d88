import { renderCount } from "../../core/render-count.ts";
import { readAppendedLines } from "../../hosts/claude-code/disk/file-cursor.ts";
import type { TranscriptFile } from "../../hosts/claude-code/disk/projects.ts";
import { type LineContext, parseLine } from "../../hosts/claude-code/parse-line.ts";
import { describeSummarySizes, type SummarySizes } from "../../measure/describe-summary-sizes.ts";
import { estimateTextTokens, SEED_ERROR, tokenizerOf } from "../../models/tokens.ts";
import { renderPercent, renderTable, renderTokens } from "./style.ts";

export interface SummaryReport {
  readonly files: number;
  /** Estimates, each within this share of the truth in 95 of 100 texts. */
  readonly errorShare: number;
  readonly all: SummarySizes;
  readonly byModel: readonly (SummarySizes & { readonly model: string })[];
}

interface Sized {
  readonly model: string;
  readonly tokens: number;
}

/** The summaries that compactions really wrote, each once however often a resumed session repeats it. */
export function collectSummaries(files: readonly TranscriptFile[]): SummaryReport {
  const sized = new Map<string, Sized>();
  for (const file of files) readSummaries(file.path, sized);
  const all = [...sized.values()];
  const models = [...new Set(all.map(({ model }) => model))];
  return {
    files: files.length,
    errorShare: SEED_ERROR,
    all: describeSummarySizes(all.map(({ tokens }) => tokens)),
    byModel: models
      .map((model) => {
        const sizes = all.filter((summary) => summary.model === model).map(({ tokens }) => tokens);
        return { model: model || "unknown", ...describeSummarySizes(sizes) };
      })
      .sort((left, right) => right.count - left.count),
  };
}

const SUMMARY = Buffer.from('"isCompactSummary":true');
const ANSWER = Buffer.from('"type":"assistant"');
const CONTEXT: LineContext = { identify: () => "", toolOf: () => "", isRepeated: () => false };

/** Summaries are few: only their lines are decoded, and of answers only the name of the model. */
function readSummaries(file: string, sized: Map<string, Sized>): void {
  let model = "";
  readAppendedLines(file, {
    onBytes: (bytes, from, to) => {
      const line = bytes.subarray(from, to);
      if (line.includes(SUMMARY)) noteSummary(line.toString("utf8"), model, sized);
      else if (line.includes(ANSWER))
        model = /"model":"(claude[\w.[\]-]{1,80})"/.exec(line.toString("latin1"))?.[1] ?? model;
    },
    onLine: () => undefined,
    onOverlongLine: () => undefined,
  });
}

function noteSummary(line: string, model: string, sized: Map<string, Sized>): void {
  const outcome = parseLine(line, CONTEXT);
  if (outcome.fate === "malformed" || outcome.fate === "repeated") return;
  const { uuid, events } = outcome.entry;
  for (const event of events) {
    if (event.kind !== "arrival" || event.source !== "summary" || event.block.kind !== "text") continue;
    const tokens = Math.round(estimateTextTokens(event.block.text, tokenizerOf(model)));
    sized.set(uuid || event.block.text, { model, tokens });
  }
}

export function renderSummaries({ files, all, byModel, errorShare }: SummaryReport): string {
  if (all.count === 0) return `No compaction summary is recorded in ${renderCount(files, "file")}.`;
  const show = (tokens: number | undefined): string => (tokens === undefined ? "-" : renderTokens(tokens));
  const cells = (name: string, sizes: SummarySizes): readonly string[] => [
    name,
    String(sizes.count),
    show(sizes.p50),
    show(sizes.p90),
    show(sizes.p99),
    show(sizes.p9999),
    show(sizes.most),
  ];
  return [
    renderTable([
      ["summaries", "count", "p50", "p90", "p99", "p99.99", "most"],
      ...byModel.map((row) => cells(row.model, row)),
      cells("all", all),
    ]),
    "",
    `Tokens of what compactions wrote in place of the history, estimated to within ${renderPercent(errorShare)} each.`,
    ...(all.count < 10_000
      ? ["Of fewer than 10,000 summaries p99.99 is the largest, and says no more than that."]
      : []),
  ].join("\n");
}
