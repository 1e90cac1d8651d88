import { renderCount } from "../../core/render-count.ts";
import type { LimitState } from "../../measure/describe-limits.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";

const NAMES = { five_hour: "5 hours", seven_day: "7 days" } as const;

/** A limit of a subscription in words. */
export interface PersonLimit {
  readonly name: string;
  /** What is used, when it begins anew, and when it ends at this pace. */
  readonly text: string;
}

/** What only the recordings tell is said to be that: nobody but the client knows where the limit lies. */
export function tellLimits(limits: readonly LimitState[], nowMs: number): readonly PersonLimit[] {
  return limits.map(({ name, source, usedPercent, usd, isAtLeast, requests, resetsAtMs, endsAtMs }) => {
    const resets = resetsAtMs === undefined ? "" : `, resets in ${renderWait(resetsAtMs - nowMs)}`;
    const spent = `${renderLowerUsd(usd ?? 0, isAtLeast)} in ${renderCount(requests ?? 0, "request")}`;
    const pace = endsAtMs === undefined ? "" : `, at this pace used up in ${renderWait(endsAtMs - nowMs)}`;
    const text =
      source === "blocks"
        ? `${spent}${resets} (by what is recorded)`
        : `${Math.round(usedPercent ?? 0)} % used${resets}${pace} (${spent} here)`;
    return { name: NAMES[name], text };
  });
}

function renderWait(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
