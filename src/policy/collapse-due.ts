import type { Occasion } from "../core/occasion.ts";
import type { Weighed } from "../layers/collapse-exchanges.ts";
import { type CollapseVerdict, decideCollapse, type HistoryLoad } from "../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS, STANDING_TOKENS } from "../layers/options/policy-settings.ts";
import { renderTokens } from "../measure/render-load.ts";
import type { Settings } from "./settings/settings.ts";

/** The client ends a turn in which three compactions follow one another within three requests each. */
const LEAST_STEPS_BETWEEN = 4;
/** A compaction that leaves more than this share of the line would be due again almost at once. */
const MOST_LEFT = 0.8;

/** Whether the window is to be compacted now, and why: `line` by the person's own number, `price` by what carrying costs. */
export type Due =
  | { readonly kind: "line" | "price"; readonly why: string }
  /** The line is reached, but what must stay is above it: compacting would not help. */
  | { readonly kind: "below"; readonly why: string };

/** A session in a client, as far as it must be known to say whether a compaction should be brought about. */
export interface Carried {
  /** What the last request carried. */
  readonly contextTokens: number;
  readonly load: HistoryLoad;
  readonly occasion: Occasion;
  /** Requests since the last compaction; `undefined` before the first. */
  readonly stepsSinceLast: number | undefined;
}

/** What the person has set; `early` as it stands in this session. */
export type DueSettings = Pick<Settings, "policy" | "lineTokens" | "early" | "compaction">;

/** Whether to bring a compaction about before the next request. Their own line comes before the price. */
export function decideDue(carried: Carried, settings: DueSettings): Due | undefined {
  const { lineTokens } = settings;
  if (lineTokens !== null && carried.contextTokens >= lineTokens) return decideAtLine(carried, lineTokens, settings);
  const verdict = weighPrice(carried, settings);
  return verdict?.isDue ? { kind: "price", why: renderVerdict(verdict) } : undefined;
}

/** What the price says; `undefined` where nobody wants to know. */
export function weighPrice(
  { load, occasion }: Pick<Carried, "load" | "occasion">,
  { policy, early, compaction }: DueSettings,
): CollapseVerdict | undefined {
  if (early === "off" || compaction === "native") return undefined;
  return decideCollapse(load, occasion, POLICY_SETTINGS[policy]);
}

/** Whether to collapse in a request that is about to leave, and why; empty where not. */
export function explainCollapse({ verdict, isOverLine }: Weighed, isAsked: boolean): string {
  if (isAsked) return "a compaction was asked for";
  if (verdict.isDue) return renderVerdict(verdict);
  return isOverLine ? "the request is above its line" : "";
}

function decideAtLine(
  { load, occasion, stepsSinceLast }: Carried,
  lineTokens: number,
  { compaction }: DueSettings,
): Due | undefined {
  if (stepsSinceLast !== undefined && stepsSinceLast < LEAST_STEPS_BETWEEN) return undefined;
  const kept = load.old.reduce((sum, { keptTokens }) => sum + keptTokens, 0);
  const left = Math.round(occasion.baseTokens + STANDING_TOKENS + load.ledgerTokens + kept + load.tailTokens);
  const line = `your line of ${renderTokens(lineTokens)}`;
  // Where the client summarises, nobody here knows what it leaves.
  if (compaction !== "native" && left > lineTokens * MOST_LEFT)
    return { kind: "below", why: `${line} is below what must stay, about ${renderTokens(left)}` };
  return { kind: "line", why: `${line} is reached` };
}

/** In words for the person. */
export function renderVerdict(verdict: CollapseVerdict): string {
  const gain = `${Math.round(verdict.gainTokens / 1000)}k tokens`;
  if (verdict.why === "cold") return `the cache is cold: ${gain} less to write anew, and to carry after`;
  return `carrying ${gain} of old exchanges has cost as much as writing the rest anew`;
}
