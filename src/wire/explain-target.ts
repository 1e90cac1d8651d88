import type { Message } from "../core/message.ts";
import type { Report } from "../core/pipeline.ts";
import { hasOpaque, splitExchanges } from "../layers/history/exchanges.ts";
import { renderTokens } from "../measure/render-load.ts";
import type { LayerRow } from "./run-layers.ts";

/** How far a conversation was brought towards its load line. */
export interface ReachedTarget {
  readonly askedTokens: number;
  readonly reachedTokens: number;
  /** Why more is left than was asked for; empty if it is not. */
  readonly why: string;
}

/** The messages of the newest exchange. */
export function listNewest(messages: readonly Message[]): readonly Message[] {
  return messages.slice(splitExchanges(messages).at(-1)?.first);
}

/** Names the largest of what must stay. */
export function explainTarget(
  messages: readonly Message[],
  report: Report,
  { countTokens, options }: LayerRow,
): ReachedTarget {
  const { targetTokens, tokensAfter } = report;
  const target = { askedTokens: targetTokens, reachedTokens: Math.round(tokensAfter) };
  if (tokensAfter <= targetTokens || report.stopped === "withinMargin") return { ...target, why: "" };
  const weigh = (list: readonly Message[]): number => list.reduce((sum, message) => sum + countTokens(message), 0);
  const last = listNewest(messages);
  const first = messages.find(({ role }) => role === "user");
  const own = messages.filter((message) => message !== first && message.blocks.some(isPersons));
  const reasons: readonly (readonly [tokens: number, what: string])[] = [
    [weigh(last), "the last exchange, which stays whole"],
    [first && !last.includes(first) ? countTokens(first) : 0, "the first prompt, which stays as it was written"],
    [weigh(own.filter((message) => !last.includes(message))), "the person's later words, which stay"],
    [weigh(messages.filter(hasOpaque)), "parts that stay: kept by an option, or of a kind that is not understood"],
    [options.keepTokens ?? 0, "the newest part, which `keepTokens` keeps whole"],
  ];
  const [[tokens, what] = [0, ""]] = [...reasons].sort(([one], [other]) => other - one);
  const rest = report.layers.find(({ failure }) => failure !== undefined)?.failure;
  const more = rest === undefined ? "" : `; ${rest}`;
  return { ...target, why: `${renderTokens(tokens)} tokens are ${what}${more}` };
}

function isPersons(block: Message["blocks"][number]): boolean {
  return block.kind === "text" && block.author === "person";
}
