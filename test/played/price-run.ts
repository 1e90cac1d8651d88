import { quotePrice } from "../../src/models/economics/prices.ts";
import type { PlayedRequest } from "./recorded-api.ts";

/** Dollars, split as replay splits them: what asking for summaries cost is told apart. */
export interface Bill {
  readonly read: number;
  readonly write: number;
  readonly output: number;
  readonly asked: number;
}

export function priceRequests(requests: readonly PlayedRequest[]): Bill {
  return requests.map(priceRequest).reduce(
    (sum, bill) => ({
      read: sum.read + bill.read,
      write: sum.write + bill.write,
      output: sum.output + bill.output,
      asked: sum.asked + bill.asked,
    }),
    { read: 0, write: 0, output: 0, asked: 0 },
  );
}

/** What a played request cost at the recorded model's price. */
function priceRequest({ request, usage, model, outputTokens }: PlayedRequest): Bill {
  const context = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const price = quotePrice(model, { contextTokens: context })?.price;
  if (!price) throw new Error(`no price for ${model}: such a session is not chosen`);
  const { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h } = usage.cache_creation;
  const read = (usage.cache_read_input_tokens * price.cacheRead) / 1e6;
  const write =
    (usage.input_tokens * price.input + written5m * price.cacheWrite5m + written1h * price.cacheWrite1h) / 1e6;
  const output = (outputTokens * price.output) / 1e6;
  if (request.lane === "main") return { read, write, output, asked: 0 };
  return { read: 0, write: 0, output: 0, asked: read + write + output };
}
