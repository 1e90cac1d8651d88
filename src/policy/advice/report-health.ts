import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { estimateByToolWeights } from "../../measure/compat.ts";
import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { type Continuation, findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { createShortener } from "../../survive/record/summary.ts";
import { describeBoundary, type SafeBoundary } from "./find-boundary.ts";
import { noteQuote, quoteHealth } from "./quote-health.ts";
import { isOverBudget, renderContextBudget } from "./render-context-budget.ts";

/** What a report is made of, whichever door it is asked at. */
export interface HealthFacts {
  readonly health: Health;
  /** `undefined` where nothing is known of the session but its load. */
  readonly happened: Happened | undefined;
  /** Decisions that lie in the project's files now. */
  readonly savedDecisions: number;
  /** What the first request carried, before a word was said; `undefined` or 0 where nobody saw it. */
  readonly baseTokens: number | undefined;
  /** Where the work lies: paths below it are told from there. */
  readonly root?: string;
  /** The person is the one who asks, so nothing is under way. */
  readonly isAwaitingPerson?: boolean;
}

/** The report that every door gives: the load, what a compaction keeps, and the budget where too much is gone from the start. */
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

/** Where nothing is measured the seeds' weights are better than nothing, and are called what they are. */
function renderRuleOfThumb({ trail }: Happened): string {
  const calls = new Map<string, number>();
  for (const { tool } of trail.calls) calls.set(tool, (calls.get(tool) ?? 0) + 1);
  const tokens = estimateByToolWeights(Object.fromEntries(calls), 0);
  return `- Rule of thumb: ${(tokens / 1000).toFixed(1)}k tokens by typical result sizes; measured sessions used more than twice as many`;
}

/** What a report on the window's health says of the work itself. */
export function describeWork(happened: Happened | undefined, root = ""): Omit<CriticalContext, "decisionsSaved"> {
  if (happened === undefined) return { task: "", phase: "", filesTouched: [], blockers: [] };
  const { state } = happened;
  const shorten = createShortener(root);
  const continuation = findContinuation(happened);
  return {
    task: nameTask(continuation),
    phase: state.phase.phase,
    filesTouched: state.files.filter(({ changedRequest }) => changedRequest > 0).map((file) => shorten(file.path)),
    blockers: continuation.blocked.map(({ line }) => line),
  };
}

/** Where nothing is open, that is all there is to say: the prompt that was answered is no task. */
function nameTask({ task, open, next }: Continuation): string {
  if (open.length === 0 && next.kind === "nothing") return "none open";
  if (open.length === 0) return next.kind === "ended" ? "none recorded" : task || next.action;
  return task || (open[0]?.subject ?? "");
}

/** What a compaction must keep, as the report names it. */
export interface CriticalContext {
  readonly task: string;
  readonly phase: string;
  readonly decisionsSaved: number;
  /** In the order of their last touch, newest last. */
  readonly filesTouched: readonly string[];
  readonly blockers: readonly string[];
}

interface ReportFacts {
  readonly critical: CriticalContext;
  /** Shown from ORANGE on, where it matters. */
  readonly boundary?: SafeBoundary;
  /** What is said at the end, within the same room. */
  readonly behind?: string;
}

/** About 200 tokens: it is read often, so it has to stay cheap. */
const MAX_CHARS = 800;
const FIELD_CHARS = 100;
const FIELDS = 4;
/** What everything but the fields, the files and what is said behind takes. */
const FRAME_CHARS = 360;

/** The report a caller gets: with the utilisation where it is measured, else with tool calls and what they are worth. */
export function renderHealthReport(health: Health, { critical, boundary, behind = "" }: ReportFacts): string {
  const fieldChars = Math.min(FIELD_CHARS, Math.floor((MAX_CHARS - FRAME_CHARS - behind.length) / FIELDS));
  const renderField = (text: string): string => clipLine(text, fieldChars) || "none";
  const head = [
    "## Context Health",
    ...renderStatus(health),
    ...(boundary && isHeavy(health) ? [`- boundary: ${clipLine(boundary.text, fieldChars)}`] : []),
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
  const recommendation = `- **Recommendation**: ${recommend(health.level)}`;
  if (quote.kind === "calls") return [calls, status, recommendation, `- **Note**: ${noteQuote(quote, health)}`];
  return [`- **Utilization**: ${Math.round(quote.percent)}%`, status, calls, recommendation];
}

function isHeavy({ level }: Health): boolean {
  return level === "ORANGE" || level === "RED";
}

/** As many of the newest files as there is room for, and how many more there are. */
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

/** The one word a caller acts on. */
export type Recommendation = "continue" | "load-essential-only" | "compact-at-boundary" | "compact-immediately";

const RECOMMENDATIONS: Readonly<Record<Level, Recommendation>> = {
  GREEN: "continue",
  YELLOW: "load-essential-only",
  ORANGE: "compact-at-boundary",
  RED: "compact-immediately",
};

export function recommend(level: Level): Recommendation {
  return RECOMMENDATIONS[level];
}
