import { renderCount } from "../../../core/render-count.ts";
import { type ClientDollars, sumDollars } from "../../../replay/client-dollars.ts";
import type { Interval, Relative } from "../../../replay/compare-sessions.ts";
import type { AskedFiles } from "../../../replay/parse-answer.ts";
import { REFERENCE } from "../../../replay/policy-names.ts";
import type { PolicyTotals, ReplayReport, ReportGroup } from "../../../replay/report.ts";
import { capitalise, DOLLARS_LEGEND } from "../../person/labels.ts";
import {
  reportAnswer,
  reportCacheLives,
  reportLoss,
  reportOtherLives,
  reportProposedLife,
} from "../../person/report-saving.ts";
import type { Terminal } from "../command.ts";
import { wrapText } from "../help.ts";
import { joinLines, paint, renderSafely, renderTable, renderUsd } from "../print/style.ts";

export interface Column<T> {
  readonly title: string;
  cell(row: T): string;
}

const NOT_SHOWN = "-";
const GAP = 2;

/** Shows as many columns as fit the terminal, in order of importance. */
export function renderColumns<T>(columns: readonly Column<T>[], rows: readonly T[], terminal: Terminal): string {
  const table = columns.map(({ title, cell }) => [title, ...rows.map(cell)]);
  let width = -GAP;
  const shown = table.filter((cells) => {
    width += GAP + Math.max(...cells.map((cell) => cell.length));
    return width <= terminal.columns;
  });
  return renderTable(["header", ...rows].map((_, row) => shown.map((cells) => cells[row] ?? "")));
}

export function renderRatio(ratio: number | undefined, digits = 3): string {
  return ratio === undefined ? NOT_SHOWN : ratio.toFixed(digits);
}

export function renderInterval(interval: Interval | undefined, digits = 3): string {
  return interval ? `${renderRatio(interval.low, digits)}-${renderRatio(interval.high, digits)}` : NOT_SHOWN;
}

export function renderShareCell(share: number | undefined, digits: number = (share ?? 0) < 0.0995 ? 2 : 1): string {
  return share === undefined ? NOT_SHOWN : `${(share * 100).toFixed(digits)} %`;
}

export const POLICY_NAME: Column<PolicyTotals> = {
  title: "policy",
  cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}`,
};

/** As many as fit, in this order. `--json` has every other figure. */
const COLUMNS: readonly Column<PolicyTotals>[] = [
  POLICY_NAME,
  { title: "cost", cell: ({ netUsd }) => renderUsd(netUsd) },
  { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
  { title: "recent kept", cell: ({ hotRetained }) => renderShareCell(hotRetained) },
  { title: "older kept", cell: ({ coldRetained }) => renderShareCell(coldRetained) },
  { title: "lost", cell: renderLost },
  { title: "failures", cell: ({ fatal }) => renderRatio(fatal, 0) },
  { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval) },
];

/** What summaries whose words are unknown would lose is known only from those that the client recorded. */
function renderLost({ coldLost, bounds }: PolicyTotals): string {
  if (!bounds) return renderShareCell(coldLost);
  return bounds.heldAsRecorded ? `~${renderShareCell(bounds.heldAsRecorded.coldLost)}` : "not recorded";
}

/** On a terminal longer lists are cut; the JSON has all names. */
const MOST_LEFT_OUT = 40;

export function renderReplay(report: ReplayReport, terminal: Terminal, whose: Whose): string {
  const { sessions, shortSessions, steps, policies, leftOut } = report;
  const wordless = policies.filter(({ wordlessSessions }) => wordlessSessions > 0);
  const verdict = renderReplayVerdict(report, terminal, whose);
  const clients = renderClientDollars(report, terminal);
  const short = shortSessions.length > 0 ? `; ${renderCount(shortSessions.length, "short session")} separately` : "";
  const { isAnswer, files } = whose.asked;
  const isNothing = sessions.length + shortSessions.length === 0;
  return joinLines(
    isAnswer && verdict !== "" && [verdict, ""],
    isAnswer && isNothing && [noteNothing(files), ""],
    `${renderCount(sessions.length, "session")}, ${renderCount(steps, "request")} replayed${short}; ${renderCount(leftOut.length, "session")} left out`,
    !isAnswer && verdict !== "" && ["", verdict],
    clients !== "" && ["", clients],
    // Who asked for nothing in particular has the answer in words.
    sessions.length > 0 && !isAnswer && ["", renderColumns(COLUMNS, policies, terminal)],
    wordless.length > 0 &&
      !isAnswer && [
        "",
        "* Some sessions do not record this setting's summaries. They count for the cost, but not for what is kept. What is lost is then estimated from the summaries that are recorded (~).",
        `  (${wordless.map(({ name, wordlessSessions }) => `${renderSafely(name)} ${wordlessSessions}`).join(", ")})`,
      ],
    leftOut.length > 0 && ["", paint(terminal, "bold", "Left out of the totals")],
    leftOut.slice(0, MOST_LEFT_OUT).map(({ name, why }) => `  ${renderSafely(name)}: ${renderSafely(why)}`),
    leftOut.length > MOST_LEFT_OUT && `  and ${leftOut.length - MOST_LEFT_OUT} more; --json lists them all`,
  );
}

function noteNothing(files: number): string {
  const none = files === 1 ? "Your one session file cannot" : `None of your ${files} session files can`;
  return `${none} be replayed, so there is no saving to show. The reason is below. What was spent: plimsoll stats`;
}

const NAMES = ["agent", "sessions", "billed", "replayed", "simulated", "Plimsoll", "saved"];

/** Billed, simulated and Plimsoll's dollars side by side; empty if Plimsoll was not replayed. */
function renderClientDollars({ clients, leftOut }: ReplayReport, terminal: Terminal): string {
  const replayed = clients.filter(({ sessions, billedUsd = 0 }) => sessions > 0 || billedUsd > 0);
  if (!replayed.some(({ sessions }) => sessions > 0)) return "";
  const rows = replayed.length > 1 ? [...replayed, sumAll(replayed)] : replayed;
  const isFar = (one: ClientDollars): boolean => Math.abs(one.simulatedUsd / one.recordedUsd - 1) > 0.15;
  const differ =
    " If simulated and replayed differ by more than 15 %, the agent recorded prices that differ from the list prices, or --unchecked included sessions that the simulation does not match.";
  const left = " Sessions that are left out count only in the billed column, and are listed below.";
  const legend = `${DOLLARS_LEGEND}${replayed.some(isFar) ? differ : ""}${leftOut.length > 0 ? left : ""}`;
  return [
    paint(terminal, "bold", "Dollars by agent"),
    renderTable([NAMES, ...rows.map(renderRow)]),
    ...wrapText(legend, Math.min(terminal.columns, 100), ""),
  ].join("\n");
}

function renderRow(row: ClientDollars): readonly string[] {
  const { client, sessions, billedUsd, recordedUsd, simulatedUsd, ownUsd, savedUsd } = row;
  const dollars = [recordedUsd, simulatedUsd, ownUsd, savedUsd];
  const cells = sessions === 0 ? dollars.map(() => "-") : dollars.map((usd) => renderUsd(usd));
  return [client, String(sessions), billedUsd === undefined ? "-" : renderUsd(billedUsd), ...cells];
}

/** Savings are relative to each session's own bill, so they can be added up. */
function sumAll(rows: readonly ClientDollars[]): ClientDollars {
  const sum = (pick: (row: ClientDollars) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const [billedUsd, sessions] = [sum((row) => row.billedUsd ?? 0), sum((row) => row.sessions)];
  return { ...sumDollars(rows), client: "all", billedUsd, sessions, savedUsd: sum(({ savedUsd }) => savedUsd) };
}

interface Whose {
  readonly isOwn: boolean;
  readonly asked: AskedFiles & { readonly isAnswer: boolean };
}

/** With fewer projects an interval says little, and the text says so. */
const FEW_PROJECTS = 5;

/** What the default would have done to these sessions, with its uncertainties; empty if it was not replayed. */
function renderReplayVerdict(report: ReplayReport, terminal: Terminal, { isOwn, asked }: Whose): string {
  const ours = report.policies.find(({ name }) => name === report.installed);
  const all = findGroup(report, "all");
  const short = findGroup(report, "short");
  if (!ours || !all || !short || all.sessions + short.sessions === 0) return "";
  const isOne = (all.sessions || short.sessions) === 1;
  const whose = isOwn ? "your" : isOne ? "this" : "these";
  const paragraphs = asked.isAnswer
    ? [...describeAnswer(report, asked), describeLong(ours, all, report.minSteps), describeDoubts(ours, all)]
    : [
        ...(all.sessions > 0 ? [describeTotal(report, ours, all, whose), describeRivals(report, ours)] : []),
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

function describeTotal(report: ReplayReport, ours: PolicyTotals, all: ReportGroup, whose: string): string {
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
