import { clipLine } from "../../core/clip-text.ts";
import { createHandles } from "./call-handle.ts";
import { type Continuation, findContinuation, type Happened } from "./continuation.ts";
import { findTerms } from "./find-terms.ts";
import { createFileSection } from "./record-files.ts";
import { RECORD_OPENING } from "./record-opening.ts";
import { createBindingSection, createOtherWordsSection } from "./record-words.ts";
import {
  createCommandSection,
  createDecisionSection,
  createErrorSection,
  createFailureSection,
  createWorkSection,
  type Notation,
} from "./record-work.ts";
import { frame, type Placed, placeSections, renderList, type Section } from "./section.ts";
import { findStanding, fitStanding, type StandingView } from "./standing-record.ts";
import { ANCHOR_TOKENS, createShortener } from "./summary.ts";
import { rankTerms } from "./track-terms.ts";
import type { CallNote } from "./trail.ts";
import { fitItems, weighText } from "./weigh.ts";

export interface RecordOptions {
  /** Never exceeded, by the upper bound of both tokenizers. */
  readonly budgetTokens?: number;
  /** Where the whole conversation stays; empty where nobody knows. */
  readonly transcript?: string;
  /** The project's folder: paths are written from there. */
  readonly root?: string;
  /** The tool that gives a call's result back by its handle; empty where there is none. */
  readonly recallTool?: string;
  /** What the person asked to keep when they asked for the compaction. */
  readonly instructions?: string;
  /** Files that hold outputs which were folded away. */
  readonly artifacts?: readonly string[];
}

/** What replaces a history, and what of it each section could show. */
export interface CompactionRecord {
  readonly text: string;
  /** The most it weighs, whichever tokenizer reads it. */
  readonly tokens: number;
  readonly sections: readonly {
    readonly name: string;
    readonly items: number;
    readonly shown: number;
    readonly tokens: number;
  }[];
}

export const RECORD_TOKENS = 12_000;
/** Below this not even the anchor's headings and a handle have room. */
export const MIN_RECORD_TOKENS = 600;
const ANCHOR_SHARE = 0.6;
/** Sure for the names, which are chosen last because only then it is known which ones stand there already. */
const TERMS_SHARE = 0.16;

/**
 * The record of a session, deterministic, in an order of importance that decides what is cut first: calls, names, other
 * words, commands, failures, decisions, errors, files, work, and last of all what the person demanded. What has no room is left out.
 */
export function renderRecord(happened: Happened, options: RecordOptions = {}): CompactionRecord {
  const { budgetTokens = RECORD_TOKENS, root = "" } = options;
  if (!(budgetTokens >= MIN_RECORD_TOKENS))
    throw new TypeError(
      `a record takes at least ${MIN_RECORD_TOKENS} tokens: pass a larger budgetTokens than ${budgetTokens}`,
    );
  const continuation = findContinuation(happened);
  const anchor = renderAnchor({ happened, continuation }, root, Math.min(ANCHOR_TOKENS, budgetTokens * ANCHOR_SHARE));
  const head = `${renderOpening(happened, options, budgetTokens - weighText(anchor))}${anchor}`;
  const left = budgetTokens - weighText(head);
  const sections = listSections(happened, continuation, options);
  const placed = placeSections(sections, left * (1 - TERMS_SHARE));
  const body = head + placed.map(({ text }) => text).join("");
  const terms = placeTerms(happened, body, budgetTokens - weighText(body));
  const filled = refill(sections, placed, budgetTokens - weighText(body + terms.text));
  const parts = [...filled, terms];
  const text = head + parts.map((part) => part.text).join("");
  return {
    text,
    tokens: Math.ceil(weighText(text)),
    sections: parts.map(({ name, items, shown, text: part }) => ({
      name,
      items,
      shown,
      tokens: Math.ceil(weighText(part)),
    })),
  };
}

/** Where the work stands, as far as it is certain. */
function renderAnchor(view: StandingView, root: string, maxTokens: number): string {
  const heading = "## Where it stands";
  const lines = fitStanding(view, findStanding(view, root), maxTokens - weighText(frame(`${heading}\n`)));
  return lines.length === 0 ? "" : frame([heading, ...lines].join("\n"));
}

/** What is left in the end goes to the last section, the calls: more of them in a line each. */
function refill(sections: readonly Section[], placed: readonly Placed[], leftTokens: number): readonly Placed[] {
  const [section, last] = [sections.at(-1), placed.at(-1)];
  if (!section || !last || last.shown === last.items) return placed;
  const fitted = fitItems(last.items, weighText(last.text) + leftTokens, (count) => frame(section.render(count)));
  return [...placed.slice(0, -1), { ...last, ...fitted }];
}

/** What survives and what does not, and where the rest is: said only as far as there is room. */
function renderOpening({ trail }: Happened, options: RecordOptions, maxTokens: number): string {
  const { transcript = "", root = "", recallTool = "", instructions = "" } = options;
  const lines = [
    `${RECORD_OPENING} Requests 1 to ${trail.request}, ${trail.calls.length} calls.`,
    instructions === "" ? "" : `The user asked to keep in mind: "${instructions}"`,
    recallTool === ""
      ? ""
      : `Any earlier result comes back word for word with the tool ${recallTool}: give it the handle at the end of a line (call:…, plimsoll:…).`,
    transcript === ""
      ? ""
      : `All of it stays, word for word, in ${transcript}: search it for a call's id before asking the user again.`,
    "Kept here: the task, what the user demanded, paths, decisions, status of the work, unresolved errors. Not here: file contents, reasoning, tool output; read files again before editing them.",
    root === "" ? "" : `Paths are relative to ${root}.`,
  ].filter((line) => line !== "");
  // Half of what is left at most: the sections need room too.
  return fitItems(lines.length, maxTokens / 2, (count) => lines.slice(0, count).join("\n")).text;
}

function listSections(
  { state, trail }: Happened,
  continuation: Continuation,
  { root = "", artifacts = [] }: RecordOptions,
): readonly Section[] {
  const notation: Notation = { handle: createHandles(trail.calls), shorten: createShortener(root) };
  return [
    createBindingSection(state.words),
    createWorkSection(continuation, notation),
    createFileSection(state.files, notation.shorten),
    createErrorSection(continuation, notation),
    createDecisionSection(continuation, notation),
    createFailureSection(state, notation),
    createCommandSection(state, notation),
    createArtifactSection(artifacts),
    createOtherWordsSection(state.words),
    createCallSection(trail.calls, notation),
  ];
}

function createArtifactSection(artifacts: readonly string[]): Section {
  const newest = [...artifacts].reverse();
  const heading = "## Folded outputs, whole on disk: read them there";
  return {
    name: "artifacts",
    items: newest.length,
    share: 0.03,
    most: 0.1,
    render: (count) =>
      renderList(
        heading,
        newest.slice(0, count).map((path) => `- ${path}`),
      ),
  };
}

/** Inside a run of numbers that somebody counted out, none says more than the next. */
function createRunFinder(terms: readonly string[]): (term: string) => boolean {
  const numbers = new Set(terms.filter((term) => /^\d{1,15}$/.test(term)).map(Number));
  return (term) => /^\d{1,15}$/.test(term) && numbers.has(Number(term) - 1) && numbers.has(Number(term) + 1);
}

/** By which nobody asks for anything. */
function isCallId(term: string): boolean {
  return term.startsWith("toolu_");
}

/** Names likely to be needed next that stand nowhere above. */
function placeTerms({ trail }: Happened, body: string, maxTokens: number): Placed {
  const known = findTerms(body);
  const met = rankTerms(trail.terms, trail.request).filter((term) => !isCallId(term));
  const isCounted = createRunFinder(met);
  const terms = met.filter((term) => !known.has(term) && !isCounted(term));
  const render = (count: number): string =>
    frame(`## Names and numbers met, the likeliest needed first\n${terms.slice(0, count).join(" ")}`);
  const fitted = fitItems(terms.length, maxTokens, render);
  return { name: "terms", items: terms.length, ...(fitted.shown > 0 ? fitted : { text: "", shown: 0 }) };
}

const CALLS_HEADING = "## Calls (request, tool, subject, characters of the result, handle)";
/** Calls without a line of their own are told in so many stretches. */
const STRETCHES = 6;

/** A handle to everything: the newest calls in a line each, all older ones in stretches. Nothing is without one. */
function createCallSection(calls: readonly CallNote[], notation: Notation): Section {
  const newestFirst = [...calls].reverse();
  const render = (count: number): string => {
    const single = newestFirst.slice(0, count).reverse();
    const older = calls.slice(0, calls.length - single.length);
    const size = Math.ceil(older.length / (count === 0 ? 1 : STRETCHES));
    const stretches: string[] = [];
    for (let from = 0; from < older.length; from += size)
      stretches.push(renderStretch(older.slice(from, from + size), notation));
    return [CALLS_HEADING, ...stretches, ...single.map((call) => renderCall(call, notation))].join("\n");
  };
  return { name: "calls", items: calls.length, share: 0.06, most: 0.3, render };
}

function renderCall({ callId, request, tool, subject, characters, outcome }: CallNote, notation: Notation): string {
  const size = outcome === "waiting" ? "no result" : `${outcome === "failed" ? "failed " : ""}${characters}`;
  return `r${request} ${clipLine(tool, 40)} ${notation.shorten(clipLine(subject, 70))} ${size} ${notation.handle(callId)}`;
}

function renderStretch(calls: readonly CallNote[], { handle }: Notation): string {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last) return "";
  const tools = new Map<string, number>();
  for (const { tool } of calls) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  const most = [...tools].sort(([, left], [, right]) => right - left).slice(0, 3);
  const kinds = most.map(([tool, count]) => `${count} ${clipLine(tool, 40)}`).join(", ");
  return `r${first.request}-r${last.request}: ${calls.length} calls (${kinds}) ${handle(first.callId)}..${handle(last.callId)}`;
}
