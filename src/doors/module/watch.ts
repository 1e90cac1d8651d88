import { type SessionEvent, untoldCompaction } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import { createRowReader, type Row, type RowMessage } from "../../hosts/claude-code/row-reader.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { createTrackers, type TrackedState } from "../../hosts/happening.ts";
import type { HistoryLoad } from "../../layers/ledger/decide-collapse.ts";
import { type LedgerStyle, lengthsOf } from "../../layers/ledger/describe-call.ts";
import { createLoadTracker, type LoadState } from "../../layers/ledger/track-load.ts";
import type { TailRule } from "../../layers/ledger/weigh-history.ts";
import { DEFAULT_POLICY, POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import { assessHealth, type Health, type HealthOptions } from "../../measure/health.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { createMomentTracker, type WorkMoment } from "../../policy/advice/work-moment.ts";
import type { Happened } from "../../survive/record/continuation.ts";

/** What a session has come to, as plain data that a later process goes on from. */
export interface WatchState extends TrackedState {
  /** What the first request carried: system prompt, tools, instructions. */
  readonly baseTokens: number;
  /** What the exchanges since the last compaction weigh. */
  readonly load?: LoadState | undefined;
}

/** The session as the module follows it, row by row, with the same trackers that read transcripts. */
export interface Watch {
  /**
   * False where the row was told before, ahead of a compaction: nothing new has happened then. What happened is told by the
   * whole row, what is carried by what is shown of it in the window.
   */
  row(row: Row, atMs: number, shown?: RowMessage): boolean;
  /** Whether that row was the last of those that a compaction kept. */
  isRetold(): boolean;
  events(events: Iterable<SessionEvent>): void;
  note(callId: string, record: JsonObject): void;
  /** The answer that is being told; empty before the first. */
  step(): string;
  /** All its calls have returned. */
  answered(): void;
  /** The rows that a compaction keeps, by what identifies them. */
  expect(keys: Iterable<string>): void;
  /** What the last response was answered over, as the engine says. */
  measured(contextTokens: number, model: string, atMs: number): void;
  health(options?: HealthOptions): Health;
  happened(): Happened;
  /** When the last response came, in milliseconds since 1970; undefined before the first. */
  lastAnswerMs(): number | undefined;
  contextTokens(): number | undefined;
  load(tail: TailRule): HistoryLoad;
  /**
   * A compaction was answered. The engine tells its boundary as a row only where it compacts by itself, not after `/compact`,
   * so it is followed here, and a boundary that comes after it is not counted again.
   */
  compacted(atMs: number): void;
  /** We collapsed the conversation up to its last exchanges; record and ledger weigh so much. */
  collapsed(keptExchanges: number, ledgerTokens: number): void;
  baseTokens(): number;
  /** Where the work stands, by which it is decided whether now is a good place to compact. */
  work(): WorkMoment;
  save(): WatchState;
}

const PLAIN_STYLE: LedgerStyle = { vocabulary: claudeCodeVocabulary, ...lengthsOf(POLICY_SETTINGS[DEFAULT_POLICY]) };

export function createWatch(
  saved?: Partial<WatchState>,
  style: LedgerStyle = PLAIN_STYLE,
  healthOptions: HealthOptions = {},
): Watch {
  const trackers = createTrackers(claudeCodeVocabulary, saved);
  const { meter } = trackers;
  const rows = createRowReader();
  const moment = createMomentTracker(claudeCodeVocabulary);
  const load = createLoadTracker(style, () => tokenizerOf(assessHealth(meter.state()).model), saved?.load);
  let baseTokens = saved?.baseTokens ?? 0;
  let measuredStep = "";
  let isBoundaryKnown = false;

  const events = (list: Iterable<SessionEvent>, shown?: RowMessage): void => {
    for (const event of list) {
      trackers.feed(event);
      moment.feed(event);
      load.feed(shown ? showAs(event, shown) : event);
    }
  };

  return {
    row(row, atMs, shown) {
      const told = rows.read(row, atMs);
      const isBoundary = row.message.name === "compact_boundary";
      if (!(isBoundary && isBoundaryKnown)) events(told, shown);
      // What the person says next is past the compaction, whether its boundary was told or not.
      if (isBoundary || row.door === "prompt") isBoundaryKnown = false;
      return !rows.isRetelling();
    },
    compacted(atMs) {
      isBoundaryKnown = true;
      events([untoldCompaction("", atMs)]);
    },
    isRetold: rows.isRetold,
    events: (list) => events(list),
    note: rows.note,
    step: rows.step,
    answered: rows.answered,
    expect: rows.expect,
    measured(contextTokens, model, atMs) {
      if (rows.step() === "" || rows.step() === measuredStep) return;
      measuredStep = rows.step();
      if (baseTokens === 0) baseTokens = contextTokens;
      meter.feed({
        kind: "output",
        origin: "",
        atMs,
        stepId: measuredStep,
        model,
        usage: asUsage(contextTokens),
        isOutputFinal: false,
        blocks: [],
      });
    },
    health: (options) => assessHealth(meter.state(), { ...healthOptions, ...options }),
    happened() {
      const { session, trail } = trackers.state();
      return { state: session, trail };
    },
    lastAnswerMs: () => meter.state().cached?.atMs,
    contextTokens: () => assessHealth(meter.state()).usedTokens,
    baseTokens: () => baseTokens,
    work: moment.moment,
    load: load.load,
    collapsed: load.collapsed,
    save: () => ({ ...trackers.state(), baseTokens, load: load.state() }),
  };
}

/** A result with the text that stands in its place. */
function showAs(event: SessionEvent, { content }: RowMessage): SessionEvent {
  if (event.kind !== "arrival" || event.block.kind !== "toolResult") return event;
  const { block } = event;
  const text = content.find((raw) => raw.tool_use_id === block.callId)?.content;
  return typeof text === "string" ? { ...event, block: { ...block, parts: [{ kind: "text", text }] } } : event;
}

/** The engine tells one number; how much of it was read from the cache it does not say here. */
function asUsage(contextTokens: number): Usage {
  return {
    inputTokens: 0,
    cacheReadTokens: contextTokens,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 0,
  };
}
