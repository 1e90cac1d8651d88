import { toOneLine } from "../../core/clip-text.ts";
import type { LogEntry, NewEntry } from "./entry-log.ts";

export interface LoggedDecision {
  readonly title: string;
  readonly context: string;
  readonly decision: string;
  /** Why this and not the alternatives. */
  readonly rationale: string;
  readonly impact: string;
}

export interface Convention {
  readonly title: string;
  readonly pattern: string;
  readonly example: string;
  readonly appliesTo: string;
}

export interface Progress {
  readonly completed: readonly string[];
  readonly inProgress: readonly string[];
  /** With the reason. */
  readonly blocked: readonly string[];
  readonly nextSessionShould: readonly string[];
}

export function toDecisionEntry(
  { title, context, decision, rationale, impact }: LoggedDecision,
  atMs: number,
): NewEntry {
  const fields = { Context: context, Decision: decision, Rationale: rationale, Impact: impact };
  return { atMs, kind: "Decision", title, fields };
}

export function parseDecision({ title, fields }: LogEntry): LoggedDecision {
  return {
    title,
    context: fields.Context ?? "",
    decision: fields.Decision ?? "",
    rationale: fields.Rationale ?? "",
    impact: fields.Impact ?? "",
  };
}

export function toConventionEntry({ title, pattern, example, appliesTo }: Convention, atMs: number): NewEntry {
  return { atMs, kind: "Convention", title, fields: { Pattern: pattern, Example: example, "Applies to": appliesTo } };
}

export function parseConvention({ title, fields }: LogEntry): Convention {
  const { Pattern = "", Example = "", "Applies to": appliesTo = "" } = fields;
  return { title, pattern: Pattern, example: Example, appliesTo };
}

export function toProgressEntry(
  { completed, inProgress, blocked, nextSessionShould }: Progress,
  atMs: number,
): NewEntry {
  return {
    atMs,
    kind: "Session Summary",
    title: "",
    fields: {
      Completed: renderList(completed, "- [x] "),
      "In Progress": renderList(inProgress, "- [ ] "),
      Blocked: renderList(blocked, "- [ ] "),
      "Next Session Should": renderList(nextSessionShould, "- "),
    },
  };
}

export function parseProgress({ fields }: LogEntry): Progress {
  return {
    completed: parseList(fields.Completed),
    inProgress: parseList(fields["In Progress"]),
    blocked: parseList(fields.Blocked),
    nextSessionShould: parseList(fields["Next Session Should"]),
  };
}

/** An empty list stays visible, or it would look forgotten. It only means that nothing was written down. */
function renderList(items: readonly string[], mark: string): string {
  const lines = items.map(toOneLine).filter((line) => line !== "");
  return lines.length === 0 ? "none recorded" : lines.map((line) => mark + line).join("\n");
}

function parseList(value = ""): readonly string[] {
  return value.split("\n").flatMap((line) => /^- (?:\[[ x]\] )?(.*)$/.exec(line.trim())?.[1] ?? []);
}
