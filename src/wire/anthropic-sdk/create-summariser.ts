import type { SummaryQuestion } from "../compaction-options.ts";
import { isRecord } from "../is-json.ts";
import type { SdkAsker } from "./with-plimsoll.ts";

export interface SummariserOptions {
  readonly model: string;
  /** A summary that takes longer is given up. Five minutes by default: 20,000 tokens take most of that. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5 * 60_000;

/**
 * Asks a model through the SDK: one request, no retries, summary and memories in the same answer. Give it the plain client,
 * not the one that `withPlimsoll` made.
 */
export function createSummariser(
  client: SdkAsker,
  options: SummariserOptions,
): (question: Pick<SummaryQuestion, "text" | "instructions" | "maxOutputTokens">) => Promise<string> {
  const { model, timeoutMs = TIMEOUT_MS } = options ?? {};
  if (typeof client?.messages?.stream !== "function")
    throw new TypeError("client must be a client of @anthropic-ai/sdk: pass `new Anthropic()`");
  if (typeof model !== "string" || model === "")
    throw new TypeError("model must be the id of the model that is to write the summary");
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be above 0 (five minutes by default), not ${timeoutMs}`);
  return async ({ text, instructions, maxOutputTokens }) => {
    const content = `<conversation>\n${text}\n</conversation>\n\n${instructions}`;
    const stream = client.messages.stream(
      { model, max_tokens: maxOutputTokens, messages: [{ role: "user", content }] },
      { signal: AbortSignal.timeout(timeoutMs), maxRetries: 0 },
    );
    const answer = await stream.finalMessage();
    return answer.content
      .map((block) => (isRecord(block) && typeof block.text === "string" ? block.text : ""))
      .join("");
  };
}
