import { decideModelWindow } from "../models/find-model.ts";
import { type CompactionPoint, type CompactionSettings, decideCompactionPoint } from "./compaction-point.ts";
import { classifyLoad, hasManyLargeReads, type Level, type Profile } from "./level.ts";
import type { MeterState } from "./meter.ts";
import { type ClientMeasure, type Reading, takeReading } from "./reading.ts";

export interface HealthOptions {
  readonly profile?: Profile;
  readonly client?: ClientMeasure;
  readonly settings?: CompactionSettings;
  /** Sizes at which the client compacted by itself in this person's other sessions. */
  readonly autoPreTokens?: readonly number[];
}

export interface Health extends Reading {
  readonly level: Level;
  /** The profile that decided the level: tool calls decide if no size is known. */
  readonly profile: Profile;
  readonly model: string;
  readonly windowTokens: number;
  readonly compactionPointTokens: number;
  readonly compactionPointSource: CompactionPoint["source"];
  readonly tokensToLine: number | undefined;
  /** At the pace of the last steps; `undefined` if it is not growing or the pace is unknown. */
  readonly requestsToLine: number | undefined;
  readonly toolCalls: number;
  /** Since the last compaction; used where tool calls decide. The window is light again then, and continuing to advise a compaction would be a loop. */
  readonly windowCalls: number;
  readonly largeReads: number;
  readonly hasLargeFiles: boolean;
  readonly steps: number;
  readonly compactions: number;
}

export function assessHealth(state: MeterState, options: HealthOptions = {}): Health {
  const reading = takeReading(state, options.client);
  const model = state.current?.model ?? state.cached?.model ?? "";
  const window = decideModelWindow(model, state);
  const windowTokens = options.client?.windowTokens ?? state.windowTokens ?? window.windowTokens;
  const history = [...(options.autoPreTokens ?? []), ...state.autoPreTokens];
  const point = decideCompactionPoint({ ...window, windowTokens }, options.settings, history);
  const profile = reading.usedTokens === undefined ? "calls" : (options.profile ?? "measured");
  const windowCalls = state.toolCalls - state.callsBefore;
  const tokensToLine = reading.usedTokens === undefined ? undefined : Math.max(0, point.tokens - reading.usedTokens);
  const { usedTokens } = reading;
  const { largeReads } = state;
  const load = { usedTokens, windowTokens, compactionPointTokens: point.tokens, windowCalls, largeReads };
  return {
    ...reading,
    level: classifyLoad(load, profile),
    profile,
    model,
    windowTokens,
    compactionPointTokens: point.tokens,
    compactionPointSource: point.source,
    tokensToLine,
    requestsToLine: projectRequests(state.recentGrowth, tokensToLine),
    toolCalls: state.toolCalls,
    windowCalls,
    largeReads,
    hasLargeFiles: hasManyLargeReads(largeReads),
    steps: state.steps,
    compactions: state.compactions,
  };
}

function projectRequests(recentGrowth: readonly number[], tokensToLine: number | undefined): number | undefined {
  if (recentGrowth.length === 0 || tokensToLine === undefined) return undefined;
  const pace = recentGrowth.reduce((total, growth) => total + growth, 0) / recentGrowth.length;
  return pace > 0 ? Math.floor(tokensToLine / pace) : undefined;
}
