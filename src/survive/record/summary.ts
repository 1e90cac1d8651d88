import { clipLine, sliceWhole, toOneLine } from "../../core/clip-text.ts";
import { weighText } from "../../models/tokens.ts";
import { normalizePath } from "../../session/file-path.ts";
import { findPhase } from "../../session/phase.ts";
import { describeSubject } from "../../session/subject.ts";
import type { Decision } from "../../session/track-decisions.ts";
import { isPasted } from "../receipt/person-words.ts";
import { type Continuation, findContinuation, type Happened } from "./continuation.ts";
import { renderAddress } from "./locate-edit.ts";

/** The anchor is injected whole or not at all, so it stays below this for every session. */
export const ANCHOR_TOKENS = 500;

/** Quotes are shortened in these steps until the required parts fit, and enough of the rest. */
const QUOTE_WIDTHS: readonly number[] = [160, 100, 60, 30, 12];
const ENOUGH_LINES = 8;
/** Shorter quotes are only for budgets in which nothing else fits. */
const READABLE_WIDTH = 60;
const SHORTEST_QUESTION = 12;

type Optional = { readonly section: "topics" | "decisions" | "priority"; readonly line: string };

/** What it takes to resume at the exact place. If room is short, older topics, decisions and words go first, then quotes get shorter; threads and resume point stay. */
export function renderSummary(
  happened: Happened,
  { maxTokens = ANCHOR_TOKENS, root = "" }: { readonly maxTokens?: number; readonly root?: string } = {},
): string {
  const continuation = findContinuation(happened);
  const view: View = { happened, continuation, shorten: createShortener(root) };
  let best: Fitted = { text: "", shown: 0 };
  for (const width of QUOTE_WIDTHS) {
    const lines = listOptional(view, width);
    const core = renderCore(view, width);
    const fitted = fitItems(lines.length + 1, maxTokens, (count) => layOut(core, lines, Math.min(count, lines.length)));
    if (fitted.text !== "") best = fitted;
    if (best.text !== "" && (width <= READABLE_WIDTH || best.shown >= Math.min(lines.length, ENOUGH_LINES))) break;
  }
  if (best.text !== "") return best.text;
  // The last resort: as many characters as fit, with a mark.
  const bare = `## Compaction Summary\n> Resume: ${continuation.next.action}`;
  return fitItems(bare.length, maxTokens, (count) => (count < bare.length ? `${sliceWhole(bare, count)}…` : bare)).text;
}

/** A list that shows all of its items, or the first ones with a note on the rest. */
interface Fitted {
  readonly text: string;
  readonly shown: number;
}

/** The rendering with the most items within the limit, or nothing. `render(count)` shows the first `count` items and says that others were left out. */
export function fitItems(total: number, maxTokens: number, render: (count: number) => string): Fitted {
  const fits = (count: number): boolean => weighText(render(count)) <= maxTokens;
  if (total === 0) return { text: "", shown: 0 };
  if (fits(total)) return { text: render(total), shown: total };
  let [low, high] = [0, total];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return fits(low) ? { text: render(low), shown: low } : { text: "", shown: 0 };
}

interface View {
  readonly happened: Happened;
  readonly continuation: Continuation;
  readonly shorten: (text: string) => string;
}

type Core = ReturnType<typeof renderCore>;

function layOut({ calls, threads, resume }: Core, lines: readonly Optional[], count: number): string {
  const fill = (section: Optional["section"], none: string): readonly string[] => {
    const all = lines.filter((line) => line.section === section);
    // Where something is cut, some of it is shown.
    const shown = all.slice(0, Math.max(1, lines.slice(0, count).filter((line) => line.section === section).length));
    const left = all.length - shown.length;
    if (all.length === 0) return [none];
    return [...shown.map(({ line }) => line), ...(left > 0 ? [`- … ${left} more that did not fit`] : [])];
  };
  return [
    `## Compaction Summary (generated at ${calls})`,
    "### Topics Covered",
    ...fill("topics", "- none recorded"),
    "### Key Decisions Made",
    ...fill("decisions", "- none recorded"),
    "### Active Threads",
    ...threads,
    "### Emotional/Priority Context",
    ...fill("priority", "- no urgency, deadline or preference expressed"),
    "### Continuation Point",
    `> Resume: ${resume}`,
  ].join("\n");
}

/** What is never left out. */
function renderCore({ happened, continuation, shorten }: View, width: number) {
  const { state, trail } = happened;
  const { next, done, open, task } = continuation;
  const phase = findPhase(state.phase);
  const { lastEdit } = trail;
  const name = (items: Continuation["open"]): string =>
    items.map(({ subject }) => clipLine(subject, width / 2)).join("; ");
  return {
    calls: trail.calls.length,
    threads: [
      `- ${task === "" ? "nothing was asked yet" : clipLine(task, width)}${phase === undefined ? "" : ` (phase: ${phase})`}`,
      lastEdit
        ? `- Current file: ${quoteTail(shorten(renderAddress({ ...lastEdit, symbol: "" })), width)}, current function/section: ${clipLine(lastEdit.symbol || "unknown", width / 2)}`
        : "- Current file: none changed yet, current function/section: none",
      `- Partial progress: done ${done.length}${done.length > 0 ? ` (${name(done.slice(-2))})` : ""}; remains ${open.length}${open.length > 0 ? ` (${name(open.slice(0, 3))})` : ""}`,
    ],
    resume: `${clipLine(shorten(next.action), width * 2.5)}${next.evidence === "" ? "" : ` [${next.evidence}]`}`,
  };
}

/** What may be left out, the most important first. */
function listOptional({ happened, continuation, shorten }: View, width: number): readonly Optional[] {
  const { state } = happened;
  // What was pasted is not the user's own insistence.
  const newest = state.words.filter(({ text }) => !isPasted(text)).reverse();
  const priority = [
    ...newest.flatMap(({ urgency }) => urgency),
    ...newest.flatMap(({ frustrations }) => frustrations),
    ...newest.filter(({ isCorrection }, at) => isCorrection && at < newest.length - 1).map(({ text }) => text),
    ...newest.flatMap(({ constraints }) => constraints.filter((sentence) => !sentence.endsWith(":"))),
  ];
  const topics = new Set([...state.episodes].reverse().map(({ firstAsked }) => describeSubject(firstAsked, width)));
  const words = [...new Set(priority)].map((text) => `- "${clipLine(text, width)}"`);
  const blocked = continuation.blocked.map(({ attempt, line, callId }) =>
    shorten(`- Blocker: \`${clipLine(attempt, width / 2)}\` → ${clipLine(line, width)} [call:${callId}]`),
  );
  return interleave([
    words.map((line) => ({ section: "priority", line })),
    // Next to the user's words and not before them, because an error is also in the continuation point.
    blocked.map((line) => ({ section: "priority", line })),
    continuation.decisions.map((decision) => ({
      section: "decisions",
      line: shorten(renderDecision(decision, width)),
    })),
    [...topics].filter((topic) => topic !== "").map((topic) => ({ section: "topics", line: `- ${topic}` })),
  ]);
}

/** The first of every list before the second of any. */
function interleave(lists: readonly (readonly Optional[])[]): readonly Optional[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** `- [decision]: [rationale] — affects [files/modules]`. What is not known is left out. */
export function renderDecision({ text, reason, files }: Decision, width: number): string {
  const at = reason === "" ? -1 : text.lastIndexOf(reason);
  const decision = (at > 0 ? text.slice(0, at) : text).trim().replace(/[,:;.]+$/, "");
  const why = reason === "" ? "" : `: ${clipLine(reason, width)}`;
  return `- ${clipDecision(decision, width)}${why}${files.length === 0 ? "" : ` — affects ${quoteTail(files.join(", "), width)}`}`;
}

/** A question may be cut, but not its answer: without the answer nothing was decided. */
export function clipDecision(text: string, width: number): string {
  const line = toOneLine(text);
  const at = line.lastIndexOf(" → ");
  if (at < 0 || line.length <= width) return clipLine(line, width);
  const answer = line.slice(at);
  return `${clipLine(line.slice(0, at), Math.max(SHORTEST_QUESTION, width - answer.length))}${answer}`;
}

/** Our own lines write paths relative to the project's folder; the user's words are never changed. */
export function createShortener(root: string): (text: string) => string {
  if (root === "" || root === "/") return (text) => text;
  const separator = root.includes("\\") ? "\\" : "/";
  const start = root.endsWith(separator) ? root : `${root}${separator}`;
  // On Windows, messages spell the project's path with backslashes, and a session's stored paths with slashes.
  const starts = separator === "/" ? [start] : [start, `${normalizePath(root)}/`];
  return (text) => starts.reduce((left, each) => left.split(each).join(""), text);
}

/** The end of a path says more than its beginning. */
function quoteTail(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= maxCharacters
    ? line
    : `…${line.slice(-Math.floor(maxCharacters)).replace(/^[\uDC00-\uDFFF]/, "")}`;
}
