import { renderTokens } from "../../measure/render-load.ts";
import { quotePrice } from "../../models/economics/prices.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import type { PolicyCommand } from "../command.ts";

/** From here on a prompt is worth a preview: the seeds' level for a caller that is not listed. */
const DISPATCH_WARN_TOKENS = 20_000;

/** A worker is about to be sent out. One line for the user, before the call, if its prompt alone is expensive: they can still refuse it. */
export function dispatched(asked: string, model: string): readonly PolicyCommand[] {
  const tokens = Math.round(estimateTextTokens(asked, tokenizerOf(model)));
  if (tokens < DISPATCH_WARN_TOKENS) return [];
  const price = quotePrice(model)?.price.input;
  const cost = price === undefined ? "" : `, about $${((tokens * price) / 1_000_000).toFixed(2)}`;
  const text = `this worker's prompt has about ${renderTokens(tokens)} tokens${cost}, and was not previewed: name files instead of pasting them, or run plimsoll preview first`;
  return [{ kind: "warn", text }];
}
