import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { estimateByToolWeights } from "../../measure/compat.ts";
import type { Health } from "../../measure/health.ts";
import { isHeavy, type Level } from "../../measure/level.ts";
import { findPhase } from "../../session/phase.ts";
import { type Continuation, findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { createShortener } from "../../survive/record/summary.ts";
import { describeBoundary } from "./find-boundary.ts";
import { noteQuote, quoteHealth } from "./quote-health.ts";
import { isOverBudget, renderContextBudget } from "./render-context-budget.ts";

export interface HealthFacts {
  readonly health: Health;
  /** `undefined` if only the session's load is known. */
  readonly happened: Happened | undefined;
  /** Decisions that are in the project's files now. */
  readonly savedDecisions: number;
  /** What the first request carried besides the prompt; `undefined` or 0 if unknown. */
  readonly baseTokens: number | undefined;
  /** The project's folder: paths below it are shown relative to it. */
  readonly root?: string;
  /** The user is the one who asks, so nothing is under way. */
  readonly isAwaitingPerson?: boolean;
}

/** The report that every entry point gives: the load, what a compaction keeps, and the budget if the baseline is too large. */
export function reportHealth(facts: HealthFacts): string {
  const { health, happened, savedDecisions, baseTokens = 0, root, isAwaitingPerson } = facts;
  const { windowTokens } = health;
  const behind = [
    ...(health.usedTokens === undefined && happened !== undefined ? [renderRuleOfThumb(happened)] : []),
    ...(isOverBudget(baseTokens, windowTokens)
      ? ["", renderContextBudget({ baselineTokens: baseTokens, windowTokens, isRecorded: true })]
      : []),
  ].join("\n");
  return renderHealthReport(health, {
    critical: { ...describeWork(happened, root), decisionsSaved: savedDecisions },
    ...(happened ? { boundary: describeBoundary(happened, isAwaitingPerson) } : {}),
    behind,
  });
}

/** If nothing is measured, the seeds' weights are better than nothing, and the text calls them a rule of thumb. */
function renderRuleOfThumb({ trail }: Happened): string {
  const calls = new Map<string, number>();
  for (const { tool } of trail.calls) calls.set(tool, (calls.get(tool) ?? 0) + 1);
  const tokens = estimateByToolWeights(Object.fromEntries(calls), 0);
  return `- Rule of thumb: ${(tokens / 1000).toFixed(1)}k tokens by typical result sizes; measured sessions used more than twice as many`;
}

export function describeWork(happened: Happened | undefined, root = ""): Omit<CriticalContext, "decisionsSaved"> {
  if (happened === undefined) return { task: "", phase: "", filesTouched: [], blockers: [] };
  const { state } = happened;
  const shorten = createShortener(root);
  const continuation = findContinuation(happened);
  return {
    task: nameTask(continuation),
    phase: findPhase(state.phase) ?? "not known",
    filesTouched: state.files.filter(({ changedRequest }) => changedRequest > 0).map((file) => shorten(file.path)),
    blockers: continuation.blocked.map(({ line }) => line),
  };
}

/** What the session is about, and when that was said; in front of it, whether anything is left to do. */
function nameTask({ task, taskAge, open, next }: Continuation): string {
  const subject = task || (open[0]?.subject ?? next.action);
  const age = taskAge === 0 ? "" : ` (asked ${renderCount(taskAge, "request")} ago)`;
  if (open.length > 0 || (next.kind !== "nothing" && next.kind !== "ended"))
    return `${clipLine(subject, TASK_CHARS)}${age}`;
  const none = next.kind === "nothing" ? "none open" : "none recorded as open";
  return task === "" ? none : `${none}; last: ${clipLine(task, TASK_CHARS)}${age}`;
}

export interface CriticalContext {
  readonly task: string;
  readonly phase: string;
  readonly decisionsSaved: number;
  /** By last touch, newest last. */
  readonly filesTouched: readonly string[];
  readonly blockers: readonly string[];
}

interface ReportFacts {
  readonly critical: CriticalContext;
  readonly boundary?: string;
  /** A text at the end, within the same limit. */
  readonly behind?: string;
}

/** About 200 tokens. The report is read often, so it has to stay cheap. */
const MAX_CHARS = 800;
const FIELD_CHARS = 100;
/** Leaves room for when it was asked. */
const TASK_CHARS = 55;
const FIELDS = 4;
/** Room for everything but the fields, the files and the text at the end. */
const FRAME_CHARS = 360;

/** Renders the report for a caller: with the utilisation if it is measured, else with tool calls and what they suggest. */
export function renderHealthReport(health: Health, { critical, boundary, behind = "" }: ReportFacts): string {
  const fieldChars = Math.min(FIELD_CHARS, Math.floor((MAX_CHARS - FRAME_CHARS - behind.length) / FIELDS));
  const renderField = (text: string): string => clipLine(text, fieldChars) || "none";
  const head = [
    "## Context Health",
    ...renderStatus(health),
    ...(boundary !== undefined && isHeavy(health.level) ? [`- boundary: ${clipLine(boundary, fieldChars)}`] : []),
    "",
    "### Critical Context (preserved on compaction)",
    `- Task: ${renderField(critical.task)}`,
    `- Phase: ${renderField(critical.phase)}`,
    `- Decisions: ${critical.decisionsSaved} saved to .plimsoll/`,
  ].join("\n");
  const tail = `- Blockers: ${renderField(critical.blockers.join("; "))}`;
  const label = "- Files touched: ";
  const room = MAX_CHARS - head.length - tail.length - label.length - behind.length - 3;
  const files = `${label}${renderFiles(critical.filesTouched, room)}`;
  return [head, files, tail, ...(behind === "" ? [] : [behind])].join("\n");
}

function renderStatus(health: Health): readonly string[] {
  const quote = quoteHealth(health);
  const status = `- **Status**: ${health.level}`;
  const { toolCalls, windowCalls } = health;
  const since = windowCalls < toolCalls ? `, ${windowCalls} since the compaction` : "";
  const calls = `- **Tool Calls**: ${toolCalls}${since}`;
  const recommendation = `- **Recommendation**: ${RECOMMENDATIONS[health.level]}`;
  if (quote.kind === "calls") return [calls, status, recommendation, `- **Note**: ${noteQuote(quote, health)}`];
  return [`- **Utilization**: ${Math.round(quote.percent)}%`, status, calls, recommendation];
}

/** As many of the newest files as fit, and how many more there are. */
function renderFiles(files: readonly string[], room: number): string {
  if (files.length === 0) return "none";
  const newest = files.map((file) => toOneLine(file)).reverse();
  const more = (shown: number): string => (shown < newest.length ? `and ${newest.length - shown} more` : "");
  let text = "";
  let shown = 0;
  for (const file of newest) {
    const longer = text === "" ? file : `${text}, ${file}`;
    const rest = more(shown + 1);
    if (longer.length + (rest === "" ? 0 : rest.length + 2) > room) break;
    text = longer;
    shown += 1;
  }
  if (shown === 0) return `${newest.length} files`;
  return [text, more(shown)].filter((part) => part !== "").join(", ");
}

export type Recommendation = "continue" | "load-essential-only" | "compact-at-boundary" | "compact-immediately";

export const RECOMMENDATIONS: Readonly<Record<Level, Recommendation>> = {
  GREEN: "continue",
  YELLOW: "load-essential-only",
  ORANGE: "compact-at-boundary",
  RED: "compact-immediately",
};
