import { renderCount } from "../../core/render-count.ts";
import { readSession } from "../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { type CalibrationJudgement, judgeCalibration } from "../../measure/judge-calibration.ts";
import { type ErrorRow, tellErrors } from "../../measure/tell-errors.ts";
import type { Terminal } from "./command.ts";
import { createProgress } from "./progress.ts";
import { renderSafely, renderTable } from "./style.ts";

export interface EstimatorJudgement {
  readonly rows: readonly ErrorRow[];
  readonly sessionsTooShort: number;
  /** Sessions with malformed lines: what those held was sent, but cannot be weighed. */
  readonly damagedSessions: number;
}

/** Calibrates on half of each session and asks for the growth of the other half. */
export function judgeFiles(files: readonly TranscriptFile[], terminal: Terminal): EstimatorJudgement {
  const progress = createProgress(terminal, "Judging the estimator");
  const judged: CalibrationJudgement[] = [];
  let sessionsTooShort = 0;
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
  return { rows: tellErrors(judged), sessionsTooShort, damagedSessions };
}

export function renderJudgement(
  { rows, sessionsTooShort, damagedSessions }: EstimatorJudgement,
  columns: number,
): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
  const cells = (row: ErrorRow): readonly string[] => [
    renderSafely(row.model),
    String(row.sessions),
    String(row.steps),
    ...[row.alternating, row.laterHalf, row.singleStep].map(({ median, p95 }) => `${percent(median)}, ${percent(p95)}`),
  ];
  return [
    "Absolute error of the growth that half of a session's steps predict for the other half",
    "of every other step, of its later half, and of single steps: p50, p95",
    renderTable([["model", "sessions", "steps", "every other", "later half", "single"], ...rows.map(cells)], columns),
    `${renderCount(sessionsTooShort, "session")} with fewer than 40 comparable steps left out; ${damagedSessions} of those judged have malformed lines, whose content is lost.`,
    "A single step may carry reminders that the client did not record; over half a session they average out.",
  ].join("\n");
}
