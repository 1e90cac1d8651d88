import type { EditPrice, EditVerdict, VerdictReason } from "../../core/edit-verdict.ts";

/** A verdict in one or two sentences: what it saves, what it costs, when it has paid off. Deterministic. */
export function explain(verdict: EditVerdict): string {
  const sentences = SENTENCES[verdict.why](verdict).replace(/\. [a-z]/g, (start) => start.toUpperCase());
  return `${verdict.isMade ? "Made" : "Declined"}: ${sentences}`;
}

type Sentence = (verdict: EditVerdict) => string;

const SENTENCES: Readonly<Record<VerdictReason, Sentence>> = {
  atBirth: ({ price }) => `the original was never sent, so the cache is not rewritten. ${renderSaving(price)}.`,
  cold: ({ price }) => `the cache has expired, so everything is written again anyway. ${renderSaving(price)}.`,
  ridesAlong: ({ price }) =>
    `this part of the cache is written again anyway, because of a change in front of it. ${renderSaving(price)}.`,
  pays: (verdict) => {
    const { price, edits } = shared(verdict);
    return `${renderRewrite(price, edits)}. ${renderSaving(price)}. ${renderBreakEven(verdict, price)}.`;
  },
  mustFit: (verdict) => {
    const { price, edits } = shared(verdict);
    return `the conversation must fit into the window, whatever the change costs. ${renderRewrite(price, edits)}.`;
  },
  savesNothing: () => "the change saves nothing.",
  neededAgain: ({ price }) =>
    `fetching the text back is expected to cost ${renderMoney(price.recoveryUsd, price.recoveryUnits)}, more than the change saves. ${renderSaving(price)}.`,
  doesNotPay: (verdict) => {
    const { price, edits } = shared(verdict);
    return `${renderRewrite(price, edits)}. ${renderSaving(price)}. ${renderBreakEven(verdict, price)}.`;
  },
  withinMargin: (verdict) => {
    const { price, edits } = shared(verdict);
    return `the change would pay off, but by too little to disturb the cache now. ${renderRewrite(price, edits)}. ${renderBreakEven(verdict, price)}.`;
  },
  tooLittle: (verdict) => {
    const { price, edits } = shared(verdict);
    return `the change would remove only ${renderTokens(price.savedTokens)}, too little to rewrite the cache for. ${renderRewrite(price, edits)}.`;
  },
  alreadySent: ({ price }) =>
    `this text was already sent, so the change waits for a boundary; changing it now would write ${renderTokens(price.rewrittenTokens)} to the cache again.`,
};

function shared({ set, price }: EditVerdict): { readonly price: EditPrice; readonly edits: number } {
  return set ?? { price, edits: 1 };
}

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
  return `the change pays off after ${renderRequests(price.breakEvenRequests)}; with ${Math.round(expectedRequests)} expected, the net saving is ${net}`;
}

function renderRequests(requests: number): string {
  const whole = Math.ceil(requests);
  return whole === 1 ? "1 request" : `${whole} requests`;
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
