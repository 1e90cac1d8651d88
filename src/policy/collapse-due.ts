import type { Occasion } from "../core/layer.ts";
import type { Weighed } from "../layers/collapse-exchanges.ts";
import { type CollapseVerdict, decideCollapse, type HistoryLoad } from "../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS, STANDING_TOKENS } from "../layers/options/policy-settings.ts";
import type { Level } from "../measure/level.ts";
import { renderTokens } from "../measure/render-load.ts";
import { explainWait, type Moments } from "./advice/rule-moment.ts";
import { SUMMARISED_SHARE } from "./advice/split-work.ts";
import type { WorkMoment } from "./advice/work-moment.ts";
import { chooseWeights } from "./objective.ts";
import type { Settings } from "./settings/settings.ts";

/** The client ends a turn in which three compactions follow one another within three requests each. */
const LEAST_STEPS_BETWEEN = 4;
/** A compaction that leaves more than this share of the line would be due again almost at once. */
const MOST_LEFT = 0.8;

/** Whether the window is to be compacted now, and why: `line` by the person's own number, `price` by what carrying costs. */
export type Due =
  | { readonly kind: "line" | "price"; readonly why: string }
  /** It would pay, but the work is not at a place where it is made. */
  | { readonly kind: "wait"; readonly why: string }
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
  /** How the window's load is judged by the profile that the person has set, and where the client compacts. */
  readonly level: Level;
  readonly compactionPointTokens: number;
  readonly work: WorkMoment;
}

/** What the person has set; `early` as it stands in this session. */
export type DueSettings = Pick<
  Settings,
  "policy" | "lineTokens" | "early" | "compaction" | "profile" | "moments" | "objective"
>;

/** Whether to bring a compaction about before the next request. Their own line comes before the price. */
export function decideDue(carried: Carried, settings: DueSettings): Due | undefined {
  const { lineTokens } = settings;
  if (lineTokens !== null && carried.contextTokens >= lineTokens) return decideAtLine(carried, lineTokens, settings);
  if (!isLevelReached(carried.level, settings)) return undefined;
  const verdict = weighPrice(carried, settings);
  if (!verdict?.isDue) return undefined;
  const why = renderVerdict(verdict);
  const wait = explainWait(() => carried.work, settings.moments, {
    isPastHalf: isPastHalf(carried.contextTokens, carried.compactionPointTokens),
    isCold: carried.occasion.isCold,
  });
  return wait === "" ? { kind: "price", why } : { kind: "wait", why: `${why}; but not now: ${wait}` };
}

/** By the seeds' own tables of levels nothing is compacted before RED, nor before an ORANGE that the person approves of. */
function isLevelReached(level: Level, { profile, early }: DueSettings): boolean {
  return profile === "measured" || isSummaryDue(level, { isApproved: early !== "price" });
}

/** What the price says; `undefined` where nobody wants to know. */
export function weighPrice(
  { load, occasion }: Pick<Carried, "load" | "occasion">,
  { policy, early, compaction, objective }: DueSettings,
): CollapseVerdict | undefined {
  if (early === "off" || compaction === "native") return undefined;
  const weights = chooseWeights(objective, occasion.weights);
  return decideCollapse(load, { ...occasion, weights }, POLICY_SETTINGS[policy]);
}

/** A request that is about to leave, as far as it decides whether its old part goes. */
export interface OutgoingRequest {
  readonly isAsked: boolean;
  readonly work: () => WorkMoment;
  readonly moments: Moments;
  readonly isPastHalf: boolean;
  readonly isCold: boolean;
}

/** Whether to collapse in it, and why; empty where not. */
export function explainCollapse({ verdict, isOverLine }: Weighed, request: OutgoingRequest): string {
  if (request.isAsked) return "a compaction was requested";
  if (isOverLine) return "the request is above the load line";
  if (!verdict.isDue) return "";
  return explainWait(request.work, request.moments, request) === "" ? renderVerdict(verdict) : "";
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
    return { kind: "below", why: `about ${renderTokens(left)} tokens must stay, too many for ${line}` };
  return { kind: "line", why: `${line} is reached` };
}

/** Whether a compaction in the middle of a list is worth its rewriting: at most the oldest 30 % of the history goes then. */
export function isSplitWorth(load: HistoryLoad, policy: Settings["policy"]): boolean {
  const weights = load.old.map(({ gainTokens, keptTokens }) => gainTokens + keptTokens);
  let allowed = SUMMARISED_SHARE * weights.reduce((sum, weight) => sum + weight, load.ledgerTokens + load.tailTokens);
  let gain = -STANDING_TOKENS;
  for (const [index, { gainTokens }] of load.old.entries()) {
    allowed -= weights[index] ?? 0;
    if (allowed < 0) break;
    gain += gainTokens;
  }
  return gain >= POLICY_SETTINGS[policy].leastTokens;
}

/** What may stand behind the base after a compaction, so that the next one is not due at once. */
export function countRoom(window: { readonly lineTokens: number; readonly baseTokens: number }): number {
  return Math.max(0, window.lineTokens * MOST_LEFT - window.baseTokens - STANDING_TOKENS);
}

/** From here on room is worth more than a good moment. */
export function isPastHalf(tokens: number, lineTokens: number): boolean {
  return tokens >= lineTokens / 2;
}

/** In words for the person. */
export function renderVerdict(verdict: CollapseVerdict): string {
  const gain = `${Math.round(verdict.gainTokens / 1000)}k tokens`;
  if (verdict.why === "cold") return `the cache has expired, so compacting now saves writing and resending ${gain}`;
  return `resending ${gain} of old messages has cost as much as rewriting the cache would`;
}

/** Make it, say that it would pay, or leave everything as it is. */
type CollapseWanted = "make" | "tell" | "nothing";

/**
 * What the person wants done about a collapse that is due. Their own line comes before what they think of the price, and so does the
 * limit where nothing else keeps the window from overflowing; `undefined` where the client compacts by itself.
 */
export function decideWanted(
  { early, compaction, lineTokens }: Pick<Settings, "early" | "compaction" | "lineTokens">,
  {
    contextTokens,
    limitTokens = Number.POSITIVE_INFINITY,
  }: Pick<Carried, "contextTokens"> & { readonly limitTokens: number | undefined },
): CollapseWanted {
  if (lineTokens !== null && contextTokens >= lineTokens) return "make";
  if (compaction === "native") return "nothing";
  if (contextTokens >= limitTokens) return "make";
  if (early === "off") return "nothing";
  return early === "price" ? "make" : "tell";
}

/** A structured summary is made at RED, and at ORANGE when it was approved; earlier it would forget for nothing. */
export function isSummaryDue(level: Level, { isApproved }: { readonly isApproved: boolean }): boolean {
  return level === "RED" || (level === "ORANGE" && isApproved);
}
