import type { EditPrice, EditVerdict, VerdictReason } from "../../core/edit-verdict.ts";
import { renderCount } from "../../core/render-count.ts";

/** What a verdict is explained with: of the edits that share one rewriting, or of the edit alone. */
interface Terms {
  readonly price: EditPrice;
  readonly rewrite: string;
  readonly saving: string;
  readonly breakEven: string;
}

/** A verdict in one or two sentences: what it saves, what it costs, when it has paid off. Deterministic. */
export function explain(verdict: EditVerdict): string {
  const { price, edits } = verdict.set ?? { price: verdict.price, edits: 1 };
  const terms: Terms = {
    price,
    rewrite: renderRewrite(price, edits),
    saving: renderSaving(price),
    breakEven: renderBreakEven(verdict, price),
  };
  const sentences = SENTENCES[verdict.why](terms).replace(/\. [a-z]/g, (start) => start.toUpperCase());
  return `${verdict.isMade ? "Made" : "Declined"}: ${sentences}`;
}

const SENTENCES: Readonly<Record<VerdictReason, (terms: Terms) => string>> = {
  atBirth: ({ saving }) => `the original was never sent, so the cache is not rewritten. ${saving}.`,
  cold: ({ saving }) => `the cache has expired, so everything is written again anyway. ${saving}.`,
  ridesAlong: ({ saving }) =>
    `this part of the cache is written again anyway, because of a change in front of it. ${saving}.`,
  pays: ({ rewrite, saving, breakEven }) => `${rewrite}. ${saving}. ${breakEven}.`,
  mustFit: ({ rewrite }) => `the conversation must fit into the window, whatever the change costs. ${rewrite}.`,
  savesNothing: () => "the change saves nothing.",
  neededAgain: ({ price, saving }) =>
    `fetching the text back is expected to cost ${renderMoney(price.recoveryUsd, price.recoveryUnits)}, more than the change saves. ${saving}.`,
  doesNotPay: ({ rewrite, saving, breakEven }) => `${rewrite}. ${saving}. ${breakEven}.`,
  tooLittle: ({ price, rewrite }) =>
    `the change would remove only ${renderTokens(price.savedTokens)}, too little to rewrite the cache for. ${rewrite}.`,
};

function renderRewrite(price: EditPrice, edits: number): string {
  const who = edits > 1 ? `${edits} changes together write` : "the change writes";
  return `${who} ${renderTokens(price.rewrittenTokens)} to the cache again, once, for ${renderMoney(price.rewriteUsd, price.rewriteUnits)}`;
}

function renderSaving(price: EditPrice): string {
  return `Every later request is ${renderTokens(price.savedTokens)} smaller, which saves ${renderMoney(price.savedUsdPerRequest, price.savedUnitsPerRequest)} each time`;
}

function renderBreakEven({ expectedRequests }: EditVerdict, price: EditPrice): string {
  if (!Number.isFinite(price.breakEvenRequests)) return "the change never pays off";
  const net = renderMoney(price.expectedNetUsd, price.expectedNetUnits);
  return `the change pays off after ${renderCount(Math.ceil(price.breakEvenRequests), "request")}; with ${Math.round(expectedRequests)} expected, the net saving is ${net}`;
}

/** In dollars if known, otherwise in tokens at the input price. */
function renderMoney(usd: number | undefined, units: number): string {
  if (usd === undefined) return `the price of ${renderTokens(units)}`;
  const amount = Math.abs(usd);
  const digits = amount === 0 || amount >= 0.995 ? 2 : amount >= 0.01 ? 3 : amount >= 0.0001 ? 5 : 7;
  return `${usd < 0 ? "-" : ""}$${amount.toFixed(digits)}`;
}

function renderTokens(tokens: number): string {
  const whole = Math.round(tokens);
  return `${whole.toString().replace(/\B(?=(?:\d{3})+$)/g, ",")} tokens`;
}
