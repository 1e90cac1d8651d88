import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { MAX_INJECTED_CHARACTERS } from "../../survive/receipt/plan-repair.ts";
import type { DeedDetail, InjectedWhat } from "../deeds/deed.ts";

export interface Composed {
  readonly text: string;
  readonly told: readonly Injection[];
  /** Had no room: told to nobody, so that whoever keeps count does not count them. */
  readonly leftOut: readonly Injection[];
}

const GAP = "\n\n";

/**
 * Injections of one event as the one text that the client takes of a hook. The first are the most important; one that has no
 * room is left out whole, since half a rule misleads.
 */
export function composeInjections(
  injections: readonly Injection[],
  maxCharacters: number = MAX_INJECTED_CHARACTERS,
): Composed {
  const told: Injection[] = [];
  const leftOut: Injection[] = [];
  let text = "";
  for (const injection of injections) {
    if (injection.text === "") continue;
    const longer = text === "" ? injection.text : `${text}${GAP}${injection.text}`;
    if (longer.length > maxCharacters) leftOut.push(injection);
    else {
      told.push(injection);
      text = longer;
    }
  }
  return { text, told, leftOut };
}

/** What is left of an event's room beside what is already to be told. */
export function measureRoom(injections: readonly Injection[], maxCharacters: number = MAX_INJECTED_CHARACTERS): number {
  const used = injections.reduce((sum, { text }) => sum + (text === "" ? 0 : text.length + GAP.length), 0);
  return Math.max(0, maxCharacters - used);
}

/** A text for the model, and why it is told now. */
export interface Injection {
  readonly what: InjectedWhat;
  readonly why: string;
  readonly text: string;
}

/** What was put into the window, with its weight by the model's own tokenizer: the line that `stats --injections` adds up. */
export function describeInjection({ what, why, text }: Injection, model: string): DeedDetail {
  const tokens = Math.round(estimateTextTokens(text, tokenizerOf(model)));
  return { kind: "injected", what, why, characters: text.length, tokens, model };
}
