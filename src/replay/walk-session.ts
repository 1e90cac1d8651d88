import { applyEdits } from "../core/apply-edits.ts";
import type { Block, Message } from "../core/message.ts";
import { RECOVERY_OUTPUT_TOKENS } from "../models/economics/recovery.ts";
import { pricePart } from "../models/economics/spend.ts";
import { estimateBlockTokens, type Tokenizer } from "../models/tokens.ts";
import { createHolding, type Holding } from "./holding.ts";
import type { Needs } from "./needs.ts";
import { addNeed, emptyOutcome, type Outcome } from "./outcome.ts";
import type { Decision, Policy } from "./policy.ts";
import { createPromptCache, type Marks } from "./prompt-cache.ts";
import type { ReplaySession, ReplayStep } from "./session.ts";

export interface WalkOptions {
  readonly marks?: Marks;
  /** A clock for the time that planning takes; without it that is not told. */
  readonly clockMs?: () => number;
}

/** One session under one policy, request by request: what it would have cost, and what would have been at hand. */
export function walkSession(
  subject: { readonly session: ReplaySession; readonly needs: Needs },
  policy: Policy,
  options: WalkOptions,
): Outcome {
  const { session, needs } = subject;
  const { baseTokens, windowTokens, tokenizer } = session;
  const weights = new Map<Block, number>();
  const weigh = (block: Block): number => {
    let tokens = session.weights.get(block) ?? weights.get(block);
    if (tokens === undefined) {
      tokens = weighUnrecorded(block, tokenizer);
      weights.set(block, tokens);
    }
    return tokens;
  };
  const memory = new WeakMap<Message, number>();
  const countTokens = (message: Message): number => {
    let tokens = memory.get(message);
    if (tokens === undefined) {
      tokens = message.blocks.reduce((sum, block) => sum + weigh(block), 0);
      memory.set(message, tokens);
    }
    return tokens;
  };

  const planner = policy.create(subject);
  const cache = createPromptCache(options.marks);
  const holding = createHolding(needs);
  const outcome = emptyOutcome(session.name);
  let messages: readonly Message[] = [];
  let blocks: Block[] = [];
  let tokens: number[] = [];

  for (const [index, step] of session.steps.entries()) {
    const sentMessages = messages.length;
    let unchanged = blocks.length;
    if (step.joined.length > 0) {
      messages = [...messages, ...step.joined];
      for (const block of step.joined.flatMap((message) => message.blocks)) {
        blocks.push(block);
        tokens.push(weigh(block));
        holding.enter(block);
      }
    }
    const isCold = !cache.isWarm(step.atMs, step.model);
    const before = options.clockMs?.() ?? 0;
    const decision = planner.plan({
      step: index,
      messages,
      sentMessages,
      tokens: sum(tokens),
      baseTokens,
      windowTokens,
      countTokens,
      nowMs: step.atMs,
      model: step.model,
      isCold,
      share1h: step.share1h,
    });
    outcome.planMs.push((options.clockMs?.() ?? 0) - before);
    const sentTokens = baseTokens + sum(tokens);
    if (decision.collapse) {
      outcome.collapses++;
      if (decision.collapse.isAtBoundary) outcome.collapsesAtBoundary++;
    }
    if (decision.edits.length > 0) {
      const changed = carryOut(decision, { messages, blocks, holding });
      ({ messages } = changed);
      unchanged = Math.min(unchanged, changed.common);
      blocks = changed.blocks;
      tokens = blocks.map(weigh);
    }
    // Only now: what was refused is not paid for.
    if (decision.asked) chargeAsked(outcome, decision.asked, { step, viewTokens: sentTokens, isCold });
    if (decision.standing) {
      const { standing } = decision;
      const changed = changeStanding(standing, { blocks, holding });
      holding.openAll();
      unchanged = Math.min(unchanged, changed.common);
      blocks = [...standing];
      tokens = blocks.map(weigh);
    }
    if (decision.isWordless) outcome.isWordless = true;
    const use = cache.send({
      atMs: step.atMs,
      model: step.model,
      baseTokens,
      blocks,
      tokens,
      unchanged,
      share1h: step.share1h,
    });
    chargeRequest(outcome, step, use);
    judgeNeeds(index, { outcome, holding, needs, step, weigh, viewTokens: baseTokens + sum(tokens) });
  }
  return outcome;
}

/** A block that a policy wrote: nobody has measured it. */
export function weighUnrecorded(block: Block, tokenizer: Tokenizer): number {
  return estimateBlockTokens(block, tokenizer) + FRAME_TOKENS[block.kind];
}

const FRAME_TOKENS: Readonly<Record<Block["kind"], number>> = {
  text: 4,
  toolCall: 75,
  toolResult: 16,
  thinking: 0,
  image: 4,
  opaque: 0,
};

interface Standing {
  readonly messages: readonly Message[];
  readonly blocks: readonly Block[];
  readonly holding: Holding;
}

/**
 * An edit that is refused would be paid for and change nothing: the session then says nothing of its policy, so it fails. Ours were
 * held to what the doors refuse when they were planned; clients and rivals take out what they like.
 */
function carryOut(decision: Decision, { messages, blocks, holding }: Standing) {
  for (const { handle, text } of decision.originals ?? []) holding.store(handle, text);
  const { messages: next, refused } = applyEdits(messages, decision.edits, undefined, "mayGo");
  const [first] = refused;
  if (first) throw new Error(`an edit of ${first.edit.by} was refused: ${first.why}, ${first.detail}`);
  const nextBlocks = next.flatMap((message) => message.blocks);
  const { common } = changeStanding(nextBlocks, { blocks, holding });
  return { messages: next, blocks: nextBlocks, common };
}

function changeStanding(next: readonly Block[], { blocks, holding }: Pick<Standing, "blocks" | "holding">) {
  let common = 0;
  while (common < blocks.length && blocks[common] === next[common]) common++;
  const staying = new Set(next);
  const standing = new Set(blocks);
  for (const block of blocks) if (!staying.has(block)) holding.leave(block);
  for (const block of next) if (!standing.has(block)) holding.enter(block);
  return { common };
}

interface Use {
  readonly readTokens: number;
  readonly writtenTokens: number;
  readonly isBust: boolean;
}

function chargeRequest(outcome: Outcome, step: ReplayStep, use: Use): void {
  const total = use.readTokens + use.writtenTokens;
  const price = priceOf(step, total);
  outcome.sendUsd += use.readTokens * price.read + use.writtenTokens * price.write + step.outputTokens * price.output;
  outcome.readUsd += use.readTokens * price.read;
  outcome.writeUsd += use.writtenTokens * price.write;
  outcome.outputUsd += step.outputTokens * price.output;
  outcome.tokensSent += total;
  outcome.peakTokens = Math.max(outcome.peakTokens, total);
  outcome.steps++;
  if (use.isBust) outcome.prefixBusts++;
}

/** The model reads the view and writes its summary; the view is in the cache unless it has grown cold. */
function chargeAsked(
  outcome: Outcome,
  asked: { readonly outputTokens: number; readonly blockedMs: number },
  now: { readonly step: ReplayStep; readonly viewTokens: number; readonly isCold: boolean },
): void {
  const price = priceOf(now.step, now.viewTokens);
  const usd = now.viewTokens * (now.isCold ? price.write : price.read) + asked.outputTokens * price.output;
  outcome.sendUsd += usd;
  outcome.askedUsd += usd;
  outcome.compactions++;
  outcome.blockedMs += asked.blockedMs;
}

interface Judging {
  readonly outcome: Outcome;
  readonly holding: Holding;
  readonly needs: Needs;
  readonly step: ReplayStep;
  readonly viewTokens: number;
  readonly weigh: (block: Block) => number;
}

const PAGE_TOKENS = 2000;

function judgeNeeds(index: number, { outcome, holding, needs, step, viewTokens, weigh }: Judging): void {
  if (outcome.isWordless) return;
  const price = priceOf(step, viewTokens);
  const extra = viewTokens * price.read + RECOVERY_OUTPUT_TOKENS * price.output;
  for (const need of needs.bySteps[index] ?? []) {
    const found = holding.look(need.atom, index);
    addNeed(outcome, need, found);
    if (found.kind === "retained" || !found.isCharged) continue;
    outcome.fetches++;

    if (found.kind === "recoverable")
      outcome.recoveryUsd += extra + Math.min(PAGE_TOKENS, weigh(found.block)) * price.write;
    else outcome.rereadUsd += extra + weigh(found.block) * price.write;
  }
}

interface StepPrice {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** Dollars per token. */
function priceOf(step: ReplayStep, contextTokens: number): StepPrice {
  const { model, share1h } = step;
  const read = pricePart({ cacheReadTokens: 1 }, model, { contextTokens });
  const written = { cacheWrite5mTokens: 1 - share1h, cacheWrite1hTokens: share1h };
  const write = pricePart(written, model, { contextTokens });
  const output = pricePart({ outputTokens: 1 }, model, { contextTokens });
  if (read === undefined || write === undefined || output === undefined)
    throw new Error(`no price for ${model}: such a session is left out before`);
  return { read, write, output };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
