import { clipLine, toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { SafeBoundary } from "./find-boundary.ts";
import { noteQuote, quoteHealth } from "./quote-health.ts";
import { recommend } from "./recommend.ts";

/** What a compaction must keep, as the report names it. */
export interface CriticalContext {
  readonly task: string;
  readonly phase: string;
  readonly decisionsSaved: number;
  /** In the order of their last touch, newest last. */
  readonly filesTouched: readonly string[];
  readonly blockers: readonly string[];
}

export interface ReportFacts {
  readonly critical: CriticalContext;
  /** Shown from ORANGE on, where it matters. */
  readonly boundary?: SafeBoundary;
}

/** About 200 tokens: it is read often, so it has to stay cheap. */
const MAX_CHARS = 800;
const FIELD_CHARS = 100;

/** The report a caller gets: with the utilisation where it is measured, else with tool calls and what they are worth. */
export function renderHealthReport(health: Health, { critical, boundary }: ReportFacts): string {
  const head = [
    "## Context Health",
    ...renderStatus(health),
    ...(boundary && isHeavy(health) ? [`- boundary: ${clipLine(boundary.text, FIELD_CHARS)}`] : []),
    "",
    "### Critical Context (preserved on compaction)",
    `- Task: ${renderField(critical.task)}`,
    `- Phase: ${renderField(critical.phase)}`,
    `- Decisions: ${critical.decisionsSaved} saved to .plimsoll/`,
  ].join("\n");
  const tail = `- Blockers: ${renderField(critical.blockers.join("; "))}`;
  const label = "- Files touched: ";
  const room = MAX_CHARS - head.length - tail.length - label.length - 2;
  return [head, `${label}${renderFiles(critical.filesTouched, room)}`, tail].join("\n");
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

function renderField(text: string): string {
  return clipLine(text, FIELD_CHARS) || "none";
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
