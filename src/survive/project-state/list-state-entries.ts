import { toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { findActiveCheckpoint, type LogEntry, openSlot, parseBullets, parseLog } from "./entry-log.ts";
import { parseConfidence } from "./instincts.ts";
import { parseLearnings } from "./learnings.ts";
import { parseNotes } from "./section-notes.ts";
import { parseStamp, renderStamp } from "./stamp.ts";
import type { StateTexts } from "./state-files.ts";

/** One thing worth telling the next session, in one line. */
interface StateEntry {
  readonly atMs: number | undefined;
  readonly label: string;
  readonly text: string;
}

/** A checkpoint with this text has nothing to resume from. Older versions wrote "nothing is open", which claims more. */
export const NO_OPEN_TASK = "no open task is recorded";
const NOTHING_LEFT = /^(?:no open task is recorded|nothing is open)/;

const DECISIONS = 5;
const LEARNINGS = 5;
/** Below this an instinct is a guess. */
const INSTINCT_FROM = 0.5;

/** Most useful first: where to resume, what is open, what was decided, how things are done here, what was learned. */
export function listStateEntries(texts: StateTexts): readonly StateEntry[] {
  const entries = [
    ...listCheckpoint(texts["checkpoint.md"]),
    ...listProgress(texts["progress.md"]),
    ...listNotes(texts["task-notes.md"]),
    ...listDecisions(texts["decisions.md"]),
    ...parseSessionLog(texts["session-log.md"]).slice(-1),
    ...listConventions(texts["conventions.md"]),
    ...listInstincts(texts["instincts.md"]),
    ...listLearnings(texts["learnings.jsonl"]),
    ...listNotes(texts["cumulative-notes.md"]),
  ];
  return entries.map((entry) => ({ ...entry, text: toOneLine(entry.text) }));
}

function listCheckpoint(text = ""): readonly StateEntry[] {
  const active = findActiveCheckpoint(text);
  if (!active) return [];
  const { Git: git = "", Resume: resume = "", Left: items } = active.fields;
  const left = parseBullets(items).length;
  if (left === 0 && NOTHING_LEFT.test(resume)) return [];
  const parts = [
    active.title,
    `resume: ${resume}`,
    ...(git === "" ? [] : [`made at ${git}`]),
    // A checkpoint to resume from that says "0 steps left" would contradict itself.
    ...(left === 0 ? [] : [`${renderCount(left, "step")} left`]),
  ];
  return [{ atMs: active.atMs, label: "Checkpoint", text: parts.join("; ") }];
}

function listProgress(text = ""): readonly StateEntry[] {
  const entry = parseLog(text).entries.at(-1);
  if (!entry) return [];
  const list = (label: string, items: string | undefined): readonly StateEntry[] =>
    parseBullets(items).map((item) => ({ atMs: entry.atMs, label, text: item }));
  const { "Next Session Should": next, "In Progress": inProgress, Blocked: blocked } = entry.fields;
  return [...list("Next", next), ...list("In progress", inProgress), ...list("Blocked", blocked)];
}

function listDecisions(text = ""): readonly StateEntry[] {
  return newest(text, "Decision", DECISIONS).map(({ atMs, title, fields }) => {
    const { Decision: decision = "", Rationale: reason = "" } = fields;
    const because = reason && `because ${reason.replace(/^because\s+/i, "")}`;
    return { atMs, label: "Decision", text: joinOnce(title, decision, because) };
  });
}

/** Joins the parts that say something new: a title is often the beginning of its decision, and a reason its end. */
function joinOnce(...parts: readonly string[]): string {
  const said = parts.map((part) => part.replace(/…$/, "").trim()).filter((part) => part !== "");
  return said
    .filter((part, index) => !said.some((other, at) => at !== index && isWithin(part, other, at < index)))
    .join("; ");
}

function isWithin(part: string, other: string, isEarlier: boolean): boolean {
  const [small, large] = [part.toLowerCase(), other.toLowerCase()];
  return large.includes(small) && (small !== large || isEarlier);
}

function listConventions(text = ""): readonly StateEntry[] {
  return newest(text, "Convention").map(({ atMs, title, fields }) => {
    const { Pattern: pattern = "", "Applies to": place = "" } = fields;
    return { atMs, label: "Convention", text: joinOnce(title, pattern, place && `applies to ${place}`) };
  });
}

function listInstincts(text = ""): readonly StateEntry[] {
  return newest(text, "Instinct").flatMap((entry) => {
    const { Trigger: trigger = "", Action: action = "" } = entry.fields;
    const confidence = parseConfidence(entry);
    if (confidence < INSTINCT_FROM) return [];
    return [{ atMs: entry.atMs, label: `Instinct (${confidence})`, text: `${trigger} -> ${action}` }];
  });
}

function listLearnings(text = ""): readonly StateEntry[] {
  return parseLearnings(text)
    .learnings.slice(-LEARNINGS)
    .reverse()
    .map(({ atMs, type, key, insight }) => ({ atMs, label: `Learned (${type})`, text: `${key}: ${insight}` }));
}

function listNotes(text = ""): readonly StateEntry[] {
  return parseNotes(text).map(({ atMs, section, text: note }) => ({ atMs, label: section || "Note", text: note }));
}

function newest(text: string, kind: string, count = Number.POSITIVE_INFINITY): readonly LogEntry[] {
  const entries = parseLog(text).entries.filter((entry) => entry.kind === kind);
  return entries.slice(Math.max(0, entries.length - count)).reverse();
}

const LINE = /^\[([^\]\n]{1,30})\] — ([^\n]*)$/;

function parseSessionLog(text = ""): readonly StateEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, stamp = "", words] = LINE.exec(line.trimEnd()) ?? [];
    return words === undefined ? [] : [{ atMs: parseStamp(stamp), label: "Last session", text: words }];
  });
}

/** Appends a line, unless it repeats the last one. */
export function appendSessionLine(text: string, summary: string, atMs: number): string {
  const words = toOneLine(summary);
  const lines = parseSessionLog(text);
  if (words === "" || lines.at(-1)?.text === words) return text;
  const start = lines.length > 0 ? (text.endsWith("\n") ? text : `${text}\n`) : openSlot(text, "Session Log");
  return `${start}[${renderStamp(atMs)}] — ${words}\n`;
}
