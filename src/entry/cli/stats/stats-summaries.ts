import { groupBy } from "../../../core/group-by.ts";
import { renderCount } from "../../../core/render-count.ts";
import { hostOf, locateHome, nameSession, readSession } from "../../../hosts/catalogue.ts";
import type { Host, TranscriptFile } from "../../../hosts/host.ts";
import { calibrate, type Observation, predictTokens } from "../../../measure/calibration.ts";
import { observeGrowth } from "../../../measure/meter.ts";
import { quantile } from "../../../measure/quantile.ts";
import type { Recording } from "../../../measure/recording.ts";
import { describeSummarySizes, type SummarySizes } from "../../../measure/summary-sizes.ts";
import { estimateTextTokens, SEED_ERROR, tokenizerOf } from "../../../models/tokens.ts";
import { describeRecalls } from "../../../policy/recall-rate.ts";
import { createFetchedBackCounter, type FetchedBack, renderRepeats } from "../../../recorded/count-fetched-back.ts";
import { readActions } from "../../../recorded/read-actions.ts";
import { readRecalls } from "../../../recorded/read-recalls.ts";
import type { CommandAnswer, Terminal } from "../command.ts";
import { createProgress } from "../print/progress.ts";
import { joinLines, renderPercent, renderSafely, renderTable, renderTokens } from "../print/style.ts";

interface Sized {
  readonly model: string;
  readonly tokens: number;
}

export function reportSummaries(files: readonly TranscriptFile[], terminal: Terminal): CommandAnswer {
  const report = collectSummaries(files, terminal);
  return { json: report, text: () => renderSummaries(report) };
}

/** The summaries that compactions really wrote, each once even if resumed sessions repeat it. */
function collectSummaries(files: readonly TranscriptFile[], { hosts, environment }: Terminal) {
  const sized = new Map<string, Sized>();
  let fetchedBack: FetchedBack = { compactions: 0, recalls: 0, repeats: 0 };
  for (const file of files) {
    const fetched = readSummaries(file, sized, hostOf(file.path, hosts));
    if (!file.isSubagent) fetchedBack = addFetched(fetchedBack, fetched);
  }
  const home = locateHome(environment);
  const all = [...sized.values()];
  return {
    files: files.length,
    fetchedBack,
    /** Estimates; in 95 of 100 texts the error is within this share. */
    errorShare: SEED_ERROR,
    all: describeSummarySizes(all.map(({ tokens }) => tokens)),
    byModel: [...groupBy(all, ({ model }) => model)]
      .map(([model, group]) => {
        return { model: model || "unknown", ...describeSummarySizes(group.map(({ tokens }) => tokens)) };
      })
      .sort((left, right) => right.count - left.count),
    /** How often originals were fetched back after compactions, by project. */
    recalls: readRecalls(home),
    /** What Plimsoll put in place of the history, as its entry point recorded it; none of it was written by a model. */
    ours: describeSummarySizes(files.flatMap((file) => (file.isSubagent ? [] : listRecords(home, file.path)))),
  };
}

function addFetched(one: FetchedBack, other: FetchedBack): FetchedBack {
  return {
    compactions: one.compactions + other.compactions,
    recalls: one.recalls + other.recalls,
    repeats: one.repeats + other.repeats,
  };
}

function listRecords(home: string, file: string): readonly number[] {
  const { actions } = readActions(home, nameSession(file));
  return actions.flatMap((action) =>
    action.kind === "compacted" && typeof action.recordTokens === "number" ? [action.recordTokens] : [],
  );
}

/** One pass, in bounded memory. Of subagents only the summaries count, so the rest of their files is not decoded. */
function readSummaries({ path, isSubagent }: TranscriptFile, sized: Map<string, Sized>, host: Host): FetchedBack {
  let model = "";
  const counter = createFetchedBackCounter(host.vocabulary);
  host.openTranscript(path, isSubagent ? { about: "summaries" } : {}).read({
    onEntry: ({ uuid, events }) => {
      for (const event of events) {
        counter.feed(event);
        if (event.kind === "output") model = event.model || model;
        if (event.kind !== "arrival" || event.source !== "summary" || event.block.kind !== "text") continue;
        const tokens = Math.round(estimateTextTokens(event.block.text, tokenizerOf(model)));
        sized.set(uuid || event.block.text, { model, tokens });
      }
    },
  });
  return counter.count();
}

function renderSummaries(report: ReturnType<typeof collectSummaries>): string {
  const { all, byModel, ours } = report;
  const recalls = describeRecalls(report.recalls);
  if (all.count + ours.count === 0) return `No compaction summary is recorded in ${renderCount(report.files, "file")}.`;
  const show = (tokens: number | undefined): string => (tokens === undefined ? "-" : renderTokens(tokens));
  const cells = (name: string, { count, p50, p90, p99, p9999, most }: SummarySizes): readonly string[] => [
    renderSafely(name),
    String(count),
    ...[p50, p90, p99, p9999, most].map(show),
  ];
  const fewest = Math.min(...[all.count, ours.count].filter((count) => count > 0));
  return joinLines(
    renderTable([
      ["summaries", "count", "p50", "p90", "p99", "p99.99", "most"],
      ...(all.count === 0 ? [] : [...byModel.map((row) => cells(row.model, row)), cells("all", all)]),
      ...(ours.count === 0 ? [] : [cells("Plimsoll's own", ours)]),
    ]),
    "",
    `Sizes are in tokens, each estimated to within ${renderPercent(report.errorShare)}.`,
    renderRepeats(report.fetchedBack),
    ours.count > 0 && 'The row "all" excludes Plimsoll\'s own summaries, because no model wrote them.',
    recalls !== "" && `Originals fetched back: ${recalls}.`,
    fewest < 10_000 && "With fewer than 10,000 summaries, p99.99 is just the largest one.",
  );
}

export function reportCalibration(files: readonly TranscriptFile[], terminal: Terminal): CommandAnswer {
  const judgement = judgeFiles(files, terminal);
  return { json: judgement, text: () => renderJudgement(judgement, terminal.columns) };
}

/** Calibrates on half of each session and predicts the growth of the other half. */
function judgeFiles(files: readonly TranscriptFile[], terminal: Terminal) {
  const progress = createProgress(terminal, "Judging the estimator");
  const judged: CalibrationJudgement[] = [];
  let sessionsTooShort = 0;
  // Sessions with malformed lines: their content was sent but cannot be weighed.
  let damagedSessions = 0;
  for (const [index, file] of files.entries()) {
    const { recording, tally } = readSession(file.path, terminal.hosts);
    const judgement = judgeCalibration(recording);
    if (judgement) {
      judged.push(judgement);
      if (tally.malformed > 0) damagedSessions++;
    } else sessionsTooShort++;
    progress.advance(index + 1, files.length);
  }
  progress.finish();
  const rows = [...groupBy(judged, ({ model }) => model)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([model, sessions]) => describeRow(model, sessions));
  return { rows: [...rows, describeRow("all", judged)], sessionsTooShort, damagedSessions };
}

function renderJudgement(judged: ReturnType<typeof judgeFiles>, columns: number): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
  const cells = (row: ReturnType<typeof describeRow>): readonly string[] => [
    renderSafely(row.model),
    String(row.sessions),
    String(row.steps),
    ...[row.alternating, row.laterHalf, row.singleStep].map(({ median, p95 }) => `${percent(median)}, ${percent(p95)}`),
  ];
  return [
    "Absolute error (median, p95) of the token estimator, which learns from half of a session's steps.",
    "It predicts the growth over every other step, over the later half, or over single steps.",
    renderTable(
      [["model", "sessions", "steps", "every other", "later half", "single"], ...judged.rows.map(cells)],
      columns,
    ),
    `Not included: ${renderCount(judged.sessionsTooShort, "session")} with fewer than 40 comparable steps. ${judged.damagedSessions} of the included sessions have malformed lines, whose content is lost.`,
    "The agent may add reminders to a step without recording them. Over half a session, they average out.",
  ].join("\n");
}

interface CalibrationJudgement {
  readonly model: string;
  readonly steps: number;
  /** Signed, as a share of the recorded growth: odd steps from even ones, even from odd, later half from earlier. */
  readonly errors: { readonly alternating: readonly [number, number]; readonly laterHalf: number };
  /** Absolute share per step of the alternating halves, for steps that grew by more than 200 tokens. */
  readonly stepErrors: readonly number[];
}

/** With fewer steps, half of them are too few to calibrate on, and a single unrecorded reminder decides the outcome. */
const LEAST_STEPS = 40;
const LEAST_STEP_GROWTH = 200;

export function judgeCalibration(recording: Recording): CalibrationJudgement | undefined {
  const observations = observeGrowth(recording);
  const [first] = observations;
  if (!first || observations.length < LEAST_STEPS) return undefined;
  const even = observations.filter((_, index) => index % 2 === 0);
  const odd = observations.filter((_, index) => index % 2 === 1);
  const half = Math.floor(observations.length / 2);
  const [oddError, evenError] = [predictHalf(even, odd, first.model), predictHalf(odd, even, first.model)];
  return {
    model: first.model,
    steps: observations.length,
    errors: {
      alternating: [oddError.error, evenError.error],
      laterHalf: predictHalf(observations.slice(0, half), observations.slice(half), first.model).error,
    },
    stepErrors: [...oddError.stepErrors, ...evenError.stepErrors],
  };
}

function predictHalf(known: readonly Observation[], asked: readonly Observation[], model: string) {
  const calibration = calibrate(known, tokenizerOf(model));
  let grown = 0;
  let predicted = 0;
  const stepErrors: number[] = [];
  for (const { growthTokens, load } of asked) {
    const prediction = predictTokens(load, calibration);
    grown += growthTokens;
    predicted += prediction;
    if (growthTokens > LEAST_STEP_GROWTH) stepErrors.push(Math.abs(prediction - growthTokens) / growthTokens);
  }
  return { error: grown > 0 ? (predicted - grown) / grown : 0, stepErrors };
}

function describeRow(model: string, judged: readonly CalibrationJudgement[]) {
  return {
    model,
    sessions: judged.length,
    steps: judged.reduce((sum, { steps }) => sum + steps, 0),
    alternating: spread(judged.flatMap(({ errors }) => errors.alternating)),
    laterHalf: spread(judged.map(({ errors }) => errors.laterHalf)),
    singleStep: spread(judged.flatMap(({ stepErrors }) => stepErrors)),
  };
}

/** Of absolute errors, as shares. */
function spread(errors: readonly number[]) {
  const absolute = errors.map(Math.abs);
  return { median: quantile(absolute, 0.5) ?? 0, p95: quantile(absolute, 0.95) ?? 0 };
}
