import { type SessionEvent, unreportedCompaction } from "../../core/event.ts";
import { zeroUsage } from "../../core/usage.ts";
import { createRowReader, type Row, type RowMessage, type RowReader } from "../../hosts/claude-code/row-reader.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { createTrackers, type TrackedState } from "../../hosts/happening.ts";
import type { HistoryLoad } from "../../layers/ledger/decide-collapse.ts";
import type { LedgerStyle } from "../../layers/ledger/describe-call.ts";
import { createLoadTracker, type LoadState, type LoadTracker } from "../../layers/ledger/track-load.ts";
import type { TailRule } from "../../layers/ledger/weigh-history.ts";
import { DEFAULT_POLICY, POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import { assessHealth, type Health, type HealthOptions } from "../../measure/health.ts";
import { estimateBlockTokens, type Tokenizer, tokenizerOf } from "../../models/tokens.ts";
import { createMomentTracker, type WorkMoment } from "../../policy/advice/work-moment.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { RECURRING } from "./compaction/row-extras.ts";

/** The state of a session as plain data, from which a later process continues. */
export interface WatchState extends TrackedState {
  /** What every request begins with: system prompt, tools, instructions, the opening of the conversation. */
  readonly baseTokens: number;
  readonly baseErrorTokens?: number | undefined;
  readonly repeatedTokens?: number | undefined;
  readonly load?: LoadState | undefined;
}

/** Follows the session row by row, with the same trackers that read transcripts. */
export interface Watch
  extends Pick<RowReader, "isRestated" | "isRestating" | "note" | "step" | "answered" | "expectAnswered" | "expect"> {
  /** False if the row was seen before a compaction: nothing new has happened then. The whole row says what happened; `shown` is what the window has of it. */
  row(row: Row, atMs: number, shown?: RowMessage): boolean;
  events(events: Iterable<SessionEvent>): void;
  isMeasured(): boolean;
  /** Sets the size of the last response's request, as the client reports it. False if it was known. */
  measured(contextTokens: number, model: string, atMs: number): boolean;
  health(): Health;
  happened(): Happened;
  /** Unix time of the last response in milliseconds; `undefined` before the first. */
  lastAnswerMs(): number | undefined;
  contextTokens(): number | undefined;
  load(tail: TailRule): HistoryLoad;
  /** A compaction was answered. After `/compact` the client reports no boundary, so it is recorded here; one that follows is not counted again. */
  compacted(atMs: number): void;
  lines: LoadTracker["lines"];
  collapsed: LoadTracker["collapsed"];
  baseTokens(): number;
  /** The part of the base that the client says in messages at the start of every window. */
  repeatedTokens(): number;
  /** The state of the work, to decide whether now is a good moment to compact. */
  work(): WorkMoment;
  save(): WatchState;
}

const PLAIN_STYLE: LedgerStyle = { vocabulary: claudeCodeVocabulary, ...POLICY_SETTINGS[DEFAULT_POLICY] };

export interface WatchOptions extends HealthOptions {
  /** The session's model, whose tokenizer applies before the first answer. */
  readonly model?: string;
}

export function createWatch(
  saved?: Partial<WatchState>,
  style: LedgerStyle = PLAIN_STYLE,
  { model: firstModel = "", ...healthOptions }: WatchOptions = {},
): Watch {
  const trackers = createTrackers(claudeCodeVocabulary, saved);
  const { meter } = trackers;
  const rows = createRowReader();
  const moment = createMomentTracker(claudeCodeVocabulary);
  /** Assessed once for each thing that happens: it is asked for many times in between, and predicts the next request each time. */
  let assessed: Health | undefined;
  const assess = (): Health => {
    assessed ??= assessHealth(meter.state(), healthOptions);
    return assessed;
  };
  const tokenizer = (): Tokenizer => tokenizerOf(assess().model || firstModel);
  const load = createLoadTracker(style, tokenizer, saved?.load);
  const base = createBase(saved);
  /** What the request that is being answered had in addition to the base, and when its answer began. */
  let sent: { readonly step: string; readonly tokens: number; readonly atMs: number | undefined };
  sent = { step: "", tokens: 0, atMs: undefined };
  let measuredStep = "";
  let measuredTokens: number | undefined;
  /** What the client reported before a compaction: until its next answer it goes on reporting that. */
  let outdatedTokens: number | undefined;
  let isBoundaryKnown = false;

  /** What the client repeats in every window counts with the base, wherever in the window it is. */
  let recurringTokens = 0;
  let repeatedTokens = saved?.repeatedTokens ?? 0;
  const weighSent = (event: SessionEvent): void => {
    if (event.kind === "compaction") {
      recurringTokens = 0;
      outdatedTokens = measuredTokens;
      base.windowBegan();
    }
    if (event.kind === "arrival" && event.source === "attachment" && RECURRING.has(event.label))
      recurringTokens += estimateBlockTokens(event.block, tokenizer());
    if (event.kind !== "output" || event.stepId === sent.step) return;
    const tokens = load.weight();
    if (tokens === 0) {
      if (recurringTokens > 0) repeatedTokens = recurringTokens;
      recurringTokens = 0;
    }
    sent = { step: event.stepId, tokens: Math.max(0, tokens - recurringTokens), atMs: event.atMs };
  };

  const isMeasured = (): boolean => rows.step() === "" || rows.step() === measuredStep;

  const events = (list: Iterable<SessionEvent>, shown?: RowMessage): void => {
    for (const event of list) {
      weighSent(event);
      trackers.feed(event);
      assessed = undefined;
      moment.feed(event);
      load.feed(shown ? showAs(event, shown) : event);
    }
  };

  return {
    ...rows,
    row(row, atMs, shown) {
      const found = rows.read(row, atMs);
      const isBoundary = row.message.name === "compact_boundary";
      if (!(isBoundary && isBoundaryKnown)) events(found, shown);
      // A prompt comes after the compaction, whether its boundary was reported or not.
      if (isBoundary || row.door === "prompt") isBoundaryKnown = false;
      return !rows.isRestating();
    },
    compacted(atMs) {
      isBoundaryKnown = true;
      events([unreportedCompaction("", atMs)]);
    },
    events: (list) => events(list),
    isMeasured,
    measured(contextTokens, model, atMs) {
      if (isMeasured() || contextTokens === outdatedTokens) return false;
      outdatedTokens = undefined;
      measuredTokens = contextTokens;
      measuredStep = rows.step();
      base.measured(contextTokens, sent.tokens);
      assessed = undefined;
      meter.feed({
        kind: "output",
        origin: "",
        // A call may have run for longer than the cache lives until its result has the answer measured.
        atMs: sent.step === measuredStep ? (sent.atMs ?? atMs) : atMs,
        stepId: measuredStep,
        model,
        // The client reports one number; it does not say how much of it was read from the cache.
        usage: { ...zeroUsage, cacheReadTokens: contextTokens },
        isOutputFinal: false,
        blocks: [],
      });
      return true;
    },
    health: assess,
    happened() {
      const { session, trail } = trackers.state();
      return { state: session, trail };
    },
    lastAnswerMs: () => meter.state().cached?.atMs,
    contextTokens: () => assess().usedTokens,
    baseTokens: () => base.known().baseTokens,
    repeatedTokens: () => repeatedTokens,
    work: moment.moment,
    load: load.load,
    lines: load.lines,
    collapsed: load.collapsed,
    save: () => ({ ...trackers.state(), ...base.known(), repeatedTokens, load: load.state() }),
  };
}

function showAs(event: SessionEvent, { content }: RowMessage): SessionEvent {
  if (event.kind !== "arrival" || event.block.kind !== "toolResult") return event;
  const { block } = event;
  const text = content.find((raw) => raw.tool_use_id === block.callId)?.content;
  return typeof text === "string" ? { ...event, block: { ...block, parts: [{ kind: "text", text }] } } : event;
}

interface KnownBase {
  readonly baseTokens: number;
  readonly baseErrorTokens: number;
}

interface BaseMeter {
  /** A request was measured; `extraTokens` is the estimate of what it had in addition to the base. */
  measured(contextTokens: number, extraTokens: number): void;
  /** The window was compacted: tools, skills and instructions may have changed since it began. */
  windowBegan(): void;
  known(): KnownBase;
}

/** Relative error of an estimate, before and after it was compared with the growth of requests in the same window. */
const ERROR = { plain: 0.15, compared: 0.03 } as const;
/** A smaller growth shows roundings rather than the estimate's error. */
const LEAST_GROWTH_TOKENS = 3_000;

/** The base is a measured request minus the estimated conversation in it: exact in the first request that we see begin, and more so as requests grow. */
export function createBase(saved: { readonly [Field in keyof KnownBase]?: number | undefined } = {}): BaseMeter {
  let known: KnownBase = { baseTokens: saved.baseTokens ?? 0, baseErrorTokens: saved.baseErrorTokens ?? Infinity };
  let first: { readonly contextTokens: number; readonly extraTokens: number } | undefined;
  let scale = 1;
  let isCompared = false;
  return {
    measured(contextTokens, extraTokens) {
      first ??= { contextTokens, extraTokens };
      const growth = extraTokens - first.extraTokens;
      if (growth >= LEAST_GROWTH_TOKENS && contextTokens > first.contextTokens) {
        scale = (contextTokens - first.contextTokens) / growth;
        isCompared = true;
      }
      const weighed = extraTokens * scale;
      const baseErrorTokens = weighed * (isCompared ? ERROR.compared : ERROR.plain);
      if (baseErrorTokens > known.baseErrorTokens) return;
      known = { baseTokens: Math.max(0, Math.round(contextTokens - weighed)), baseErrorTokens };
    },
    windowBegan() {
      first = undefined;
      known = { ...known, baseErrorTokens: Infinity };
    },
    known: () => known,
  };
}
