import { applyEdits } from "../core/apply-edits.ts";
import type { Block, Message } from "../core/message.ts";
import { pricePart, priceUsage } from "../models/economics/spend.ts";
import { estimateBlockTokens } from "../models/tokens.ts";
import { native } from "./policies/native.ts";
import type { Briefing, Occasion } from "./policy.ts";
import { type CacheUse, createPromptCache } from "./prompt-cache.ts";
import type { ReplaySession, ReplayStep } from "./session.ts";

/** What a session cost as recorded and as simulated; a compaction's own request is in neither, because nobody records it. */
export interface DollarCheck {
  readonly recordedUsd: number;
  /** Entries live as long as time stamps say. */
  readonly simulatedUsd: number;
  /** Requests that missed the cache although time stamps do not say why cost what they cost. */
  readonly withMissesUsd: number;
  readonly unexplainedMisses: number;
}

/** A request that read less than half of what it could have read missed the cache; `measure/cache-miss.ts` says the same. */
const MISS_BELOW = 0.5;

export function checkDollars(briefing: Briefing): DollarCheck {
  const { session } = briefing;
  const cache = createPromptCache();
  const planner = native.create(briefing);
  const weigh = createScale(session);
  const check = { recordedUsd: 0, simulatedUsd: 0, withMissesUsd: 0, unexplainedMisses: 0 };
  let messages: readonly Message[] = [];
  let blocks: readonly Block[] = [];
  for (const [index, step] of session.steps.entries()) {
    const before = { messages, blocks };
    messages = [...messages, ...step.joined];
    const isCold = !cache.isWarm(step.atMs, step.model);
    const { edits } = planner.plan(describeOccasion(index, { session, messages, weigh, isCold, before }));
    if (edits.length > 0) ({ messages } = applyEdits(messages, edits, undefined, "mayGo"));
    blocks = messages.flatMap((message) => message.blocks);
    const tokens = blocks.map(weigh);
    const use = cache.send({
      ...step,
      blocks,
      tokens,
      baseTokens: session.baseTokens,
      unchanged: countCommon(before.blocks, blocks),
    });
    const simulatedUsd = priceUse(step, use);
    const recordedUsd = priceUsage({ ...step.usage, outputTokens: step.outputTokens }, step.model)?.totalUsd ?? 0;
    // What had expired the simulator does not read, either: a miss that time stamps explain is never below its half.
    const isUnexplained = step.usage.cacheReadTokens < use.readTokens * MISS_BELOW;
    check.recordedUsd += recordedUsd;
    check.simulatedUsd += simulatedUsd;
    check.withMissesUsd += isUnexplained ? recordedUsd : simulatedUsd;
    if (isUnexplained) check.unexplainedMisses++;
  }
  return check;
}

function createScale({ weights, tokenizer }: ReplaySession): (block: Block) => number {
  const own = new Map<Block, number>();
  return (block) => {
    let tokens = weights.get(block) ?? own.get(block);
    if (tokens === undefined) {
      tokens = estimateBlockTokens(block, tokenizer);
      own.set(block, tokens);
    }
    return tokens;
  };
}

interface Standing {
  readonly session: ReplaySession;
  readonly messages: readonly Message[];
  readonly weigh: (block: Block) => number;
  readonly isCold: boolean;
  readonly before: { readonly messages: readonly Message[] };
}

function describeOccasion(index: number, { session, messages, weigh, isCold, before }: Standing): Occasion {
  const { baseTokens, windowTokens, steps } = session;
  const { atMs: nowMs = 0, model = "", share1h = 0 } = steps[index] ?? {};
  const countTokens = ({ blocks }: Message): number => blocks.reduce((sum, block) => sum + weigh(block), 0);
  const tokens = messages.reduce((sum, message) => sum + countTokens(message), 0);
  const sentMessages = before.messages.length;
  return {
    step: index,
    messages,
    sentMessages,
    tokens,
    baseTokens,
    windowTokens,
    countTokens,
    nowMs,
    model,
    isCold,
    share1h,
  };
}

function countCommon(before: readonly Block[], after: readonly Block[]): number {
  let common = 0;
  while (common < before.length && before[common] === after[common]) common++;
  return common;
}

function priceUse({ model, share1h, outputTokens }: ReplayStep, { readTokens, writtenTokens }: CacheUse): number {
  const usage = {
    cacheReadTokens: readTokens,
    cacheWrite5mTokens: writtenTokens * (1 - share1h),
    cacheWrite1hTokens: writtenTokens * share1h,
    outputTokens,
  };
  return pricePart(usage, model, { contextTokens: readTokens + writtenTokens }) ?? 0;
}
