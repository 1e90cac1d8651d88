/** What the receipt tells lost, next to what a reader of the same summaries found lost; and what compactions lose. */
import { readFileSync } from "node:fs";
import { requireRecorded } from "../../src/entry/cli/require-session.ts";
import { listCompactions } from "../../src/recorded/list-compactions.ts";
import { diffSummary } from "../../src/survive/receipt/diff-summary.ts";
import { listFacts } from "../../src/survive/receipt/list-facts.ts";
import { planRepair } from "../../src/survive/receipt/plan-repair.ts";
import { hasCorpus, listCorpus } from "./corpus.ts";
import { crossValidate } from "./receipt-cross-validation.ts";
import {
  findLabelled,
  type Judged,
  judgeLabelled,
  type Labelled,
  readLabels,
  scoreLost,
  weighByKind,
} from "./receipt-labels.ts";

export function run(): void {
  if (!hasCorpus) {
    console.log("No recorded sessions: nothing to compare with.");
    return;
  }
  const labels = readLabels();
  const { labelled, kinds } = findLabelled(labels);
  const judged = judgeLabelled(labelled);
  const boundaries = new Set(labels.map(({ file, boundary }) => `${file} ${boundary}`)).size;
  console.log(`${labels.length} labels at ${boundaries} compactions, ${labels.length - judged.length} of them stale`);
  console.log("lost, as told                 labels  lost  precision  recall");
  report("all", judged);
  report("all, as often as they occur", judged, weighByKind(judged, kinds));
  reportKinds(judged);
  for (const part of [1, 2, 3, 4, 5, 6])
    report(
      `part ${part}`,
      judged.filter((label) => label.part === part),
    );
  reportCrossValidation(labelled);
  reportLosses();
}

function reportKinds(judged: readonly Judged[]): void {
  for (const kind of [...new Set(judged.map((label) => label.kind))].sort())
    report(
      `  ${kind}`,
      judged.filter((label) => label.kind === kind),
    );
}

/** The thresholds chosen without what they are tried on; the rules themselves were made with all of it in sight. */
function reportCrossValidation(labelled: readonly Labelled[]): void {
  const bySession = crossValidate(labelled, ({ session }) => session);
  const { minCoverage, passageWords } = bySession.best;
  console.log(`best of all: ${minCoverage} of the words, passages of ${passageWords}`);
  report("one session left out", bySession.judged);
  reportKinds(bySession.judged);
  const byProject = crossValidate(labelled, ({ project }) => project);
  report("one repository left out", byProject.judged);
  for (const [name, { chosen }] of [["sessions", bySession] as const, ["repositories", byProject] as const])
    console.log(`  chosen without one of the ${name}: ${[...chosen].map((pair) => pair.join(" × ")).join(", ")}`);
}

function report(name: string, judged: readonly Judged[], weigh?: (label: Judged) => number): void {
  const { labels, lost, precision, recall } = scoreLost(judged, weigh);
  const columns = [
    String(labels).padStart(6),
    String(lost).padStart(4),
    precision.toFixed(3).padStart(9),
    recall.toFixed(3).padStart(6),
  ];
  console.log(`${name.padEnd(29)} ${columns.join("  ")}`);
}

/** What recorded compactions lose of the facts by these rules, and how long the repair is. */
function reportLosses(): void {
  const counts = new Map<string, { facts: number; lost: number }>();
  const lengths: number[] = [];
  const timesMs: number[] = [];
  for (const file of listCorpus()) {
    if (!/compact_boundary|isCompactSummary/.test(readFileSync(file, "utf8"))) continue;
    for (const { happened, root, summary } of listCompactions(requireRecorded(file))) {
      const facts = listFacts(happened, { root });
      const start = performance.now();
      const diff = diffSummary(summary, facts);
      timesMs.push(performance.now() - start);
      lengths.push(planRepair(diff).text.length);
      for (const { kind } of facts) count(counts, kind).facts++;
      for (const { fact } of diff.lost) count(counts, fact.kind).lost++;
    }
  }
  console.log(
    `${lengths.length} compactions: a repair takes ${middle(lengths)} characters (median), at most ${Math.max(...lengths)}; a diff ${middle(timesMs).toFixed(1)} ms (median)`,
  );
  for (const [kind, { facts, lost }] of counts) console.log(`  ${kind.padEnd(14)} ${lost} of ${facts} lost`);
}

function count(counts: Map<string, { facts: number; lost: number }>, kind: string): { facts: number; lost: number } {
  const known = counts.get(kind) ?? { facts: 0, lost: 0 };
  counts.set(kind, known);
  return known;
}

function middle(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
