import type { PersonAdvice } from "./advise-person.ts";

/** What a person could do, and what it is about. */
export interface AdviceCandidate extends PersonAdvice {
  /** The same advice has the same id. */
  readonly id: string;
  /** What is used of a limit or budget; `undefined` for advice on a session. */
  readonly boundPercent?: number;
  /** A place to look, for a person who need not do anything. */
  readonly isLook?: true;
}

/** A limit or a budget, in words. */
export interface Bound {
  readonly name: string;
  readonly text: string;
  readonly usedPercent: number | null;
  /** Whether it ends before its period at the present pace. */
  readonly runsOut: boolean;
  readonly action: { readonly hint: string; readonly command: string; readonly place: "client" | "shell" };
}

/** A limit or budget that is used so far is worth a word, whatever it costs. */
const WORTH_A_WORD_PERCENT = 80;
/** Below this a pace says little. */
const PACE_KNOWN_PERCENT = 50;

export function adviseBounds(bounds: readonly Bound[]): readonly AdviceCandidate[] {
  return bounds.flatMap(({ name, text, usedPercent, runsOut, action: { hint, command, place } }) => {
    const used = usedPercent ?? 0;
    if (used < WORTH_A_WORD_PERCENT && !(runsOut && used >= PACE_KNOWN_PERCENT)) return [];
    // Past another tenth it is new.
    const id = `${name} ${Math.floor(used / 10)}`;
    const all = used < 100 ? text : `used up, ${text}`;
    return [{ id, boundPercent: used, sentence: `${name}: ${all}. ${hint}`, command, place, savesUsd: undefined }];
  });
}

/**
 * The one thing to do: what ends soon before what costs, the most expensive first. What was shown and not followed is left out. There is
 * always something to type: where nothing needs doing, it is a place to look.
 */
export function rankAdvice(
  candidates: readonly AdviceCandidate[],
  looks: readonly [AdviceCandidate, ...AdviceCandidate[]],
  isIgnored: (id: string) => boolean,
): AdviceCandidate {
  const [best] = candidates
    .filter(({ id, command }) => command !== undefined && !isIgnored(id))
    .sort((left, right) => rateUrgency(right) - rateUrgency(left));
  if (best) return best;
  const look = looks.find(({ id }) => !isIgnored(id)) ?? looks[0];
  const calm = candidates.find(({ command }) => command === undefined);
  return { ...look, sentence: `${calm?.sentence ?? "Nothing new to do."} ${look.sentence}` };
}

/** Percent of a limit or budget are above a window that is nearly full, and both above every amount of dollars. */
const ABOVE_DOLLARS = 1e9;

function rateUrgency({ boundPercent, savesUsd = 0, isUrgent }: AdviceCandidate): number {
  if (boundPercent !== undefined) return 2 * ABOVE_DOLLARS + boundPercent;
  return isUrgent ? ABOVE_DOLLARS + savesUsd : savesUsd;
}
