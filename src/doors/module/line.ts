import { type CollapseVerdict, decideCollapse } from "../../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS, STANDING_TOKENS } from "../../layers/options/policy-settings.ts";
import { renderTokens } from "../../measure/render-load.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

/** The least window that the client takes, and what it reserves of it for an answer. */
const LEAST_WINDOW = 100_000;
const EFFECTIVE = LEAST_WINDOW - 20_000;
const MINUTES = 60_000;
/** The client ends a turn in which three compactions follow one another within three requests each. */
const LEAST_STEPS_BETWEEN = 4;
/** A compaction that leaves more than this share of the line would be due again almost at once. */
const MOST_LEFT = 0.8;

/** Whether the window is to be compacted now, and why: `line` by the person's own number, `price` by what carrying costs. */
export type Due =
  | { readonly kind: "line" | "price"; readonly why: string }
  /** The line is reached, but what must stay is above it: compacting would not help. */
  | { readonly kind: "below"; readonly why: string };

export function decideDue(live: Live, nowMs: number): Due | undefined {
  const { lineTokens } = live.settings;
  const contextTokens = live.watch.contextTokens();
  if (contextTokens === undefined || !live.steering.isOn) return undefined;
  if (lineTokens !== null && contextTokens >= lineTokens) return decideAtLine(live, lineTokens);
  const verdict = weighPrice(live, nowMs);
  return verdict?.isDue ? { kind: "price", why: renderVerdict(verdict) } : undefined;
}

function decideAtLine({ watch, settings, steering }: Live, lineTokens: number): Due | undefined {
  const { stepsAtLast } = steering;
  if (stepsAtLast !== undefined && watch.health().steps - stepsAtLast < LEAST_STEPS_BETWEEN) return undefined;
  const { ledgerTokens, old, tailTokens } = watch.load(POLICY_SETTINGS[settings.policy]);
  const kept = old.reduce((sum, { keptTokens }) => sum + keptTokens, 0);
  const left = Math.round(watch.baseTokens() + STANDING_TOKENS + ledgerTokens + kept + tailTokens);
  const line = `your line of ${renderTokens(lineTokens)}`;
  // Where the client summarises, nobody here knows what it leaves.
  if (settings.compaction !== "native" && left > lineTokens * MOST_LEFT)
    return { kind: "below", why: `${line} is below what must stay, about ${renderTokens(left)}` };
  return { kind: "line", why: `${line} is reached` };
}

/** Whether it pays; `undefined` where nobody wants to know or no load is known. */
export function weighPrice(live: Live, nowMs: number): CollapseVerdict | undefined {
  const { watch, settings, isHourCached } = live;
  const isAsked = live.steering.early !== "off" && settings.compaction !== "native";
  if (!isAsked || watch.contextTokens() === undefined) return undefined;
  const policy = POLICY_SETTINGS[settings.policy];
  const lastMs = watch.lastAnswerMs();
  const occasion = {
    baseTokens: watch.baseTokens(),
    model: watch.health().model,
    isCold: lastMs !== undefined && nowMs - lastMs > (isHourCached ? 60 : 5) * MINUTES,
    share1h: isHourCached ? 1 : 0,
    marks: "client",
  } as const;
  return decideCollapse(watch.load(policy), occasion, policy);
}

/** In words for the person. */
export function renderVerdict(verdict: CollapseVerdict): string {
  const gain = `${Math.round(verdict.gainTokens / 1000)}k tokens`;
  if (verdict.why === "cold") return `the cache is cold: ${gain} less to write anew, and to carry after`;
  return `carrying ${gain} of old exchanges has cost as much as writing the rest anew`;
}

/**
 * Brings a compaction about before the next request. The engine reads both variables before every request, also in the
 * middle of a turn, and then asks `session.compact`, which we answer at once.
 */
export async function lower($: Engine, live: Live): Promise<void> {
  const percent = Math.max(5, Math.floor(((live.watch.contextTokens() ?? 0) * 0.9 * 100) / EFFECTIVE));
  live.line.isLowered = true;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", String(LEAST_WINDOW));
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", String(Math.min(80, percent)));
}

/** Back to what the person had. */
export async function raise($: Engine, { line }: Live): Promise<void> {
  if (!line.isLowered) return;
  line.isLowered = false;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", line.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", line.percent);
}
