import type { Block } from "../core/message.ts";
import { type Usage, zeroUsage } from "../core/usage.ts";
import { RECOVERY_OUTPUT_TOKENS, RECOVERY_PAGE_TOKENS } from "../models/economics/recovery.ts";
import { priceByList } from "../models/economics/spend.ts";
import type { Holding } from "./holding.ts";
import type { Needs } from "./needs.ts";
import { addNeed, type ReplayOutcome } from "./outcome.ts";
import { splitWrite } from "./prompt-cache.ts";
import type { ReplayStep } from "./session.ts";

/**
 * Why a request was sent: the session's own, one that wrote a summary, one that fetched back by a handle, one that read lost content again.
 * `unheard`: one that would be needed if an unrecorded summary had held nothing.
 */
type RequestKind = "send" | "summary" | "recovery" | "reread" | "unheard";

export interface WalkedRequest {
  readonly kind: RequestKind;
  readonly model: string;
  readonly usage: Usage;
  readonly usd: number;
}

/** Adds a request to the session's cost; the only place where a walk pays. */
export function chargeRequest(
  outcome: ReplayOutcome,
  kind: RequestKind,
  { model, atMs, usage: { speed } }: ReplayStep,
  tokens: Partial<Usage>,
): WalkedRequest {
  const usage: Usage = { ...zeroUsage, ...tokens, ...(speed && { speed }) };
  const spend = priceByList(usage, model, { atMs });
  if (!spend) throw new Error(`no price for ${model}: such a session is left out before`);
  const usd = spend.totalUsd;
  if (kind === "send") {
    outcome.readUsd += spend.cacheReadUsd;
    outcome.writeUsd += spend.cacheWriteUsd;
    outcome.outputUsd += spend.outputUsd;
  }
  if (kind === "summary") outcome.askedUsd += usd;
  if (kind === "send" || kind === "summary") outcome.sendUsd += usd;
  if (kind === "recovery") outcome.recoveryUsd += usd;
  if (kind === "reread") outcome.rereadUsd += usd;
  if (kind === "unheard") outcome.unheard.usd += usd;
  else {
    outcome.requests++;
    outcome.readTokens += usage.cacheReadTokens;
    outcome.writtenTokens += usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
    outcome.outputTokens += usage.outputTokens;
  }
  return { kind, model, usage, usd };
}

interface Fetching {
  readonly outcome: ReplayOutcome;
  readonly holding: Holding;
  readonly needs: Needs;
  readonly step: ReplayStep;
  readonly viewTokens: number;
  /** Share of the cache writes with the long lifetime. */
  readonly share1h: number;
  readonly weigh: (block: Block) => number;
}

/**
 * Fetches what an answer needed and the view did not hold. A model makes such calls in parallel, and one recall takes several handles: each
 * call and each page is paid for, but the view is read only once more. Recalls and re-reads are charged separately, so they are two
 * requests if both occur.
 */
export function chargeFetches(index: number, fetching: Fetching): readonly WalkedRequest[] {
  const { outcome, holding, needs, step, viewTokens, share1h, weigh } = fetching;
  // What one request fetches: its calls are in one answer, and their pages come with the next request.
  const fetches = new Map<RequestKind, { calls: number; pageTokens: number }>();
  for (const need of needs.bySteps[index] ?? []) {
    const found = holding.look(need.atom, index);
    addNeed(outcome, need, found);
    if (found.kind === "retained" || !found.isCharged) continue;
    if (!outcome.isWordless) outcome.fetches++;
    const isBehindHandle = found.kind === "recoverable";
    const kind = outcome.isWordless ? "unheard" : isBehindHandle ? "recovery" : "reread";
    const whole = weigh(found.block);
    const fetch = fetches.get(kind) ?? { calls: 0, pageTokens: 0 };
    fetch.calls++;
    fetch.pageTokens += isBehindHandle ? Math.min(RECOVERY_PAGE_TOKENS, whole) : whole;
    fetches.set(kind, fetch);
  }
  return [...fetches].map(([kind, { calls, pageTokens }]) =>
    chargeRequest(outcome, kind, step, {
      cacheReadTokens: viewTokens,
      ...splitWrite(pageTokens, share1h),
      outputTokens: calls * RECOVERY_OUTPUT_TOKENS,
    }),
  );
}
