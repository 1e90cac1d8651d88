import type { Terminal } from "../../src/entry/cli/command.ts";
import { renderTokens } from "../../src/entry/cli/print/style.ts";
import { type Column, renderColumns } from "../../src/entry/cli/replay/render-replay.ts";
import type { Interval } from "../../src/replay/compare-sessions.ts";
import type { MemoryFigures, Share } from "./quiz/score-readings.ts";

/** The table of what readers knew, one line a memory; what there is no room for stands in a second one. */
export function renderFigures(figures: readonly MemoryFigures[], terminal: Terminal): string {
  const notes = [
    "in view: answered from the text alone; recall: with recalls, so many for one question; 90 %: over sessions, resampled.",
    "wrong: materially wrong answers in view, and with recall; action: the next one; by kind of question: in view / with recall.",
    "apart: how far readers (graders) of the same memory differ, in points of 100.",
    ...describeUneven(figures),
    ...(figures.some(({ ungraded }) => ungraded > 0)
      ? ["Some sheets are not graded whole yet, and are in no figure."]
      : []),
  ];
  return [renderColumns(FIRST, figures, terminal), renderColumns(SECOND, figures, terminal), notes.join("\n")].join(
    "\n\n",
  );
}

const NAME: Column<MemoryFigures> = { title: "memory", cell: ({ name }) => name };

const FIRST: readonly Column<MemoryFigures>[] = [
  NAME,
  { title: "in view", cell: ({ inView }) => renderPoints(inView) },
  { title: "90 %", cell: ({ inView }) => renderRange(inView.interval) },
  { title: "recall", cell: ({ withRecall }) => renderPoints(withRecall) },
  { title: "recalls", cell: ({ recallsPerQuestion: recalls }) => (recalls === undefined ? "-" : recalls.toFixed(2)) },
  { title: "wrong", cell: ({ inView, withRecall }) => renderWrong(inView, withRecall) },
  { title: "action", cell: ({ nextAction }) => renderPoints(nextAction) },
  { title: "tokens", cell: ({ tokens }) => renderTokens(tokens) },
  { title: "recall, 90 %", cell: ({ withRecall }) => renderRange(withRecall.interval) },
];

const SECOND: readonly Column<MemoryFigures>[] = [
  NAME,
  { title: "next steps", cell: ({ byKind }) => renderBoth(byKind.next) },
  { title: "understanding", cell: ({ byKind }) => renderBoth(byKind.understanding) },
  { title: "details", cell: ({ byKind }) => renderBoth(byKind.detail) },
  { title: "apart", cell: ({ readerSpread, graderSpread }) => `${points(readerSpread)} (${points(graderSpread)})` },
  { title: "sessions", cell: ({ sessions }) => String(sessions) },
  { title: "readers", cell: ({ readers }) => String(readers) },
  { title: "ungraded", cell: ({ ungraded }) => String(ungraded) },
];

function renderPoints({ value }: Share): string {
  return value === undefined ? "-" : `${points(value)} %`;
}

function renderBoth({ inView, withRecall }: { readonly inView: Share; readonly withRecall: Share }): string {
  return `${renderPoints(inView)} / ${renderPoints(withRecall)}`;
}

function renderRange(interval: Interval | undefined): string {
  return interval === undefined ? "-" : `${points(interval.low)}-${points(interval.high)}`;
}

function renderWrong(inView: Share, withRecall: Share): string {
  const render = ({ wrong, answers }: Share): string => `${Number(wrong.toFixed(1))}/${answers}`;
  return withRecall.answers === 0 ? render(inView) : `${render(inView)} ${render(withRecall)}`;
}

function points(share: number | undefined): string {
  return share === undefined ? "-" : (share * 100).toFixed(1);
}

/** Figures over different sessions do not compare. */
function describeUneven(figures: readonly MemoryFigures[]): readonly string[] {
  const most = Math.max(...figures.map(({ sessions }) => sessions));
  const fewer = figures.filter(({ sessions }) => sessions < most).map(({ name }) => name);
  return fewer.length === 0 ? [] : [`Of fewer sessions than the others, so not beside them: ${fewer.join(", ")}.`];
}
