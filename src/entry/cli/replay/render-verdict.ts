import { renderCount } from "../../../core/render-count.ts";
import { sumDollars } from "../../../replay/client-dollars.ts";
import type { Relative } from "../../../replay/compare-sessions.ts";
import type { AskedFiles } from "../../../replay/parse-answer.ts";
import { REFERENCE } from "../../../replay/policy-names.ts";
import type { PolicyTotals, ReplayReport, ReportGroup } from "../../../replay/report.ts";
import { capitalise } from "../../person/labels.ts";
import {
  reportAnswer,
  reportCacheLives,
  reportLoss,
  reportOtherLives,
  reportProposedLife,
} from "../../person/report-saving.ts";
import type { Terminal } from "../command.ts";
import { wrapText } from "../help.ts";
import { renderSafely, renderUsd } from "../print/style.ts";

export interface Whose {
  readonly isOwn: boolean;
  readonly asked: AskedFiles & { readonly isAnswer: boolean };
}

/** With fewer projects an interval says little, and the text says so. */
const FEW_PROJECTS = 5;

/** What the default would have done to these sessions, with its uncertainties; empty if it was not replayed. */
export function renderReplayVerdict(report: ReplayReport, terminal: Terminal, { isOwn, asked }: Whose): string {
  const ours = report.policies.find(({ name }) => name === report.installed);
  const all = findGroup(report, "all");
  const short = findGroup(report, "short");
  if (!ours || !all || !short || all.sessions + short.sessions === 0) return "";
  const isOne = (all.sessions || short.sessions) === 1;
  const whose = isOwn ? "your" : isOne ? "this" : "these";
  const paragraphs = asked.isAnswer
    ? [...describeAnswer(report, asked), describeLong(ours, all, report.minSteps), describeDoubts(ours, all)]
    : [
        ...(all.sessions > 0 ? [describeTotal(report, { ours, all, whose }), describeRivals(report, ours)] : []),
        describeShort(short, all.sessions === 0 ? `On ${whose}` : "Apart from these, on", report),
        reportLoss(report.loss),
        report.cacheLives ? reportCacheLives(report.cacheLives) : "",
        describeDoubts(ours, all),
      ];
  return paragraphs
    .filter((text) => text !== "")
    .flatMap((text) => wrapText(text, Math.min(terminal.columns, 100), ""))
    .join("\n");
}

/** The default question: what installing Plimsoll would have saved, and what was lost at that price. */
function describeAnswer(report: ReplayReport, asked: AskedFiles): readonly string[] {
  const { cacheLives } = report;
  const life = cacheLives && reportProposedLife(cacheLives);
  return [
    reportAnswer({ ...report, asked }),
    reportLoss(report.loss),
    life ? `${life}, which plimsoll install proposes.` : cacheLives ? reportOtherLives(cacheLives) : "",
  ];
}

function describeLong({ relative }: PolicyTotals, all: ReportGroup, minSteps: number): string {
  if (all.sessions === 0) return "";
  const whole = `In ${renderCount(all.sessions, "session")} of at least ${minSteps} requests, Plimsoll costs ${two(relative.netUsd)} of the cost with the agent's own compaction.`;
  return [whole, describeSessions(relative, all), describeFuture(relative)].filter((text) => text !== "").join(" ");
}

function describeTotal(
  report: ReplayReport,
  { ours, all, whose }: { readonly ours: PolicyTotals; readonly all: ReportGroup; readonly whose: string },
): string {
  const { relative } = ours;
  const dollars = report.sessions.map(({ recordedUsd, policies }) => {
    const netOf = (policy: string): number => policies.find(({ name }) => name === policy)?.netUsd ?? 0;
    return { recordedUsd, simulatedUsd: netOf(REFERENCE), ownUsd: netOf(report.installed) };
  });
  const { recordedUsd, simulatedUsd, savedUsd } = sumDollars(dollars);
  const saved = `${renderUsd(Math.abs(savedUsd))} ${savedUsd >= 0 ? "less" : "more"}`;
  const sentences = [
    `${capitalise(whose)} ${renderCount(all.sessions, "session")} of ${renderCount(all.repositories, "project")} cost ${renderUsd(recordedUsd)}. With Plimsoll ${all.sessions === 1 ? "it" : "they"} would have cost about ${saved}. In the simulation Plimsoll costs ${renderUsd(ours.netUsd)}, which is ${two(relative.netUsd)} of the cost with the agent's own compaction (${renderUsd(simulatedUsd)}).`,
    describeWindows(report),
    describeSessions(relative, all),
    `Compared with the agent's own compaction, Plimsoll makes ${two(relative.requests)} times as many requests. It uses ${two(relative.tokens)} times as many tokens, and ${two(relative.uncachedTokens)} times as many tokens that are not read from the cache.`,
    describeFuture(relative),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** The past has one number; the future has a range. */
function describeFuture({ netInterval }: Relative): string {
  if (!netInterval) return "";
  return `With Plimsoll, future sessions should cost ${two(netInterval.low)} to ${two(netInterval.high)} times what they would cost with the agent's own compaction (90 % interval, resampled over the projects).`;
}

function describeWindows(report: ReplayReport): string {
  const [small, large] = [findGroup(report, "window200k"), findGroup(report, "window1m")];
  if (!small || !large || small.sessions === 0 || large.sessions === 0) return "";
  const describe = (group: ReportGroup): string =>
    `${two(findOurs(group, report)?.netUsd)} (${renderCount(group.sessions, "session")})`;
  return `The cost with Plimsoll, relative to the agent's own compaction, is ${describe(small)} with a 200k window and ${describe(large)} with a 1M window.`;
}

function describeSessions({ sessionMedian, worst, dearerShare = 0 }: Relative, { sessions }: ReportGroup): string {
  if (sessions < 2) return "";
  const dearer = Math.round(dearerShare * sessions);
  const name = worst ? `${two(worst.netUsd)} (${renderSafely(worst.name)})` : "-";
  return `With Plimsoll, ${dearer === 0 ? "none" : dearer} of ${sessions} sessions would have cost more than with the agent's own compaction. The median cost ratio of the sessions is ${two(sessionMedian)}, and the worst is ${name}.`;
}

/** What a person can set without us: the same client with a smaller window. */
function describeRivals(report: ReplayReport, ours: PolicyTotals): string {
  const comparisons = ["native@200k", "native@100k"].flatMap((rival) => {
    const rivalRow = report.policies.find(({ name }) => name === rival);
    if (!rivalRow) return [];
    const most = ours.netUsd / (rivalRow.bounds?.heldAsRecorded?.netUsd ?? rivalRow.netUsd);
    const least = ours.netUsd / (rivalRow.bounds?.heldNothing.netUsd ?? rivalRow.netUsd);
    const range = two(least) === two(most) ? two(most) : `${two(least)} to ${two(most)}`;
    const alone = two(ours.netUsd / rivalRow.netUsd);
    const at = rival.slice("native@".length);
    return [`${range} at ${at} (${alone} if the agent's summaries had lost nothing; ${describeLost(rivalRow)})`];
  });
  return comparisons.length === 0
    ? ""
    : `Compared with an agent set to a smaller window, Plimsoll costs ${comparisons.join(", ")}.`;
}

/** A summary that was never written loses about as much as those that were. */
function describeLost({ coldLost, bounds }: PolicyTotals): string {
  if (bounds && !bounds.heldAsRecorded) return "no summary of yours is recorded to say how much they lose";
  const lost = bounds ? bounds.heldAsRecorded?.coldLost : coldLost;
  const share = lost === undefined ? "an unknown part" : `${(lost * 100).toFixed(1)} %`;
  return `they lose ${share} of what is needed later${bounds ? ", by your recorded summaries" : ""}`;
}

function describeShort(short: ReportGroup, which: string, report: ReplayReport): string {
  const { minSteps } = report;
  const relative = findOurs(short, report);
  if (!relative || short.sessions === 0) return "";
  const length = `${renderCount(short.sessions, "short session")} (2 to ${minSteps - 1} requests)`;
  return `${which} ${length}, Plimsoll costs ${two(relative.netUsd)} of the cost with the agent's own compaction. ${describeSessions(relative, short)}`.trimEnd();
}

function describeDoubts({ fetches, requests }: PolicyTotals, { repositories }: ReportGroup): string {
  const fetched = ((fetches / requests) * 100).toFixed(0);
  const doubts = [
    "the replay assumes that the agent would have acted the same with a different context",
    ...(fetches > 0
      ? [`${fetched} % of the requests fetch text back, and a real model may not ask for that text`]
      : []),
    ...(repositories < FEW_PROJECTS ? ["with so few projects, the result may not apply to other work"] : []),
    "the agent's own compaction is simulated, too (docs/research/replay.md says how accurately)",
  ];
  return `What could be wrong: ${doubts.join("; ")}.`;
}

function findGroup({ groups }: ReplayReport, name: ReportGroup["name"]): ReportGroup | undefined {
  return groups.find((group) => group.name === name);
}

function findOurs({ policies }: ReportGroup, { installed }: Pick<ReplayReport, "installed">): Relative | undefined {
  return policies.find(({ name }) => name === installed)?.relative;
}

function two(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(2);
}
