import type { Occasion, TokenWeights } from "../../core/layer.ts";
import { mixWriteRate, rateModel, rateWeights } from "../../models/economics/rates.ts";
import { countRecoveryUnits } from "../../models/economics/recovery.ts";

/** What must be known about a conversation to decide whether to collapse its old part now. */
export interface HistoryLoad {
  readonly ledgerTokens: number;
  /** The exchanges that may go, oldest first: what each would free, and how large its lines would be. */
  readonly old: readonly { readonly gainTokens: number; readonly keptTokens: number }[];
  readonly tailTokens: number;
}

export interface CollapseRule {
  /** Rewrite once carrying has cost this many times the price of rewriting. */
  readonly patience: number;
  /** Nothing is rewritten for a smaller gain. */
  readonly leastTokens: number;
  readonly keepExchanges: number;
  /** A person who stops right after a first collapse has paid for it in vain: at most this share of the session's cost, a tenth by default. */
  readonly mostInVain?: number;
}

export interface CollapseVerdict {
  readonly isDue: boolean;
  readonly why: "cold" | "paid" | "tooEarly" | "tooLittle" | "notYet";
  readonly gainTokens: number;
  /** What carrying the old part has cost so far, and what collapsing it costs, in input tokens. */
  readonly carriedUnits: number;
  readonly costUnits: number;
  readonly breakEvenRequests: number;
}

/** Clients stop a turn that compacts repeatedly; so few exchanges are never worth rewriting anyway (measured: 0.2 %). A pause breaks such a series. */
const LEAST_EXCHANGES = 8;
/** Requests that recall something until the next collapse; later ones are fewer, because much is already behind handles (`docs/research/policy.md`). */
const FIRST_RECALLS = 2;
const LATER_RECALLS = 1;
const RECALLED_TOKENS = 1_500;
export const MOST_IN_VAIN = 0.1;
/**
 * What a collapse must gain over the coming requests that it is announced for: dollars where they are known, and a share of what reading the
 * whole conversation would cost in them. It takes all but the last exchanges from view, and that is not worth a few cents.
 */
const LEAST_GAIN = { requests: 20, usd: 0.05, share: 0.05 } as const;

/**
 * Whether to collapse now. An old exchange is carried with every request until it goes; collapsing means rewriting what stays. It is done
 * as soon as carrying has cost as much as rewriting will: the length of a session is unknown, and this rule never pays more than twice the
 * cost with perfect foresight. If a session grows evenly it is also the cheapest interval.
 */
export function decideCollapse(load: HistoryLoad, occasion: Occasion, rule: CollapseRule): CollapseVerdict {
  const { ledgerTokens, old, tailTokens } = load;
  const keptTokens = old.reduce((sum, exchange) => sum + exchange.keptTokens, 0);
  const gainTokens = old.reduce((sum, exchange) => sum + exchange.gainTokens, 0);
  const contextTokens = occasion.baseTokens + ledgerTokens + keptTokens + gainTokens + tailTokens;
  const rates = rateRequest(occasion, contextTokens);
  const { write } = rates;
  const { carriedRequests = Number.POSITIVE_INFINITY } = occasion;
  // Each request since it grew old has carried an exchange once, the oldest most often.
  const carriedUnits =
    old.reduce((sum, { gainTokens: gain }, index) => sum + gain * Math.min(old.length - index, carriedRequests), 0) *
    rates.read;
  const infront = occasion.marks === "client" ? ledgerTokens + (occasion.repeatedTokens ?? 0) : 0;
  const rewritten = keptTokens + tailTokens + infront;
  const after = occasion.baseTokens + ledgerTokens + keptTokens + tailTokens;
  const recall = countRecoveryUnits(after, RECALLED_TOKENS, rates);
  const recalls = occasion.recallsPerCompaction ?? (ledgerTokens === 0 ? FIRST_RECALLS : LATER_RECALLS);
  const { readTokens = 0, outputTokens = 0 } = occasion.question ?? {};
  const asked = readTokens * rates.read + outputTokens * rates.output;
  const costUnits = (occasion.isCold ? 0 : rewritten * (write - rates.read)) + recalls * recall + asked;
  const decide = (isDue: boolean, why: CollapseVerdict["why"]): CollapseVerdict => ({
    isDue,
    why,
    gainTokens,
    carriedUnits,
    costUnits,
    breakEvenRequests: gainTokens <= 0 ? Number.POSITIVE_INFINITY : costUnits / (gainTokens * rates.read),
  });
  const isTooEarly = (): boolean =>
    ledgerTokens === 0 &&
    costUnits >
      (rule.mostInVain ?? MOST_IN_VAIN) * countSpent(load, occasion, { ...rates, keepExchanges: rule.keepExchanges });
  const atOnce = occasion.isCold ? gainTokens * (write - rates.read) : 0;
  const netUnits = LEAST_GAIN.requests * gainTokens * rates.read + atOnce - costUnits;
  const isWorth =
    netUnits >= LEAST_GAIN.share * LEAST_GAIN.requests * contextTokens * rates.read &&
    (rates.usdPerUnit === undefined || netUnits * rates.usdPerUnit >= LEAST_GAIN.usd);
  const decideDue = (why: "cold" | "paid"): CollapseVerdict => {
    if (isTooEarly()) return decide(false, "tooEarly");
    return isWorth ? decide(true, why) : decide(false, "tooLittle");
  };
  // A cold cache needs no extra rewriting: the tokens that need not be written now only have to pay for the recalls.
  if (occasion.isCold && gainTokens * write >= costUnits) return decideDue("cold");
  if (old.length < LEAST_EXCHANGES) return decide(false, "tooLittle");
  if (gainTokens < rule.leastTokens) return decide(false, "tooLittle");
  return carriedUnits >= rule.patience * costUnits ? decideDue("paid") : decide(false, "notYet");
}

function rateRequest({ weights, model, share1h }: Occasion, contextTokens: number) {
  const rates = weights ? rateWeights(weights) : rateModel(model, contextTokens);
  return { ...rates, write: mixWriteRate(rates, share1h) };
}

/** In a loop the line is reached again and again, so a step there must be worth so many rewrites (`docs/decisions/0052-a-target-by-price.md`). */
const REWRITES_PER_STEP = 12;

/**
 * How many of the oldest exchanges go for a load line: as many as the line needs, and then as many more as make the step worth its
 * rewrites: until the line is reached again, carrying the room that was made would have cost as much as writing anew what stays.
 */
export function countForLine(
  { ledgerTokens, old, tailTokens }: HistoryLoad,
  window: { readonly tokens: number; readonly targetTokens: number; readonly exchanges: number },
  occasion: Occasion,
): number {
  const { tokens, targetTokens, exchanges } = window;
  const rates = rateRequest(occasion, occasion.baseTokens + tokens);
  const grows = Math.max(1, (tokens - ledgerTokens) / Math.max(1, exchanges));
  const extra = ((occasion.carriedRequests ?? 0) === 0 ? 1 : REWRITES_PER_STEP) * (rates.write - rates.read);
  let left = tokens;
  for (const [index, { gainTokens }] of old.entries()) {
    left -= gainTokens;
    const room = targetTokens - left;
    const isStep = rates.read * room * (room / grows) >= extra * Math.max(left, tailTokens);
    if (room >= 0 && isStep) return index + 1;
  }
  return old.length;
}

/** What a session without a ledger has cost at least: everything was written once and read by each later request. Output comes on top. */
function countSpent(
  { old, tailTokens }: HistoryLoad,
  { baseTokens }: Occasion,
  { read, write, keepExchanges }: Pick<TokenWeights, "read" | "write"> & { readonly keepExchanges: number },
): number {
  const requests = old.length + keepExchanges;
  const carried = old.reduce(
    (sum, { gainTokens, keptTokens }, index) => sum + (gainTokens + keptTokens) * (write + (requests - index) * read),
    0,
  );
  return baseTokens * (write + requests * read) + carried + tailTokens * write;
}
