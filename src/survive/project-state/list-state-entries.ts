import { toOneLine } from "../../core/clip-text.ts";
import { findActiveCheckpoint } from "./checkpoint.ts";
import { parseConvention, parseDecision, parseProgress } from "./entry-kinds.ts";
import { type LogEntry, openSlot, parseLog } from "./entry-log.ts";
import { parseInstinct } from "./instincts.ts";
import { parseLearnings } from "./learnings.ts";
import { parseNotes } from "./section-notes.ts";
import { parseStamp, renderStamp } from "./stamp.ts";
import type { StateTexts } from "./state-files.ts";

/** One thing worth telling the next session, in one line. */
export interface StateEntry {
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
  return [
    ...listCheckpoint(texts["checkpoint.md"] ?? ""),
    ...listProgress(texts["progress.md"] ?? ""),
    ...listNotes(texts["task-notes.md"] ?? ""),
    ...listDecisions(texts["decisions.md"] ?? ""),
    ...parseSessionLog(texts["session-log.md"] ?? "")
      .slice(-1)
      .map(({ atMs, text }) => ({ atMs, label: "Last session", text })),
    ...listConventions(texts["conventions.md"] ?? ""),
    ...listInstincts(texts["instincts.md"] ?? ""),
    ...listLearnings(texts["learnings.jsonl"] ?? ""),
    ...listNotes(texts["cumulative-notes.md"] ?? ""),
  ];
}

function listCheckpoint(text: string): readonly StateEntry[] {
  const active = findActiveCheckpoint(text);
  if (!active) return [];
  const { doing, git, left, resume } = active.checkpoint;
  if (left.length === 0 && NOTHING_LEFT.test(resume)) return [];
  const parts = [
    `resume: ${resume}`,
    ...(git === "" ? [] : [`made at ${git}`]),
    // A checkpoint to resume from that says "0 steps left" would contradict itself.
    ...(left.length === 0 ? [] : [`${left.length} ${left.length === 1 ? "step" : "steps"} left`]),
  ];
  return [{ atMs: active.atMs, label: "Checkpoint", text: toOneLine(`${doing}; ${parts.join("; ")}`) }];
}

function listProgress(text: string): readonly StateEntry[] {
  const entry = parseLog(text).entries.at(-1);
  if (!entry) return [];
  const { nextSessionShould, inProgress, blocked } = parseProgress(entry);
  const list = (label: string, items: readonly string[]): readonly StateEntry[] =>
    items.map((item) => ({ atMs: entry.atMs, label, text: toOneLine(item) }));
  return [...list("Next", nextSessionShould), ...list("In progress", inProgress), ...list("Blocked", blocked)];
}

function listDecisions(text: string): readonly StateEntry[] {
  return newest(text, "Decision", DECISIONS).map((entry) => {
    const { title, decision, rationale } = parseDecision(entry);
    return {
      atMs: entry.atMs,
      label: "Decision",
      text: toOneLine(joinOnce(title, decision, rationale && `because ${rationale.replace(/^because\s+/i, "")}`)),
    };
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

function listConventions(text: string): readonly StateEntry[] {
  return newest(text, "Convention").map((entry) => {
    const { title, pattern, appliesTo } = parseConvention(entry);
    return {
      atMs: entry.atMs,
      label: "Convention",
      text: toOneLine(joinOnce(title, pattern, appliesTo && `applies to ${appliesTo}`)),
    };
  });
}

function listInstincts(text: string): readonly StateEntry[] {
  return newest(text, "Instinct").flatMap((entry) => {
    const { trigger, action, confidence } = parseInstinct(entry);
    if (confidence < INSTINCT_FROM) return [];
    return [{ atMs: entry.atMs, label: `Instinct (${confidence})`, text: toOneLine(`${trigger} -> ${action}`) }];
  });
}

function listLearnings(text: string): readonly StateEntry[] {
  return parseLearnings(text)
    .learnings.slice(-LEARNINGS)
    .reverse()
    .map(({ atMs, type, key, insight }) => ({
      atMs,
      label: `Learned (${type})`,
      text: toOneLine(`${key}: ${insight}`),
    }));
}

function listNotes(text: string): readonly StateEntry[] {
  return parseNotes(text).map(({ atMs, section, text: note }) => ({
    atMs,
    label: section || "Note",
    text: toOneLine(note),
  }));
}

function newest(text: string, kind: string, count = Number.POSITIVE_INFINITY): readonly LogEntry[] {
  const entries = parseLog(text).entries.filter((entry) => entry.kind === kind);
  return entries.slice(Math.max(0, entries.length - count)).reverse();
}

const LINE = /^\[([^\]\n]{1,30})\] — ([^\n]*)$/;

function parseSessionLog(text: string): readonly { readonly atMs: number | undefined; readonly text: string }[] {
  return text.split("\n").flatMap((line) => {
    const [, stamp, words] = LINE.exec(line.trimEnd()) ?? [];
    return stamp === undefined || words === undefined ? [] : [{ atMs: parseStamp(stamp), text: words }];
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
