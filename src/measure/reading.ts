import { sumContextTokens } from "../core/usage.ts";
import { tokenizerOf } from "../models/tokens.ts";
import { calibrate, predictTokens } from "./calibration.ts";
import type { MeterState } from "./meter.ts";

/**
 * How full the window is, and how we know. Sources, best first: `client` measured and reported it itself; `usage` is what the last request
 * after the last compaction was billed for; `estimate` is the calibrated size of what was recorded since a compaction; `calls` is a number
 * of tool calls and not a size.
 */
export interface Reading {
  readonly source: "client" | "usage" | "estimate" | "calls";
  readonly confidence: "exact" | "estimated" | "directional";
  /** `undefined` if only tool calls are known: a guess is not shown as a size. */
  readonly usedTokens: number | undefined;
  readonly lowTokens: number | undefined;
  readonly highTokens: number | undefined;
  /** The least the next request will carry: the last one, its answer, and what joined since. */
  readonly nextTokens: number | undefined;
  readonly note: string;
}

/** What the client reports: the status line's `context_window`, or a push of `session.measure`. */
export interface ClientMeasure {
  readonly usedTokens: number;
  readonly windowTokens: number;
}

export function takeReading(state: MeterState, client?: ClientMeasure): Reading {
  if (client && client.usedTokens > 0)
    return exact("client", client.usedTokens, predictNext(state), "measured by the agent itself");
  if (state.current) {
    const used = sumContextTokens(state.current.usage);
    return exact("usage", used, predictNext(state), "usage of the last request");
  }
  if (state.compactions > 0) return readAfterCompaction(state);
  return {
    source: "calls",
    confidence: "directional",
    usedTokens: undefined,
    lowTokens: undefined,
    highTokens: undefined,
    nextTokens: undefined,
    note: "no usage is recorded yet; the number of tool calls is only a rough guide",
  };
}

function exact(source: "client" | "usage", used: number, next: number | undefined, note: string): Reading {
  return {
    source,
    confidence: "exact",
    usedTokens: used,
    lowTokens: used,
    highTokens: used,
    nextTokens: next === undefined ? undefined : Math.max(used, next),
    note,
  };
}

function predictNext(state: MeterState): number | undefined {
  const { current } = state;
  if (!current) return undefined;
  const calibration = calibrate(state.observations, tokenizerOf(current.model));
  const answer = current.isOutputFinal ? current.usage.outputTokens : predictTokens(current.answer, calibration);
  return Math.round(sumContextTokens(current.usage) + answer + predictTokens(state.waiting, calibration));
}

/** A first request larger than this carried earlier history that is not recorded, so it says nothing about the base. */
const MOST_PLAUSIBLE_BASE = 60_000;
/** Median of recorded first requests: system prompt, tools, instruction files. */
const TYPICAL_BASE = 27_000;
/** Recently read files that the client puts back after a compaction without recording them: median and 90th percentile. */
const TYPICAL_RESTORED = 9_000;
const MOST_RESTORED = 30_000;

/** The old usage is void and no request has been made since: says so, and estimates from what is known. */
function readAfterCompaction(state: MeterState): Reading {
  const { baseTokens, lastCompaction, waiting } = state;
  const base = baseTokens !== undefined && baseTokens <= MOST_PLAUSIBLE_BASE ? baseTokens : TYPICAL_BASE;
  const calibration = calibrate(state.observations, tokenizerOf(state.cached?.model ?? ""));
  const least = Math.round(base + Math.max(lastCompaction?.postTokens ?? 0, predictTokens(waiting, calibration)));
  return {
    source: "estimate",
    confidence: "estimated",
    usedTokens: least + TYPICAL_RESTORED,
    lowTokens: least,
    highTokens: least + MOST_RESTORED,
    nextTokens: least + TYPICAL_RESTORED,
    note: "no request has followed the last compaction, so the size is an estimate",
  };
}
