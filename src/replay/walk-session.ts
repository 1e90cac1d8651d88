import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import { type Block, computeOnce, type Message } from "../core/message.ts";
import { sumContextTokens, type Usage } from "../core/usage.ts";
import { isLedger, isStanding } from "../layers/ledger/render-chunk.ts";
import { CACHE_LIFE_MS } from "../models/find-model.ts";
import { PRICES_AS_OF } from "../models/model-table.ts";
import { estimateBlockTokens, type Tokenizer } from "../models/tokens.ts";
import { chargeFetches, chargeRequest, type WalkedRequest } from "./charge-request.ts";
import { createHolding } from "./holding.ts";
import { emptyOutcome, type ReplayOutcome } from "./outcome.ts";
import {
  type Briefing,
  NOTHING_TO_DO,
  type Policy,
  type ReplayDecision,
  type ReplayTerms,
  type StepView,
} from "./policy.ts";
import { createPromptCache, type Marks, type ReplayCacheLife, splitWrite, sum } from "./prompt-cache.ts";
import type { ReplaySession } from "./session.ts";

export interface WalkOptions {
  readonly marks?: Marks;
  /** A clock for the planning time; without it that is not reported. */
  readonly clockMs?: () => number;
  /** Called for every request that is paid for, with the number of its recorded request. */
  readonly onRequest?: (request: WalkedRequest, step: number) => void;
}

/** Walks one session under one policy, request by request: what it would have cost, and what would have been available. */
export function walkSession(subject: Briefing, policy: Policy, options: WalkOptions): ReplayOutcome {
  const played = onTerms(subject, policy);
  const planner = policy.create(played);
  const walk = walkRequests(played, { ...options, life: policy.life });
  let next = walk.next(NOTHING_TO_DO);
  while (!next.done) next = walk.next(planner.plan(next.value));
  return next.value;
}

/**
 * The same requests under other circumstances: at another model's prices, as they are on the day of the table, decisions are made anew,
 * and token counts stay.
 */
export function onTerms(subject: Briefing, { pricedAs: model, adapt }: ReplayTerms): Briefing {
  const adapted = adapt ? adapt(subject) : subject;
  if (model === undefined) return adapted;
  const { session } = adapted;
  const laterMs = Math.max(0, Date.parse(PRICES_AS_OF) - (session.steps[0]?.atMs ?? 0));
  const steps = session.steps.map((step) => ({ ...step, model, atMs: step.atMs + laterMs }));
  return { ...adapted, session: { ...session, steps } };
}

/** The same for callers that decide themselves: yields each request before it is sent, and takes the decision. */
export function* walkRequests(
  subject: Briefing,
  options: WalkOptions & { readonly life?: ReplayCacheLife | undefined },
): Generator<StepView, ReplayOutcome, ReplayDecision> {
  const { session, needs } = subject;
  const { baseTokens, windowTokens } = session;
  const { weigh, countTokens } = weigherOf(session);

  const cache = createPromptCache({ marks: options.marks, life: options.life });
  const holding = createHolding(needs);
  const outcome = emptyOutcome(session.name);
  let messages: readonly Message[] = [];
  let blocks: Block[] = [];
  let tokens: number[] = [];
  /** Their sum, added up from the first to the last as `sum` does. */
  let viewTokens = 0;
  let ledgerTokens = 0;
  let lastUsage: Usage | undefined;

  /** Replaces the blocks of the view; returns how many of the first ones are as before. */
  const show = (next: readonly Block[]): number => {
    const [before, after] = [new Set(blocks), new Set(next)];
    const common = blocks.findIndex((block, index) => block !== next[index]);
    const kept = common < 0 ? blocks.length : common;
    for (const block of blocks) if (!after.has(block)) holding.leave(block);
    for (const block of next) if (!before.has(block)) holding.enter(block);
    blocks = [...next];
    tokens = blocks.map(weigh);
    viewTokens = sum(tokens);
    return kept;
  };

  for (const [index, step] of session.steps.entries()) {
    const sentMessages = messages.length;
    let unchanged = blocks.length;
    if (step.joined.length > 0) {
      messages = [...messages, ...step.joined];
      for (const block of step.joined.flatMap((message) => message.blocks)) {
        blocks.push(block);
        tokens.push(weigh(block));
        viewTokens += weigh(block);
        holding.enter(block);
      }
    }
    const pauseMs = step.atMs - (session.steps[index - 1]?.atMs ?? step.atMs);
    if (pauseMs > CACHE_LIFE_MS.short) outcome.pauses++;
    const isCold = !cache.isWarm(step.atMs, step.model);
    const share1h = cache.shareOf1h(step.share1h);
    const before = options.clockMs?.() ?? 0;
    const decision = yield {
      step: index,
      messages,
      sentMessages,
      tokens: viewTokens,
      baseTokens,
      windowTokens,
      countTokens,
      nowMs: step.atMs,
      model: step.model,
      isCold,
      share1h,
      lastUsage,
    };
    outcome.planMs.push((options.clockMs?.() ?? 0) - before);
    const sentTokens = baseTokens + viewTokens;
    if (decision.collapse) {
      outcome.collapses++;
      if (decision.collapse.isAtBoundary) outcome.collapsesAtBoundary++;
    }
    for (const why of decision.left ?? []) outcome.left[why] = (outcome.left[why] ?? 0) + 1;
    if (decision.view || decision.edits.length > 0) {
      for (const { handle, text } of decision.originals ?? []) holding.store(handle, text);
      messages = decision.view ?? carryOut(decision.edits, messages);
      unchanged = Math.min(unchanged, show(messages.flatMap((message) => message.blocks)));
      ledgerTokens = sum(messages.filter((message) => isLedger(message) && !isStanding(message)).map(countTokens));
    }
    // Charged only now: a refused decision is not paid for.
    if (decision.asked) {
      const isCharged = isCold && decision.asked.isAhead !== true;
      const warmTokens = isCharged ? (cache.isBaseWarm(step.atMs, step.model) ? baseTokens : 0) : sentTokens;
      outcome.compactions++;
      outcome.blockedMs += decision.asked.blockedMs;
      const asked = chargeRequest(outcome, "summary", step, {
        cacheReadTokens: warmTokens,
        ...splitWrite(sentTokens - warmTokens, share1h),
        outputTokens: decision.asked.outputTokens,
      });
      options.onRequest?.(asked, index);
    }
    if (decision.standing) {
      holding.openAll();
      unchanged = Math.min(unchanged, show(decision.standing));
    }
    if (decision.isWordless) outcome.isWordless = true;
    const { isBust, ...tokensUsed } = cache.send({ ...step, baseTokens, blocks, tokens, unchanged });
    const sent = chargeRequest(outcome, "send", step, { ...tokensUsed, outputTokens: step.outputTokens });
    const contextTokens = sumContextTokens(sent.usage);
    outcome.tokensSent += contextTokens;
    outcome.peakTokens = Math.max(outcome.peakTokens, contextTokens);
    outcome.steps++;
    if (isBust) outcome.prefixBusts++;
    outcome.ledgerTokens += ledgerTokens;
    lastUsage = roundUsage(sent.usage);
    options.onRequest?.(sent, index);
    const fetching = { outcome, holding, needs, step, weigh, viewTokens: baseTokens + viewTokens, share1h };
    for (const fetched of chargeFetches(index, fetching)) options.onRequest?.(fetched, index);
  }
  return outcome;
}

/** One for all policies of a session: what one has planned for a block holds for the next, as long as they count alike. */
const weigherOf = computeOnce(({ weights, tokenizer }: ReplaySession) => {
  const weighWritten = computeOnce((block: Block) => weighUnrecorded(block, tokenizer));
  const weigh = (block: Block): number => weights.get(block) ?? weighWritten(block);
  const countTokens = computeOnce((message: Message) => message.blocks.reduce((sum, block) => sum + weigh(block), 0));
  return { weigh, countTokens };
});

/** For a block that a policy wrote, which was never measured. */
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

/**
 * A refused edit would be paid for and change nothing, so the session would say nothing about its policy: it fails. Ours were checked
 * against the entry points' rules when planned; clients and rivals may remove what they like.
 */
function carryOut(edits: readonly Edit[], messages: readonly Message[]): readonly Message[] {
  const { messages: next, refused } = applyEdits(messages, edits, undefined, "mayGo");
  const [first] = refused;
  if (first) throw new Error(`an edit of ${first.edit.by} was refused: ${first.why}, ${first.detail}`);
  return next;
}

function roundUsage({ speed: _, ...usage }: Usage): Usage {
  return {
    ...usage,
    cacheReadTokens: Math.round(usage.cacheReadTokens),
    cacheWrite5mTokens: Math.round(usage.cacheWrite5mTokens),
    cacheWrite1hTokens: Math.round(usage.cacheWrite1hTokens),
  };
}
