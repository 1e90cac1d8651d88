import type { Occasion } from "../../core/layer.ts";
import { mixWriteRate, type Rates, rateModel, rateWeights } from "../../models/economics/rates.ts";
import { countRecoveryUnits } from "../../models/economics/recovery.ts";

/** A conversation as far as it must be known to say whether its old part should be collapsed now. */
export interface HistoryLoad {
  /** Stretches of ledger in front. */
  readonly ledgerTokens: number;
  /** The exchanges that may go, oldest first: what each would free, and what its lines would weigh. */
  readonly old: readonly { readonly gainTokens: number; readonly keptTokens: number }[];
  /** What stays word for word. */
  readonly tailTokens: number;
}

export interface CollapseRule {
  /** The rewriting is made once carrying has cost so many times its price. */
  readonly patience: number;
  /** Nothing is rewritten for less. */
  readonly leastTokens: number;
  /** So many of the newest exchanges stay, at least. */
  readonly keepExchanges: number;
  /** Who stops right after a first collapse has paid for it in vain: at most this share of what the session has cost, a tenth by default. */
  readonly mostInVain?: number;
}

export interface CollapseVerdict {
  readonly isDue: boolean;
  readonly why: "cold" | "paid" | "tooEarly" | "tooLittle" | "notYet";
  readonly gainTokens: number;
  /** What carrying the old part has cost so far, and what collapsing it costs, in input tokens. */
  readonly carriedUnits: number;
  readonly costUnits: number;
  /** Requests after which the collapse has paid for itself. */
  readonly breakEvenRequests: number;
}

/** Clients stop a turn that compacts again and again; so few exchanges are never worth a rewriting either (measured: 0.2 %). A pause breaks such a row. */
const LEAST_EXCHANGES = 8;
/**
 * A first collapse is followed by two requests that recall something until the next one; a later one by one more than would have been made
 * without it, because much already lies behind handles (`docs/research/policy.md`).
 */
const FIRST_RECALLS = 2;
const LATER_RECALLS = 1;
const RECALLED_TOKENS = 1_500;
export const MOST_IN_VAIN = 0.1;

/**
 * Whether to collapse now. An exchange that has grown old is carried with every request until it goes; collapsing means
 * writing anew what stays. It is done as soon as carrying has cost as much as rewriting will: nobody knows how
 * long a session lasts, and this rule never pays more than twice what one who knew would; where a session grows evenly it is
 * also the interval that costs least.
 */
export function decideCollapse(load: HistoryLoad, occasion: Occasion, rule: CollapseRule): CollapseVerdict {
  const { ledgerTokens, old, tailTokens } = load;
  const keptTokens = old.reduce((sum, exchange) => sum + exchange.keptTokens, 0);
  const gainTokens = old.reduce((sum, exchange) => sum + exchange.gainTokens, 0);
  const contextTokens = occasion.baseTokens + ledgerTokens + keptTokens + gainTokens + tailTokens;
  const rates = occasion.weights ? rateWeights(occasion.weights) : rateModel(occasion.model, contextTokens);
  const write = mixWriteRate(rates, occasion.share1h);
  // Each request since it grew old has carried an exchange once: the oldest longest.
  const carriedUnits =
    old.reduce((sum, { gainTokens: gain }, index) => sum + gain * (old.length - index), 0) * rates.read;
  const rewritten = keptTokens + tailTokens + (occasion.marks === "client" ? ledgerTokens : 0);
  const after = occasion.baseTokens + ledgerTokens + keptTokens + tailTokens;
  const recall = countRecoveryUnits(after, RECALLED_TOKENS, { ...rates, write });
  const recalls = ledgerTokens === 0 ? FIRST_RECALLS : LATER_RECALLS;
  const costUnits = (occasion.isCold ? 0 : rewritten * (write - rates.read)) + recalls * recall;
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
      (rule.mostInVain ?? MOST_IN_VAIN) *
        countSpent(load, occasion, { ...rates, write, keepExchanges: rule.keepExchanges });
  const decideDue = (why: "cold" | "paid"): CollapseVerdict =>
    isTooEarly() ? decide(false, "tooEarly") : decide(true, why);
  // Nothing is rewritten for it: what need not be written now has to pay for the recalls alone.
  if (occasion.isCold && gainTokens * write >= costUnits) return decideDue("cold");
  if (old.length < LEAST_EXCHANGES) return decide(false, "tooLittle");
  if (gainTokens < rule.leastTokens) return decide(false, "tooLittle");
  return carriedUnits >= rule.patience * costUnits ? decideDue("paid") : decide(false, "notYet");
}

/** What a session without a ledger has cost at least: everything was written once, and read by each request after that. Answers come on top. */
function countSpent(
  { old, tailTokens }: HistoryLoad,
  { baseTokens }: Occasion,
  { read, write, keepExchanges }: Pick<Rates, "read"> & { readonly write: number; readonly keepExchanges: number },
): number {
  const requests = old.length + keepExchanges;
  const carried = old.reduce(
    (sum, { gainTokens, keptTokens }, index) => sum + (gainTokens + keptTokens) * (write + (requests - index) * read),
    0,
  );
  return baseTokens * (write + requests * read) + carried + tailTokens * write;
}
