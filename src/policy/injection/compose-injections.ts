import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { MAX_INJECTED_CHARACTERS } from "../../survive/receipt/plan-repair.ts";
import type { ActionDetail, InjectedWhat } from "../actions/own-action.ts";
import type { PolicyStep } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";

/** A text for the model's window. */
export interface Injection {
  readonly what: InjectedWhat;
  readonly why: string;
  readonly text: string;
  /** The state once the text is sent. */
  readonly follow?: (before: PolicyState) => PolicyState;
}

export function due(what: InjectedWhat, why: string, text: string, follow?: Injection["follow"]): Injection {
  return { what, why, text, ...(follow && { follow }) };
}

const GAP = "\n\n";

/** Joins an event's injections into the one text that a client takes from a hook. One that does not fit is left out whole: half a rule misleads. */
export function composeInjections(
  injections: readonly Injection[],
  maxCharacters: number = MAX_INJECTED_CHARACTERS,
): { readonly text: string; readonly injected: readonly Injection[]; readonly leftOut: readonly Injection[] } {
  const injected: Injection[] = [];
  const leftOut: Injection[] = [];
  let text = "";
  for (const injection of injections.filter((each) => each.text !== "")) {
    const longer = text === "" ? injection.text : `${text}${GAP}${injection.text}`;
    if (longer.length > maxCharacters) leftOut.push(injection);
    else {
      injected.push(injection);
      text = longer;
    }
  }
  return { text, injected, leftOut };
}

/** Characters left for one more text after these. */
export function measureRoom(texts: readonly string[], maxCharacters: number = MAX_INJECTED_CHARACTERS): number {
  const used = texts.reduce((sum, text) => sum + (text === "" ? 0 : text.length + GAP.length), 0);
  return Math.max(0, maxCharacters - used);
}

/** Injects as much as fits, the most important first, as one text. Only what was sent counts as said. `model` is called only if there is something. */
export function sayDue(state: PolicyState, list: readonly Injection[], model: () => string): PolicyStep {
  const { text, injected, leftOut } = composeInjections(list);
  const why = "more important texts left no room";
  return {
    state: injected.reduce((before, { follow }) => follow?.(before) ?? before, state),
    commands: [
      ...(text === "" ? [] : [{ kind: "tell", text } as const]),
      ...injected.map((injection) => ({ kind: "note", action: describeInjection(injection, model()) }) as const),
      ...leftOut.map(({ what }) => ({ kind: "note", action: { kind: "declined", what, why } }) as const),
    ],
  };
}

/** The journal line of an injection, with its tokens by the model's own tokenizer. `stats --injections` adds these up. */
export function describeInjection({ what, why, text }: Injection, model: string): ActionDetail {
  const tokens = Math.round(estimateTextTokens(text, tokenizerOf(model)));
  return { kind: "injected", what, why, characters: text.length, tokens, model };
}
