import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import type { DeedDetail, InjectedWhat } from "../deeds/deed.ts";

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
