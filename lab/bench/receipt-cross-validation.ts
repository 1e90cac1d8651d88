/** Chooses how strict the receipt is without the sessions that it is then tried on. */
import type { Strictness } from "../../src/survive/receipt/index-text.ts";
import { type Judged, judgeLabelled, type Labelled, scoreLost } from "./receipt-labels.ts";

const COVERAGES = [0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46, 0.5];
const PASSAGE_WORDS = [10, 15, 20, 30];
const CHOICES: readonly Strictness[] = PASSAGE_WORDS.flatMap((passageWords) =>
  COVERAGES.map((minCoverage) => ({ minCoverage, passageWords })),
);

export interface CrossValidation {
  /** Every label, judged as strictly as was best for the other groups. */
  readonly judged: readonly Judged[];
  /** How often each choice was the best of the others. */
  readonly chosen: ReadonlyMap<string, number>;
  /** The choice that is best for all of them. */
  readonly best: Strictness;
}

/** Leaves out one group after the other. */
export function crossValidate(
  labelled: readonly Labelled[],
  groupOf: (label: Pick<Judged, "project" | "session">) => string,
): CrossValidation {
  const tried = CHOICES.map((strictness) => ({ strictness, judged: judgeLabelled(labelled, strictness) }));
  const chosen = new Map<string, number>();
  const judged = [...new Set(labelled.map(groupOf))].flatMap((group) => {
    const best = chooseBest(tried, (label) => groupOf(label) !== group);
    const name = `${best.strictness.minCoverage}/${best.strictness.passageWords}`;
    chosen.set(name, (chosen.get(name) ?? 0) + 1);
    return best.judged.filter((label) => groupOf(label) === group);
  });
  return { judged, chosen, best: chooseBest(tried, () => true).strictness };
}

interface Tried {
  readonly strictness: Strictness;
  readonly judged: readonly Judged[];
}

/** By the harmonic mean of precision and recall; of equals the middle one, which is furthest from doing worse. */
function chooseBest(tried: readonly Tried[], isKnown: (label: Judged) => boolean): Tried {
  const scored = tried.map((choice) => {
    const { precision, recall } = scoreLost(choice.judged.filter(isKnown));
    return { choice, mean: (2 * precision * recall) / (precision + recall || 1) };
  });
  const highest = Math.max(...scored.map(({ mean }) => mean));
  const equals = scored.filter(({ mean }) => mean > highest - 1e-9);
  const middle = equals[Math.floor(equals.length / 2)];
  if (middle === undefined) throw new TypeError("nothing to choose from: pass at least one choice");
  return middle.choice;
}
