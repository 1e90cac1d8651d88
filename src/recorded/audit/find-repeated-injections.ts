import { hashText } from "../../core/hash.ts";
import { predictTokens, seedCalibration } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import type { Recording } from "../../measure/recording.ts";
import { priceCarried } from "../../models/economics/spend.ts";
import { tokenizerOf } from "../../models/tokens.ts";

/** A text that a hook, a reminder or the client put into one window several times. */
export interface RepeatedInjection {
  /** The attachment's kind, or the source. */
  readonly label: string;
  readonly start: string;
  /** Without the first time, which is no waste. */
  readonly repeats: number;
  /** Tokens of one repetition. */
  readonly tokens: number;
  /** Requests that carried a repetition, summed over the repetitions. */
  readonly requests: number;
  /** Each repetition written to the cache once and read in every later request of its window; 0 without a price. */
  readonly usd: number;
  /** The dollars are a lower bound: some request has no price. */
  readonly isAtLeast: boolean;
}

const LEAST_CHARACTERS = 80;
const START_CHARACTERS = 80;

/** The most expensive first. */
export function findRepeatedInjections({ steps }: Recording): readonly RepeatedInjection[] {
  const seen = new Set<string>();
  const found = new Map<string, RepeatedInjection>();
  for (const [index, step] of steps.entries()) {
    const later = steps.slice(index).filter(({ window, usage }) => window === step.window && usage);
    for (const arrival of step.arrivals) {
      if (arrival.source !== "attachment" && arrival.source !== "reminder") continue;
      const text = arrival.block.kind === "text" ? arrival.block.text : "";
      if (text.length < LEAST_CHARACTERS) continue;
      const key = `${hashText(text)}${text.length}`;
      if (seen.size < seen.add(`${step.window} ${key}`).size) continue;
      const tokenizer = tokenizerOf(step.model);
      const tokens = predictTokens(weighArrival(arrival, tokenizer), seedCalibration(tokenizer));
      const known = found.get(key);
      const { usd, isPriced } = priceCarried(tokens, later);
      found.set(key, {
        label: arrival.label,
        start: text.trim().slice(0, START_CHARACTERS),
        repeats: (known?.repeats ?? 0) + 1,
        tokens,
        requests: (known?.requests ?? 0) + later.length,
        usd: (known?.usd ?? 0) + usd,
        isAtLeast: known?.isAtLeast === true || !isPriced,
      });
    }
  }
  return sortByCost([...found.values()]);
}

export function mergeRepeated(lists: readonly (readonly RepeatedInjection[])[]): readonly RepeatedInjection[] {
  const merged = new Map<string, RepeatedInjection>();
  for (const one of lists.flat()) {
    const key = `${one.label} ${Math.round(one.tokens)} ${one.start}`;
    const known = merged.get(key);
    merged.set(key, {
      ...one,
      repeats: one.repeats + (known?.repeats ?? 0),
      requests: one.requests + (known?.requests ?? 0),
      usd: one.usd + (known?.usd ?? 0),
      isAtLeast: one.isAtLeast || known?.isAtLeast === true,
    });
  }
  return sortByCost([...merged.values()]);
}

function sortByCost(found: readonly RepeatedInjection[]): readonly RepeatedInjection[] {
  return [...found].sort(
    (left, right) => right.usd - left.usd || right.tokens * right.requests - left.tokens * left.requests,
  );
}
