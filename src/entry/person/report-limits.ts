import { renderCount } from "../../core/render-count.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";
import { nameBudget, renderBudget } from "../../recorded/budget.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import type { LookedAround } from "./look-around.ts";

const NAMES = { five_hour: "5 hours", seven_day: "7 days" } as const;

export interface PersonLimit {
  readonly name: string;
  /** What is used, when it resets, and when it is used up at this pace. */
  readonly text: string;
  /** `null` if only the client knows. */
  readonly usedPercent: number | null;
}

/** Figures from recordings only are labelled so, because only the client knows the actual limit. */
export function reportLimits(
  { limits, budgets }: Pick<LookedAround, "limits" | "budgets">,
  nowMs: number,
  calendar: Calendar,
): readonly PersonLimit[] {
  const budgetLimits = budgets.map((state) => ({
    name: `Budget ${nameBudget(state)}`,
    text: renderBudget(state, calendar),
    usedPercent: state.usedPercent,
  }));
  const ofAccount = limits.map(({ name, source, usedPercent, usd, isAtLeast, requests, resetsAtMs, endsAtMs }) => {
    const resets = resetsAtMs === undefined ? "" : `, resets in ${renderWait(resetsAtMs - nowMs)}`;
    const spent = `${renderLowerUsd(usd ?? 0, isAtLeast)} in ${renderCount(requests ?? 0, "request")}`;
    const day = endsAtMs === undefined ? "" : calendar.nameDay(endsAtMs);
    const on = day === calendar.nameDay(nowMs) ? "" : `on ${day} `;
    const pace = endsAtMs === undefined ? "" : `, at this pace runs out ${on}at ${calendar.nameTime(endsAtMs)}`;
    const text =
      source === "blocks"
        ? `${spent}${resets} (from your session files)`
        : `${Math.round(usedPercent ?? 0)} % used${resets}${pace} (${spent} on this machine)`;
    return { name: NAMES[name], text, usedPercent: usedPercent ?? null };
  });
  return [...ofAccount, ...budgetLimits];
}

/** `Today $4.10 · this week $12.00 (last week $31.90) · this month $58.20`. */
export function reportPeriods({ periods }: Pick<LookedAround, "periods">): string {
  const [today, week, lastWeek, month] = periods.map(
    ({ name, usd, isAtLeast, requests }) => `${name} ${requests === 0 ? "nothing" : renderLowerUsd(usd, isAtLeast)}`,
  );
  return `Spent ${today} · ${week} (${lastWeek}) · ${month}`;
}

function renderWait(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
