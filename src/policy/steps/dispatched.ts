import { renderTokens } from "../../measure/render-load.ts";
import { pricePart } from "../../models/economics/spend.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import type { PolicyCommand } from "../command.ts";

/** From here on a prompt is worth a preview: the seeds' level for a caller that is not listed. */
const DISPATCH_WARN_TOKENS = 20_000;

/** A worker is about to be sent out. One line for the user, before the call, if its prompt alone is expensive: they can still refuse it. */
export function dispatched(asked: string, model: string): readonly PolicyCommand[] {
  const tokens = Math.round(estimateTextTokens(asked, tokenizerOf(model)));
  if (tokens < DISPATCH_WARN_TOKENS) return [];
  const spent = pricePart({ inputTokens: tokens }, model);
  const cost = spent === undefined ? "" : `, about $${spent.toFixed(2)}`;
  const text = `this worker's prompt has about ${renderTokens(tokens)} tokens${cost}, and was not previewed: name files instead of pasting them, or run plimsoll preview first`;
  return [{ kind: "warn", text }];
}
