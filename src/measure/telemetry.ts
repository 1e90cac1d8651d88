import type { Output, SessionEvent } from "../core/event.ts";
import { sumContextTokens, type Usage } from "../core/usage.ts";
import { priceUsage } from "../models/economics/spend.ts";
import { type CachedRequest, type CacheMissCause, followCache } from "./cache-miss.ts";

export interface RequestTelemetry extends Usage {
  /** From 1, in order. */
  readonly request: number;
  /** The person's prompts so far. */
  readonly turn: number;
  readonly stepId: string;
  readonly atMs: number | undefined;
  readonly model: string;
  readonly contextTokens: number;
  /** Compared with the previous request; `undefined` for the first of a window. */
  readonly growthTokens: number | undefined;
  readonly cacheShare: number;
  readonly toolCalls: number;
  /** `undefined` for a model without a price. */
  readonly usd: number | undefined;
  readonly isAtLeast: boolean;
  readonly missCause: CacheMissCause | undefined;
  readonly missedTokens: number;
  readonly isAfterCompaction: boolean;
  /** If not, output and cost are lower bounds. */
  readonly isOutputFinal: boolean;
}

type Derived = keyof Usage | "contextTokens" | "growthTokens" | "cacheShare" | "usd" | "isAtLeast";

interface Open extends Omit<RequestTelemetry, Derived> {
  readonly usage: Usage;
  /** What the previous request of the window carried. */
  readonly before: number | undefined;
}

/** The requests of one conversation. An answer recorded in several lines is one request. */
export function listRequests(events: Iterable<SessionEvent>): readonly RequestTelemetry[] {
  const open = new Map<string, Open>();
  let cached: CachedRequest | undefined;
  let turn = 0;
  let isFresh = true;
  let hasCompacted = false;
  let before: number | undefined;
  for (const event of events) {
    if (event.kind === "compaction") {
      isFresh = true;
      hasCompacted = open.size > 0;
    }
    if (event.kind === "arrival" && event.block.kind === "text" && event.block.author === "person") turn++;
    if (event.kind !== "output" || !event.usage) continue;
    const known = open.get(event.stepId);
    if (known) {
      open.set(event.stepId, mergeLine(known, event, event.usage));
      before = sumContextTokens(event.usage);
      continue;
    }
    const { stepId, model, atMs, usage } = event;
    const followed = followCache(cached, { stepId, model, atMs, usage, followsCompaction: hasCompacted });
    cached = followed.cached;
    open.set(stepId, {
      request: open.size + 1,
      turn,
      stepId,
      atMs,
      model,
      toolCalls: countCalls(event),
      missCause: followed.miss?.cause,
      missedTokens: followed.miss?.missedTokens ?? 0,
      isAfterCompaction: hasCompacted,
      isOutputFinal: event.isOutputFinal,
      usage,
      before: isFresh ? undefined : before,
    });
    before = sumContextTokens(usage);
    isFresh = false;
    hasCompacted = false;
  }
  return [...open.values()].map(close);
}

/** The last line of an answer has the final output count. */
function mergeLine(known: Open, event: Output, usage: Usage): Open {
  const outputTokens = Math.max(usage.outputTokens, known.usage.outputTokens);
  const toolCalls = known.toolCalls + countCalls(event);
  const isOutputFinal = known.isOutputFinal || event.isOutputFinal;
  return { ...known, toolCalls, isOutputFinal, usage: { ...usage, outputTokens } };
}

function countCalls({ blocks }: Output): number {
  return blocks.filter(({ kind }) => kind === "toolCall").length;
}

function close({ usage, before, ...request }: Open): RequestTelemetry {
  const contextTokens = sumContextTokens(usage);
  return {
    ...request,
    ...usage,
    contextTokens,
    growthTokens: before === undefined ? undefined : contextTokens - before,
    cacheShare: contextTokens === 0 ? 0 : usage.cacheReadTokens / contextTokens,
    usd: priceUsage(usage, request.model, { atMs: request.atMs })?.totalUsd,
    isAtLeast: !request.isOutputFinal,
  };
}
