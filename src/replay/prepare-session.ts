import { createBlockIds, type Identity } from "../core/block-id.ts";
import type { Arrival } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { Block, Message, Role, TextBlock } from "../core/message.ts";
import { renderCount } from "../core/render-count.ts";
import { MOST_BASE_TOKENS } from "../measure/attribution.ts";
import { type Calibration, predictTokens, seedCalibration } from "../measure/calibration.ts";
import { weighArrival, weighOutput } from "../measure/load.ts";
import type { Recording, Step } from "../measure/recording.ts";
import { hasPrice } from "../models/economics/prices.ts";
import { findModel, findWindow } from "../models/find-model.ts";
import { estimateBlockTokens, type Tokenizer, tokenizerOf } from "../models/tokens.ts";
import type { LeftOut, RecordedCompaction, ReplaySession, ReplayStep } from "./session.ts";

export interface RecordedSource extends Pick<ReplaySession, "name" | "file" | "root" | "vocabulary" | "restoresFiles"> {
  readonly recording: Recording;
  /** Lines that are not JSON or are cut off. */
  readonly brokenLines: number;
}

/** How far an estimate may be scaled to match the measured size; the rest becomes an unlogged block. */
const LEAST_SCALE = 0.4;
const MOST_SCALE = 2;
/** A context that shrinks by more without a boundary was cleared unrecorded; the simulation does not follow. */
export const MOST_DROP_TOKENS = 3000;
const LARGE_WINDOW_FROM_TOKENS = 180_000;
const SMALL_WINDOW_TOKENS = 200_000;
const LARGE_WINDOW_TOKENS = 1_000_000;
/** A compaction above this share of the largest request happened because the window was full. */
const NEAR_THE_END = 0.9;

/** Prepares a recorded session for replay, or gives the reason why it cannot be replayed. */
export function prepareSession(source: RecordedSource): ReplaySession | LeftOut {
  const { name, recording } = source;
  const why = findObstacle(source);
  if (why !== undefined) return { name, why };
  const [first] = recording.steps;
  const tokenizer = tokenizerOf(first?.model ?? "");
  const weigher = createWeigher(tokenizer);
  const baseTokens = (first?.contextTokens ?? 0) - weigher.sum(first?.arrivals ?? []);
  if (baseTokens > MOST_BASE_TOKENS) {
    const unseen = `${Math.round(baseTokens)} tokens that are not in the file`;
    return { name, why: `starts in mid-session: its first request includes ${unseen}` };
  }
  const steps: ReplayStep[] = [];
  const compactions: RecordedCompaction[] = [];
  const labels = new Map<Block, string>();
  const messages = createMessages(weigher.weights, labels);
  for (const [index, step] of recording.steps.entries()) {
    const before = recording.steps[index - 1];
    const isOpening = before !== undefined && before.window !== step.window;
    const history = step.arrivals.filter((arrival) => !isOpening || !isPutBack(arrival));
    const answer = before?.outputs ?? [];
    const unlogged = weigher.weighStep(answer, history, isOpening ? undefined : growthOf(before, step));
    if (isOpening) compactions.push(readCompaction(recording, index, step, { messages, weigher }));
    const joined = [
      ...messages.create(`${before?.id}`, "assistant", answer),
      ...messages.createArrivals(step.id, history, unlogged),
    ];
    steps.push(finishStep(step, joined, tokenizer));
  }
  return {
    name,
    file: source.file,
    steps,
    baseTokens: Math.max(0, baseTokens),
    windowTokens: chooseWindow(recording),
    tokenizer,
    root: source.root,
    vocabulary: source.vocabulary,
    restoresFiles: source.restoresFiles ?? false,
    compactions,
    weights: weigher.weights,
    labels,
    details: listDetails(recording),
  };
}

/**
 * By the best evidence: what the client itself said about its window, where it compacted by itself, the largest request. The table counts
 * if its window is between the small and the large one and the requests fit into it.
 */
function chooseWindow({ steps, windows }: Recording): number {
  const sizes = steps.flatMap(({ windowTokens = 0 }) => (windowTokens > 0 ? [windowTokens] : []));
  const mostTokens = Math.max(...steps.map(({ contextTokens }) => contextTokens));
  if (sizes.length > 0) return Math.max(...sizes);
  const { windowTokens } = findModel(steps[0]?.model ?? "");
  if (windowTokens > SMALL_WINDOW_TOKENS && windowTokens < LARGE_WINDOW_TOKENS && mostTokens <= windowTokens)
    return windowTokens;
  const compactedAt = windows.flatMap(({ compaction, firstStep }) =>
    compaction?.trigger === "auto" ? [compaction.preTokens ?? steps[firstStep - 1]?.contextTokens ?? 0] : [],
  );
  // A compaction far below the end says nothing about the window: it may have been set that way.
  const nearest = Math.max(0, ...compactedAt.filter((tokens) => tokens >= mostTokens * NEAR_THE_END));
  if (nearest > 0) return findWindow(Math.max(nearest, mostTokens));
  return mostTokens > LARGE_WINDOW_FROM_TOKENS ? LARGE_WINDOW_TOKENS : SMALL_WINDOW_TOKENS;
}

function listDetails({ steps }: Recording): ReadonlyMap<string, JsonObject> {
  const details = new Map<string, JsonObject>();
  for (const { block, detail } of steps.flatMap(({ arrivals }) => arrivals))
    if (block.kind === "toolResult" && detail) details.set(block.callId, detail);
  return details;
}

function findObstacle({ recording, brokenLines }: RecordedSource): string | undefined {
  const { steps } = recording;
  if (brokenLines > 0) return renderCount(brokenLines, "broken line");
  if (steps.length < 2) return steps.length === 0 ? "no request" : "one request only";
  const unknown = steps.find(({ model }) => !hasPrice(model));
  if (unknown) return `no price for the model ${unknown.model === "" ? "without a name" : unknown.model}`;
  const bare = steps.filter(({ usage }) => usage === undefined).length;
  return bare > 0 ? `${bare} of ${steps.length} requests without usage` : undefined;
}

function growthOf(before: Step | undefined, step: Step): number | undefined {
  if (before === undefined) return undefined;
  const growth = step.contextTokens - before.contextTokens;
  return growth < -MOST_DROP_TOKENS ? undefined : Math.max(0, growth);
}

/** The summary and the client's attachments to it belong to the compaction, not to the history. */
function isPutBack({ source }: Arrival): boolean {
  return source === "summary" || source === "attachment" || source === "reminder";
}

interface Making {
  readonly messages: ReturnType<typeof createMessages>;
  readonly weigher: ReturnType<typeof createWeigher>;
}

/** The compaction before a step. */
function readCompaction(
  { windows }: Recording,
  index: number,
  step: Step,
  { messages, weigher }: Making,
): RecordedCompaction {
  const putBack = step.arrivals.filter(isPutBack);
  for (const arrival of putBack) weigher.weighAlone(arrival);
  const summaryTokens = putBack
    .filter(({ source }) => source === "summary")
    .reduce((sum, { block }) => sum + (weigher.weights.get(block) ?? 0), 0);
  const { trigger = "", durationMs } = windows[step.window]?.compaction ?? {};
  return {
    step: index,
    trigger,
    messages: messages.createArrivals(`${step.id}:compaction`, putBack, 0),
    summaryTokens,
    durationMs,
  };
}

function finishStep(step: Step, joined: readonly Message[], tokenizer: Tokenizer): ReplayStep {
  const { usage } = step;
  if (!usage) throw new Error("a step without usage passed the check");
  const estimated = step.outputs.reduce((sum, block) => sum + estimateBlockTokens(block, tokenizer), 0);
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  return {
    atMs: step.atMs ?? 0,
    model: step.model,
    joined,
    outputs: step.outputs,
    outputTokens: step.isOutputFinal ? usage.outputTokens : Math.max(usage.outputTokens, Math.round(estimated)),
    share1h: written > 0 ? usage.cacheWrite1hTokens / written : 0,
    usage,
  };
}

/** Content we cannot read (a PDF, say) gets the unexplained growth of the request: its bytes say nothing about its tokens. */
function weighSealed(raw: Map<Block, number>, growth: number): void {
  const sealed = [...raw].filter(([block]) => isSealed(block));
  const sum = (entries: Iterable<readonly [Block, number]>): number =>
    [...entries].reduce((total, [, tokens]) => total + tokens, 0);
  const sealedTokens = sum(sealed);
  const left = Math.max(0, growth - (sum(raw) - sealedTokens));
  for (const [block, tokens] of sealed) raw.set(block, (tokens / sealedTokens) * left);
}

function isSealed(block: Block): boolean {
  if (block.kind === "toolResult")
    return block.parts.some((part) => part.kind === "opaque" && part.raw.type === "document");
  return block.kind === "opaque";
}

function createWeigher(tokenizer: Tokenizer) {
  const calibration: Calibration = seedCalibration(tokenizer);
  const weights = new Map<Block, number>();
  const weighArrived = (arrival: Arrival): number => predictTokens(weighArrival(arrival, tokenizer), calibration);
  return {
    weights,
    sum: (arrivals: readonly Arrival[]): number => arrivals.reduce((sum, arrival) => sum + weighArrived(arrival), 0),
    weighAlone: (arrival: Arrival): void => void weights.set(arrival.block, weighArrived(arrival)),
    /** Weighs what joined with one request, scaled to the measured growth; returns the tokens that no recorded line explains. */
    weighStep(answer: readonly Block[], arrivals: readonly Arrival[], growth: number | undefined): number {
      const raw = new Map<Block, number>();
      for (const block of answer) raw.set(block, predictTokens(weighOutput(block, tokenizer), calibration));
      for (const arrival of arrivals) raw.set(arrival.block, weighArrived(arrival));
      if (growth !== undefined) weighSealed(raw, growth);
      const estimated = [...raw.values()].reduce((sum, tokens) => sum + tokens, 0);
      const scale =
        growth === undefined || estimated === 0 ? 1 : Math.min(MOST_SCALE, Math.max(LEAST_SCALE, growth / estimated));
      for (const [block, tokens] of raw) weights.set(block, tokens * scale);
      return growth === undefined ? 0 : Math.max(0, growth - estimated * scale);
    },
  };
}

function createMessages(weights: Map<Block, number>, labels: Map<Block, string>) {
  const nameBlock = createBlockIds();
  const create = (id: string, role: Role, blocks: readonly Block[]): readonly Message[] => {
    if (blocks.length === 0) return [];
    const named = blocks.map((block) => {
      const renamed = { ...block, id: nameBlock(identify(block)) };
      weights.set(renamed, weights.get(block) ?? 0);
      weights.delete(block);
      const label = labels.get(block);
      if (label !== undefined) labels.set(renamed, label);
      labels.delete(block);
      return renamed;
    });
    return [{ id, role, blocks: named }];
  };
  return {
    create,
    createArrivals(id: string, arrivals: readonly Arrival[], unloggedTokens: number): readonly Message[] {
      for (const { source, label, block } of arrivals) if (source === "attachment") labels.set(block, label);
      const said = arrivals.flatMap(({ role, block }) => (role === "system" ? [] : [block]));
      const system = arrivals.flatMap(({ role, block }) => (role === "system" ? [block] : []));
      return [
        ...create(`${id}:in`, "user", [...said, ...createUnlogged(unloggedTokens, weights)]),
        ...create(`${id}:system`, "system", system),
      ];
    },
  };
}

/** What the request carried without a recorded line: mostly reminders of older clients. */
const UNLOGGED_TEXT = "[unlogged]";
const UNLOGGED_CHARACTERS_PER_TOKEN = 3;

/** Whether a block stands for unrecorded content, which code inside the client does not see either. */
export function isUnlogged(block: Block): boolean {
  return block.kind === "text" && block.author === "host" && block.text.startsWith(UNLOGGED_TEXT);
}

function createUnlogged(tokens: number, weights: Map<Block, number>): readonly TextBlock[] {
  if (tokens < 1) return [];
  const block: TextBlock = {
    kind: "text",
    id: "",
    text: UNLOGGED_TEXT.padEnd(tokens * UNLOGGED_CHARACTERS_PER_TOKEN, " ."),
    author: "host",
  };
  weights.set(block, tokens);
  return [block];
}

function identify(block: Block): Identity {
  switch (block.kind) {
    case "toolCall":
    case "toolResult":
      return { kind: block.kind, callId: block.callId };
    case "text":
      return { kind: "text", content: block.text };
    case "thinking":
      return { kind: "thinking", content: block.signature };
    default:
      return { kind: block.kind, content: JSON.stringify(block.raw) };
  }
}
