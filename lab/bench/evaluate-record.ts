/**
 * What a compaction record is worth: built from what came before a recorded compaction alone, compared with what the session
 * used after it, beside the summary that the client's model wrote for the same moment.
 */
import { readFileSync } from "node:fs";
import type { Arrival, Compaction, SessionEvent } from "../../src/core/event.ts";
import { type Block, renderResultText, type ToolCallBlock } from "../../src/core/message.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-recording.ts";
import { selectMainChain } from "../../src/hosts/claude-code/main-chain.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createSession } from "../../src/session/session.ts";
import { collectStrings } from "../../src/survive/record/collect-strings.ts";
import { type Continuation, findContinuation, type Happened } from "../../src/survive/record/continuation.ts";
import { findTerms } from "../../src/survive/record/find-terms.ts";
import { splitPath } from "../../src/survive/record/group-paths.ts";
import { type CompactionRecord, renderRecord } from "../../src/survive/record/record.ts";
import { createTrail } from "../../src/survive/record/trail.ts";
import { weighText } from "../../src/survive/record/weigh.ts";
import { createWatch, isRecoverable, type Sightings } from "./record-sightings.ts";

/** A recorded compaction: what there was before it, what came after it. */
export interface Boundary {
  readonly file: string;
  readonly happened: Happened;
  readonly root: string;
  readonly sightings: Sightings;
  /** Files that calls named before. */
  readonly knownPaths: ReadonlySet<string>;
  readonly summary: string;
  readonly after: readonly SessionEvent[];
  /** What the client kept word for word beside its summary. */
  readonly keptTexts: readonly string[];
}

/** Of so many, how many each holds. */
export interface Tally {
  readonly of: number;
  readonly ours: number;
  readonly theirs: number;
}

export interface Evaluation {
  readonly files20: Tally;
  readonly files40: Tally;
  readonly terms: Tally;
  readonly errorLines: Tally;
  readonly constraints: Tally;
  /** Of what ours does not hold, what a handle in it leads to. */
  readonly recoverable: { readonly of: number; readonly held: number };
  readonly tokens: { readonly ours: number; readonly theirs: number };
  /** What making the record took. */
  readonly tookMs: number;
  readonly misses: readonly string[];
  /** Where the anchor says to go on, and whether the file it names was used soon after; undefined where it names none. */
  readonly continuation: { readonly kind: Continuation["next"]["kind"]; readonly isFollowed: boolean | undefined };
}

const HORIZON_CALLS = 40;

export function* findBoundaries(file: string): Generator<Boundary> {
  if (!/compact_boundary|isCompactSummary/.test(readFileSync(file, "utf8"))) return;
  const { entries } = readRecording(file);
  const events = selectMainChain(entries).flatMap((entry) => entry.events);
  const root = entries.find((entry) => entry.cwd !== "")?.cwd ?? "";
  const session = createSession(claudeCodeVocabulary);
  const trail = createTrail(claudeCodeVocabulary);
  const watch = createWatch();
  const knownPaths = new Set<string>();
  let isFresh = false;
  for (const [index, event] of events.entries()) {
    if (event.kind === "output") isFresh = false;
    const isBoundary: boolean = event.kind === "compaction" || (isSummary(event) && !isFresh);
    if (isBoundary && events.slice(0, index).some(({ kind }) => kind === "output")) {
      const after = takeWindow(events.slice(index + (event.kind === "compaction" ? 1 : 0)));
      yield {
        file,
        happened: { state: session.state(), trail: trail.state() },
        root,
        sightings: watch.sightings(),
        knownPaths: new Set(knownPaths),
        summary: after.filter(isSummary).map(textOf).join("\n"),
        after: after.filter((later) => !isSummary(later)),
        keptTexts: event.kind === "compaction" ? keepTexts(events, event) : [],
      };
    }
    isFresh ||= isBoundary;
    session.feed(event);
    trail.feed(event);
    watch.note(event);
    for (const path of listPaths(event)) knownPaths.add(path);
  }
}

/** Up to the next compaction, so many calls at most. */
function takeWindow(events: readonly SessionEvent[]): readonly SessionEvent[] {
  let calls = 0;
  const end = events.findIndex((event) => {
    if (calls >= HORIZON_CALLS || event.kind === "compaction") return true;
    if (event.kind === "output") calls += event.blocks.filter((block) => block.kind === "toolCall").length;
    return false;
  });
  return end < 0 ? events : events.slice(0, end);
}

function isSummary(event: SessionEvent): event is Arrival {
  return event.kind === "arrival" && event.source === "summary";
}

function keepTexts(events: readonly SessionEvent[], { preserved }: Compaction): readonly string[] {
  const kept = new Set(preserved);
  return events.filter(({ origin }) => kept.has(origin)).flatMap((event) => [textOf(event), ...listUses(event)]);
}

function textOf(event: SessionEvent): string {
  if (event.kind !== "arrival") return "";
  if (event.block.kind === "toolResult") return renderResultText(event.block);
  return event.block.kind === "text" ? event.block.text : "";
}

/** What the model wrote: its text and its calls' inputs. */
function listUses(event: SessionEvent): readonly string[] {
  if (event.kind !== "output") return [];
  return event.blocks.flatMap((block) =>
    block.kind === "text" ? [block.text] : block.kind === "toolCall" ? collectStrings(block.input) : [],
  );
}

function listPaths(event: SessionEvent): readonly string[] {
  if (event.kind !== "output") return [];
  return event.blocks.flatMap((block) => {
    if (block.kind !== "toolCall") return [];
    const action = claudeCodeVocabulary.interpretCall(block.tool, block.input);
    return (action.kind === "read" || action.kind === "write" || action.kind === "edit") && action.path !== ""
      ? [action.path]
      : [];
  });
}

export function evaluateBoundary(boundary: Boundary, budgetTokens: number): Evaluation {
  const { happened, root, summary, sightings } = boundary;
  const started = performance.now();
  const record = renderRecord(happened, { budgetTokens, root, transcript: "/transcripts/session.jsonl" });
  const tookMs = performance.now() - started;
  const used = listUsedTerms(boundary);
  const ourTerms = findTerms(record.text);
  const theirTerms = findTerms(summary);
  const misses = used.filter((term) => !ourTerms.has(term));
  const lines = listUsedErrorLines(boundary);
  const constraints = listConstraints(happened);
  const holds = (text: string, parts: readonly string[]): number => parts.filter((part) => text.includes(part)).length;
  return {
    files20: tallyFiles(boundary, record, 20),
    files40: tallyFiles(boundary, record, HORIZON_CALLS),
    terms: {
      of: used.length,
      ours: used.length - misses.length,
      theirs: used.filter((term) => theirTerms.has(term)).length,
    },
    errorLines: { of: lines.length, ours: holds(record.text, lines), theirs: holds(summary, lines) },
    constraints: {
      of: constraints.length,
      ours: holds(record.text, constraints),
      theirs: holds(summary, constraints),
    },
    recoverable: {
      of: misses.length,
      held: misses.filter((term) => isRecoverable(record.text, happened.trail.calls, sightings.get(term))).length,
    },
    tokens: { ours: record.tokens, theirs: Math.ceil(weighText(summary)) },
    tookMs,
    misses,
    continuation: followContinuation(boundary),
  };
}

const SOON_CALLS = 10;

function followContinuation({ happened, after }: Boundary): Evaluation["continuation"] {
  const { kind, action } = findContinuation(happened).next;
  const named = happened.state.files.map(({ path }) => path).filter((path) => action.includes(path));
  if (named.length === 0) return { kind, isFollowed: undefined };
  const calls = after.flatMap((event) => (event.kind === "output" ? event.blocks : [])).filter(isCall);
  const inputs = calls.slice(0, SOON_CALLS).map((call) => JSON.stringify(call.input));
  return {
    kind,
    isFollowed: named.some((path) => inputs.some((input) => input.includes(splitPath(path).name))),
  };
}

function isCall(block: Block): block is ToolCallBlock {
  return block.kind === "toolCall";
}

/** A file is named where its base name stands in the text: the same measure for both. */
function tallyFiles({ after, knownPaths, summary }: Boundary, record: CompactionRecord, maxCalls: number): Tally {
  const used = new Set<string>();
  let calls = 0;
  for (const event of after) {
    if (event.kind !== "output") continue;
    for (const block of event.blocks) {
      if (block.kind !== "toolCall" || calls++ >= maxCalls) continue;
      for (const path of listPaths({ ...event, blocks: [block] })) if (knownPaths.has(path)) used.add(path);
    }
  }
  const names = [...used].map((path) => splitPath(path).name);
  const holds = (text: string): number => names.filter((name) => text.includes(name)).length;
  return { of: names.length, ours: holds(record.text), theirs: holds(summary) };
}

/** Names and numbers the model wrote, before anything showed them to it anew, that had occurred before the compaction. */
function listUsedTerms({ after, sightings, keptTexts }: Boundary): readonly string[] {
  const shown = new Set<string>(keptTexts.flatMap((text) => [...findTerms(text)]));
  const used = new Set<string>();
  for (const event of after) {
    for (const text of listUses(event))
      for (const term of findTerms(text)) if (!shown.has(term) && sightings.has(term)) used.add(term);
    for (const term of findTerms(textOf(event))) shown.add(term);
  }
  return [...used];
}

const ERROR_LINE_CHARACTERS = 60;

/** Lines of errors from before that the model quotes after it. */
function listUsedErrorLines({ after, happened }: Boundary): readonly string[] {
  const lines = [...new Set(happened.state.errors.map(({ line }) => line.slice(0, ERROR_LINE_CHARACTERS)))];
  const uses = after.flatMap(listUses);
  return lines.filter((line) => line.length >= 20 && uses.some((text) => text.includes(line)));
}

/** Every sentence of the person that binds, as the session's own tracker tells them. */
function listConstraints({ state }: Happened): readonly string[] {
  const sentences = state.words.flatMap(({ constraints, urgency }) => [...constraints, ...urgency]);
  return [...new Set(sentences.map((sentence) => sentence.replace(/…$/, "")))];
}
