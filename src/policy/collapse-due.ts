import type { Occasion } from "../core/layer.ts";
import type { Weighed } from "../layers/collapse-exchanges.ts";
import { type CollapseVerdict, decideCollapse, type HistoryLoad } from "../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS, STANDING_TOKENS } from "../layers/options/policy-settings.ts";
import type { Level } from "../measure/level.ts";
import { renderTokens } from "../measure/render-load.ts";
import { explainWait, type Moments, type Pressure } from "./advice/rule-moment.ts";
import type { WorkMoment } from "./advice/work-moment.ts";
import { chooseWeights } from "./objective.ts";
import type { Settings } from "./settings/settings.ts";

/** Claude Code aborts a turn after three compactions within three requests of each other. */
const LEAST_STEPS_BETWEEN = 4;
/** If a compaction leaves more than this share of the line, the next one would be due almost at once. */
const MOST_LEFT = 0.8;
/** In the middle of a list at least 70 % stays word for word: the next items are like the last ones. */
const LEAVING_SHARE = 0.3;

/**
 * Whether to compact now, and why: `line` because the user's own limit is reached, `price` because carrying the history costs more.
 * `wait`: it would pay, but this is a bad moment in the work. `below`: what must stay is above the line, so compacting would not help.
 */
export interface Due {
  readonly kind: "line" | "price" | "wait" | "below";
  readonly why: string;
}

/** What must be known about a client's session to decide whether to compact it. */
export interface Carried {
  readonly contextTokens: number;
  readonly load: HistoryLoad;
  readonly occasion: Occasion;
  /** Requests since the last compaction; `undefined` before the first. */
  readonly stepsSinceLast: number | undefined;
  /** The level of the window's load, by the user's profile and by where the client compacts. */
  readonly level: Level;
  readonly compactionPointTokens: number;
  readonly work: WorkMoment;
}

/** The user's settings; `early` as it holds in this session. */
export type DueSettings = Pick<
  Settings,
  "policy" | "lineTokens" | "early" | "compaction" | "profile" | "moments" | "objective"
>;

/** Whether to compact before the next request. The user's own line comes before the price. */
export function decideDue(carried: Carried, settings: DueSettings): Due | undefined {
  const { lineTokens } = settings;
  if (lineTokens !== null && carried.contextTokens >= lineTokens) return decideAtLine(carried, lineTokens, settings);
  const { profile, early } = settings;
  // By the seeds' tables of levels nothing is compacted before RED, or before an ORANGE that the user approved.
  if (profile !== "measured" && !isSummaryDue(carried.level, { isApproved: early !== "price" })) return undefined;
  const verdict = weighPrice(carried, settings);
  if (!verdict?.isDue) return undefined;
  const why = renderVerdict(verdict);
  const wait = explainWait(() => carried.work, settings.moments, {
    isPastHalf: isPastHalf(carried.contextTokens, carried.compactionPointTokens),
    isCold: carried.occasion.isCold,
  });
  return wait === "" ? { kind: "price", why } : { kind: "wait", why: `${why}; but not now: ${wait}` };
}

/** What the price says; `undefined` if the settings do not ask for it. */
export function weighPrice(
  { load, occasion }: Pick<Carried, "load" | "occasion">,
  { policy, early, compaction, objective }: DueSettings,
): CollapseVerdict | undefined {
  if (early === "off" || compaction === "native") return undefined;
  const weights = chooseWeights(objective, occasion.weights);
  return decideCollapse(load, { ...occasion, weights }, POLICY_SETTINGS[policy]);
}

/** If the model says that a piece of work is done, what goes is less likely to be needed soon: so many requests may pay for the rewriting. */
const ASKED_REQUESTS = 10;

/** Whether to compact because the model says that a piece of work is done, and why. */
export function decideAsked(
  carried: Carried,
  settings: DueSettings,
): Due | { readonly kind: "no"; readonly why: string } {
  const verdict = weighPrice(carried, settings);
  const decline = (why: string) => ({ kind: "no", why }) as const;
  if (verdict === undefined) return decline("your settings leave that to the client");
  const { gainTokens, breakEvenRequests } = verdict;
  const { stepsSinceLast = Number.POSITIVE_INFINITY } = carried;
  if (stepsSinceLast < LEAST_STEPS_BETWEEN) return decline(`the last compaction was ${stepsSinceLast} requests ago`);
  if (gainTokens < POLICY_SETTINGS[settings.policy].leastTokens)
    return decline(`only ${renderTokens(Math.max(0, gainTokens))} tokens of old messages would go`);
  const requests = Math.ceil(breakEvenRequests);
  return requests > ASKED_REQUESTS
    ? decline(`it takes ${requests} more requests to pay for rewriting the cache`)
    : { kind: "price", why: `a piece of work is done, and compacting pays for itself within ${requests} requests` };
}

/** What must be known about an outgoing request to decide whether its old part is collapsed. */
interface OutgoingRequest extends Pressure {
  readonly isAsked: boolean;
  readonly work: () => WorkMoment;
  readonly moments: Moments;
}

/** Why to collapse in this request; empty if not. */
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
  // When the client summarises, we cannot know how much it leaves.
  if (compaction !== "native" && left > lineTokens * MOST_LEFT)
    return { kind: "below", why: `about ${renderTokens(left)} tokens must stay, too many for ${line}` };
  return { kind: "line", why: `${line} is reached` };
}

/** Whether compacting in the middle of a list is worth rewriting the cache, although little of the history goes then. */
export function isSplitWorth({ old, ledgerTokens, tailTokens }: HistoryLoad, policy: Settings["policy"]): boolean {
  const sizes = old.map(({ gainTokens, keptTokens }) => gainTokens + keptTokens);
  const leaving = old.slice(0, countLeaving(sizes, ledgerTokens + tailTokens));
  const gain = leaving.reduce((sum, { gainTokens }) => sum + gainTokens, -STANDING_TOKENS);
  return gain >= POLICY_SETTINGS[policy].leastTokens;
}

/** How many of the oldest exchanges go in the middle of a list: at most 30 % of the whole. `otherTokens` is what stays in any case. */
export function countLeaving(sizes: readonly number[], otherTokens = 0): number {
  let allowed = LEAVING_SHARE * sizes.reduce((sum, size) => sum + size, otherTokens);
  const first = sizes.findIndex((size) => {
    allowed -= size;
    return allowed < 0;
  });
  return first < 0 ? sizes.length : first;
}

/** How many tokens may follow the base after a compaction, so that the next one is not due at once. */
export function countRoom(window: { readonly lineTokens: number; readonly baseTokens: number }): number {
  return Math.max(0, window.lineTokens * MOST_LEFT - window.baseTokens - STANDING_TOKENS);
}

export function isPastHalf(tokens: number, lineTokens: number): boolean {
  return tokens >= lineTokens / 2;
}

export function renderVerdict(verdict: CollapseVerdict): string {
  const gain = `${Math.round(verdict.gainTokens / 1000)}k tokens`;
  if (verdict.why === "cold") return `the cache has expired, so compacting now saves writing and resending ${gain}`;
  return `resending ${gain} of old messages has cost as much as rewriting the cache would`;
}

/**
 * What to do about a collapse that is due. The user's own line comes before their setting on price. So does the limit, if nothing else
 * keeps the window from overflowing; it is `undefined` if the client compacts by itself.
 */
export function decideWanted(
  { early, compaction, lineTokens }: Pick<Settings, "early" | "compaction" | "lineTokens">,
  contextTokens: number,
  limitTokens: number = Number.POSITIVE_INFINITY,
): "make" | "tell" | "nothing" {
  if (lineTokens !== null && contextTokens >= lineTokens) return "make";
  if (compaction === "native") return "nothing";
  if (contextTokens >= limitTokens) return "make";
  if (early === "off") return "nothing";
  return early === "price" ? "make" : "tell";
}

/** A structured summary is made at RED, and at ORANGE if the user approved. Earlier it would lose detail for no gain. */
export function isSummaryDue(level: Level, { isApproved }: { readonly isApproved: boolean }): boolean {
  return level === "RED" || (level === "ORANGE" && isApproved);
}
