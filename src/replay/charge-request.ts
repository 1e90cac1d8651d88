import { pricePart } from "../models/economics/spend.ts";
import type { ReplayOutcome } from "./outcome.ts";
import type { ReplayStep } from "./session.ts";

/**
 * Why a request was sent: the session's own, one that wrote a summary, one that fetched back by a handle, one that read again what
 * was lost. `unheard`: one that would have been needed had a summary, in words that nobody recorded, held nothing.
 */
export type RequestKind = "send" | "summary" | "recovery" | "reread" | "unheard";

/** One request as it is paid for. */
export interface WalkedRequest {
  readonly kind: RequestKind;
  readonly model: string;
  readonly speed: string | undefined;
  readonly readTokens: number;
  readonly written5mTokens: number;
  readonly written1hTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

interface Tokens {
  readonly readTokens: number;
  readonly writtenTokens: number;
  /** How much of the writing is for the long life time. */
  readonly written1hTokens: number;
  readonly outputTokens: number;
}

/** Adds a request to what the session costs; the only place where a walk pays. */
export function chargeRequest(
  outcome: ReplayOutcome,
  kind: RequestKind,
  step: ReplayStep,
  tokens: Tokens,
): WalkedRequest {
  const { readTokens, writtenTokens, written1hTokens, outputTokens } = tokens;
  const written5mTokens = writtenTokens - written1hTokens;
  const price = priceOf(step, readTokens + writtenTokens);
  const readUsd = readTokens * price.read;
  const writeUsd = written5mTokens * price.write5m + written1hTokens * price.write1h;
  const outputUsd = outputTokens * price.output;
  const usd = readUsd + writeUsd + outputUsd;
  if (kind === "send") {
    outcome.readUsd += readUsd;
    outcome.writeUsd += writeUsd;
    outcome.outputUsd += outputUsd;
  }
  if (kind === "summary") outcome.askedUsd += usd;
  if (kind === "send" || kind === "summary") outcome.sendUsd += usd;
  if (kind === "recovery") outcome.recoveryUsd += usd;
  if (kind === "reread") outcome.rereadUsd += usd;
  if (kind === "unheard") outcome.unheard.usd += usd;
  else {
    outcome.requests++;
    outcome.readTokens += readTokens;
    outcome.writtenTokens += writtenTokens;
    outcome.outputTokens += outputTokens;
  }
  const { model, usage } = step;
  return { kind, model, speed: usage.speed, readTokens, written5mTokens, written1hTokens, outputTokens, usd };
}

interface StepPrice {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly output: number;
}

/** Dollars per token. */
function priceOf({ model, atMs, usage: { speed } }: ReplayStep, contextTokens: number): StepPrice {
  const price = (part: "cacheReadTokens" | "cacheWrite5mTokens" | "cacheWrite1hTokens" | "outputTokens"): number => {
    const usd = pricePart({ ...(speed === undefined ? {} : { speed }), [part]: 1 }, model, { contextTokens, atMs });
    if (usd === undefined) throw new Error(`no price for ${model}: such a session is left out before`);
    return usd;
  };
  return {
    read: price("cacheReadTokens"),
    write5m: price("cacheWrite5mTokens"),
    write1h: price("cacheWrite1hTokens"),
    output: price("outputTokens"),
  };
}
