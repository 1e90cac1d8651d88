import { renderTokens } from "../../measure/render-load.ts";
import { type CompactionTerms, priceCompaction } from "./price-compaction.ts";

export interface CompactionNotice extends Pick<CompactionTerms, "model" | "baseTokens" | "share1h"> {
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly compactionPointTokens: number;
  /** Why Plimsoll compacted; empty if the client or the user did. */
  readonly why: string;
}

/** Savings are given for so many requests: a morning's work, not a promise. */
const ANNOUNCED_REQUESTS = 20;

export function renderAnnouncement(notice: CompactionNotice): string {
  const { trigger, tokensBefore, tokensAfter, why } = notice;
  const sizes = `${renderTokens(tokensBefore)} → ${renderTokens(tokensAfter)} tokens`;
  const reason = trigger === "manual" ? "as you asked" : why === "" ? nameClientsReason(notice) : why;
  return `${sizes}: ${reason}${renderSaving(notice)}`;
}

/** Slightly below its limit, a client compacts because the next result would exceed it; far below, because the API refused. */
const NEAR_LIMIT = 0.8;

function nameClientsReason({ tokensBefore, compactionPointTokens }: CompactionNotice): string {
  const isNear = tokensBefore >= compactionPointTokens * NEAR_LIMIT;
  return isNear ? "the client's limit was reached" : "the API rejected the request as too long";
}

/** In dollars if the model's price is known, and only the net after rewriting what stays. */
function renderSaving({ model, tokensBefore, tokensAfter, baseTokens, share1h = 0 }: CompactionNotice): string {
  const saved = tokensBefore - tokensAfter;
  if (saved <= 0) return "; nothing saved yet";
  const sizes = { beforeTokens: tokensBefore, afterTokens: tokensAfter, baseTokens };
  const terms = { model, ...sizes, share1h, requests: ANNOUNCED_REQUESTS };
  const { expectedNetUsd, breakEvenRequests } = priceCompaction(terms).price;
  if (expectedNetUsd === undefined) return `; ${renderTokens(saved)} tokens less in every request`;
  const dollars = `$${expectedNetUsd.toFixed(expectedNetUsd < 0.1 ? 3 : 2)}`;
  if (expectedNetUsd > 0) return `; saves about ${dollars} over the next ${ANNOUNCED_REQUESTS} requests`;
  return Number.isFinite(breakEvenRequests) ? `; pays off after about ${Math.ceil(breakEvenRequests)} requests` : "";
}
