import { type Arrival, type Compaction, type Output, type SessionEvent, unreportedCompaction } from "../core/event.ts";
import { renderResultText } from "../core/message.ts";
import { sumContextTokens, type Usage } from "../core/usage.ts";
import { countLines } from "../fold/thresholds.ts";
import type { CachingRequest } from "../models/economics/cache-state.ts";
import { tokenizerOf } from "../models/tokens.ts";
import { type CachedRequest, type CacheMiss, followCache } from "./cache-miss.ts";
import type { Observation } from "./calibration.ts";
import { emptyLoad, type Load, sumLoads, weighArrival, weighOutput } from "./load.ts";
import type { Recording } from "./recording.ts";

export interface CurrentStep extends CachingRequest {
  readonly id: string;
  readonly isOutputFinal: boolean;
  /** Seed load of its answer; used only while the answer's own token count is not final. */
  readonly answer: Load;
}

/** Everything that measuring needs to continue. Its size is bounded whatever the session's, because it is saved between hook calls. */
export interface MeterState {
  readonly steps: number;
  readonly toolCalls: number;
  /** Tool calls before the last compaction, which no longer fill the window. */
  readonly callsBefore: number;
  readonly callsByTool: Readonly<Record<string, number>>;
  /** Read results of more than 500 lines. */
  readonly largeReads: number;
  /** The last request of this window; `undefined` right after a compaction. */
  readonly current: CurrentStep | undefined;
  /** The last request of all, across compactions: what the prompt cache remembers. */
  readonly cached: CachedRequest | undefined;
  /** The least that a request without the conversation's own cache still read: a system prompt that other sessions keep warm. */
  readonly warmTokens?: number;
  readonly lastCompaction: Compaction | undefined;
  readonly compactions: number;
  /** Thoughts since the last prompt, which leave the window with the next one. */
  readonly thoughtTokens?: number;
  /** Load that joined since the last request, without its answer. */
  readonly waiting: Load;
  /** What the first request carried beyond the recorded content: system prompt, tools, instruction files. */
  readonly baseTokens: number | undefined;
  readonly autoPreTokens: readonly number[];
  /** The largest request since the last switch of model: that model's window is at least this large. */
  readonly largestContextTokens: number;
  readonly windowTokens: number | undefined;
  readonly recentGrowth: readonly number[];
  readonly observations: readonly Observation[];
  readonly misses: readonly CacheMiss[];
}

export const emptyMeter: MeterState = {
  steps: 0,
  toolCalls: 0,
  callsBefore: 0,
  callsByTool: {},
  largeReads: 0,
  current: undefined,
  cached: undefined,
  lastCompaction: undefined,
  compactions: 0,
  waiting: emptyLoad,
  baseTokens: undefined,
  autoPreTokens: [],
  largestContextTokens: 0,
  windowTokens: undefined,
  recentGrowth: [],
  observations: [],
  misses: [],
};

export interface Meter {
  feed(event: SessionEvent): void;
  state(): MeterState;
}

const LARGE_READ_LINES = 500;
const KEPT_PRE_TOKENS = 10;
const KEPT_GROWTH = 20;
const KEPT_OBSERVATIONS = 200;
const KEPT_MISSES = 50;
const KEPT_TOOLS = 200;
/** A larger fall without a boundary means that something was cleared unrecorded: it teaches nothing. */
const MAX_FALL_TOKENS = 500;

/** Measures a conversation event by event. Feed it one lane: the main chain, or one subagent. */
export function createMeter(saved: MeterState = emptyMeter): Meter {
  // A state saved by an earlier version may lack newer fields.
  let state = { ...emptyMeter, ...saved };
  return {
    feed(event) {
      state = advance(state, event);
    },
    state: () => state,
  };
}

function advance(state: MeterState, event: SessionEvent): MeterState {
  switch (event.kind) {
    case "output": {
      const counted = countCalls(state, event);
      return event.usage ? followOutput(counted, event, event.usage) : counted;
    }
    case "arrival":
      return followArrival(state, event);
    case "compaction":
      return followCompaction(state, event);
    case "microcompaction":
      return state;
  }
}

function followOutput(state: MeterState, event: Output, usage: Usage): MeterState {
  const answer = sumLoads(event.blocks.map((block) => weighOutput(block, tokenizerOf(event.model))));
  const { current, cached } = state;
  if (current?.id === event.stepId) {
    const merged = { ...usage, outputTokens: Math.max(usage.outputTokens, current.usage.outputTokens) };
    const { isOutputFinal } = event;
    const next = { ...current, usage: merged, isOutputFinal, answer: sumLoads([current.answer, answer]) };
    return {
      ...state,
      current: next,
      cached: cached && { ...cached, usage: merged },
      largestContextTokens: Math.max(state.largestContextTokens, sumContextTokens(merged)),
    };
  }
  // A late line of an answer from before the compaction is out of date.
  if (!current && cached?.stepId === event.stepId) return state;
  const next: CurrentStep = {
    id: event.stepId,
    model: event.model,
    atMs: event.atMs,
    usage,
    isOutputFinal: event.isOutputFinal,
    answer,
  };
  const contextTokens = sumContextTokens(usage);
  return {
    ...state,
    ...learnGrowth(state, next),
    ...rememberCache(state, next),
    steps: state.steps + 1,
    current: next,
    thoughtTokens: (state.waiting.prompts > 0 ? 0 : (state.thoughtTokens ?? 0)) + (usage.thoughtTokens ?? 0),
    waiting: emptyLoad,
    baseTokens: state.baseTokens ?? Math.max(0, contextTokens - sumSeed(state.waiting)),
    largestContextTokens: Math.max(cached?.model === event.model ? state.largestContextTokens : 0, contextTokens),
    windowTokens: event.windowTokens,
  };
}

function countCalls(state: MeterState, event: Output): MeterState {
  const calls = event.blocks.filter((block) => block.kind === "toolCall");
  if (calls.length === 0) return state;
  let { callsByTool } = state;
  for (const { tool } of calls) {
    const isRoom = Object.hasOwn(callsByTool, tool) || Object.keys(callsByTool).length < KEPT_TOOLS;
    const name = isRoom ? tool : "other";
    const before = Object.hasOwn(callsByTool, name) ? (callsByTool[name] ?? 0) : 0;
    callsByTool = { ...callsByTool, [name]: before + 1 };
  }
  return { ...state, toolCalls: state.toolCalls + calls.length, callsByTool };
}

/** What the growth since the last request teaches; nothing across models, boundaries or clearings. */
function learnGrowth(state: MeterState, next: CurrentStep): Pick<MeterState, "recentGrowth" | "observations"> {
  const { current, recentGrowth, observations } = state;
  const growth = current ? sumContextTokens(next.usage) - sumContextTokens(current.usage) : 0;
  if (!current || current.model !== next.model || growth < -MAX_FALL_TOKENS) return { recentGrowth, observations };
  const known = current.isOutputFinal ? current.usage.outputTokens : 0;
  const load = current.isOutputFinal ? state.waiting : sumLoads([current.answer, state.waiting]);
  return {
    recentGrowth: [...recentGrowth, growth].slice(-KEPT_GROWTH),
    observations: [...observations, { growthTokens: growth - known, load }].slice(-KEPT_OBSERVATIONS),
  };
}

function rememberCache(state: MeterState, next: CurrentStep): Pick<MeterState, "cached" | "misses" | "warmTokens"> {
  const followsCompaction = state.current === undefined && state.compactions > 0;
  const { cached, miss } = followCache(state.cached, { ...next, stepId: next.id, followsCompaction });
  if (miss === undefined && state.cached !== undefined) return { cached, misses: state.misses };
  return {
    cached,
    misses: miss ? [...state.misses, miss].slice(-KEPT_MISSES) : state.misses,
    warmTokens: Math.min(next.usage.cacheReadTokens, state.warmTokens ?? Number.POSITIVE_INFINITY),
  };
}

function followArrival(state: MeterState, event: Arrival): MeterState {
  const tokenizer = tokenizerOf(state.cached?.model ?? "");
  // Clients before 2.0.60 write a summary without a boundary line.
  const isImplied = event.source === "summary" && state.current !== undefined;
  const followed = isImplied ? followCompaction(state, unreportedCompaction(event.origin, event.atMs)) : state;
  return {
    ...followed,
    waiting: sumLoads([followed.waiting, weighArrival(event, tokenizer)]),
    largeReads: state.largeReads + (isLargeRead(event) ? 1 : 0),
  };
}

function followCompaction(state: MeterState, event: Compaction): MeterState {
  const isAuto = event.trigger === "auto" && event.preTokens !== undefined;
  return {
    ...state,
    current: undefined,
    thoughtTokens: 0,
    waiting: emptyLoad,
    lastCompaction: event,
    compactions: state.compactions + 1,
    callsBefore: state.toolCalls,
    autoPreTokens: isAuto
      ? [...state.autoPreTokens, event.preTokens ?? 0].slice(-KEPT_PRE_TOKENS)
      : state.autoPreTokens,
  };
}

function isLargeRead({ label, block }: Arrival): boolean {
  if (label !== "Read" || block.kind !== "toolResult" || block.isError) return false;
  return countLines(renderResultText(block)) > LARGE_READ_LINES;
}

function sumSeed(load: Load): number {
  return load.toolResult + load.toolInput + load.text + load.prompt + load.injected + load.thinking;
}

interface StepObservation extends Observation {
  readonly step: number;
  readonly model: string;
}

export function observeGrowth(recording: Recording): readonly StepObservation[] {
  const observations: StepObservation[] = [];
  for (const [index, step] of recording.steps.entries()) {
    const before = recording.steps[index - 1];
    if (!before || before.window !== step.window || before.model !== step.model) continue;
    if (!before.usage || !step.usage) continue;
    const growth = step.contextTokens - before.contextTokens;
    if (growth < -MAX_FALL_TOKENS) continue;
    const tokenizer = tokenizerOf(step.model);
    // An answer with a final recorded token count needs no estimate.
    const answer = before.isOutputFinal ? [] : before.outputs.map((block) => weighOutput(block, tokenizer));
    const known = before.isOutputFinal ? before.usage.outputTokens : 0;
    const load = sumLoads([...answer, ...step.arrivals.map((arrival) => weighArrival(arrival, tokenizer))]);
    observations.push({ step: index, model: step.model, growthTokens: growth - known, load });
  }
  return observations;
}
