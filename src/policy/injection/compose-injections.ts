import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { MAX_INJECTED_CHARACTERS } from "../../survive/receipt/plan-repair.ts";
import type { DeedDetail, InjectedWhat } from "../deeds/deed.ts";

export interface Composed {
  readonly text: string;
  readonly told: readonly Injection[];
  /** Injections without room. They were not sent, so they do not count as said. */
  readonly leftOut: readonly Injection[];
}

const GAP = "\n\n";

/** Joins an event's injections into the one text that a client takes from a hook. One that does not fit is left out whole: half a rule misleads. */
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

export function measureRoom(injections: readonly Injection[], maxCharacters: number = MAX_INJECTED_CHARACTERS): number {
  const used = injections.reduce((sum, { text }) => sum + (text === "" ? 0 : text.length + GAP.length), 0);
  return Math.max(0, maxCharacters - used);
}

export interface Injection {
  readonly what: InjectedWhat;
  readonly why: string;
  readonly text: string;
}

/** The journal line of an injection, with its tokens by the model's own tokenizer. `stats --injections` adds these up. */
export function describeInjection({ what, why, text }: Injection, model: string): DeedDetail {
  const tokens = Math.round(estimateTextTokens(text, tokenizerOf(model)));
  return { kind: "injected", what, why, characters: text.length, tokens, model };
}
