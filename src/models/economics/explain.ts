import type { EditPrice, EditVerdict, VerdictReason } from "../../core/edit-verdict.ts";

/** A verdict in one or two sentences for the person: what it saves, what it costs, when it has paid. Deterministic. */
export function explain(verdict: EditVerdict): string {
  const sentences = SENTENCES[verdict.why](verdict).replace(/\. [a-z]/g, (start) => start.toUpperCase());
  return `${verdict.isMade ? "Made" : "Declined"}: ${sentences}`;
}

type Sentence = (verdict: EditVerdict) => string;

const SENTENCES: Readonly<Record<VerdictReason, Sentence>> = {
  atBirth: ({ price }) => `never sent, so nothing is written again. ${renderSaving(price)}.`,
  cold: ({ price }) => `the cache is cold and everything is written again anyway. ${renderSaving(price)}.`,
  ridesAlong: ({ price }) =>
    `what stands here is written again anyway, for an edit in front of it. ${renderSaving(price)}.`,
  pays: (verdict) => {
    const { price, edits } = shared(verdict);
    return `${renderRewrite(price, edits)}. ${renderSaving(price)}; ${renderBreakEven(verdict, price)}.`;
  },
  mustFit: (verdict) => {
    const { price, edits } = shared(verdict);
    return `the conversation must fit, whatever it costs. ${renderRewrite(price, edits)}.`;
  },
  savesNothing: () => "it saves nothing.",
  neededAgain: ({ price }) =>
    `fetching it again is expected to cost ${renderMoney(price.recoveryUsd, price.recoveryUnits)}, more than it saves. ${renderSaving(price)}.`,
  doesNotPay: (verdict) => {
    const { price, edits } = shared(verdict);
    return `${renderRewrite(price, edits)}. ${renderSaving(price)}; ${renderBreakEven(verdict, price)}.`;
  },
  withinMargin: (verdict) => {
    const { price, edits } = shared(verdict);
    return `it would pay, but too narrowly to disturb the cache now. ${renderRewrite(price, edits)}; ${renderBreakEven(verdict, price)}.`;
  },
  tooLittle: (verdict) => {
    const { price, edits } = shared(verdict);
    return `it would clear too little for a rewriting: ${renderTokens(price.savedTokens)}. ${renderRewrite(price, edits)}.`;
  },
  alreadySent: ({ price }) =>
    `it was sent before and waits for a boundary; changing it now would write ${renderTokens(price.rewrittenTokens)} again.`,
};

function shared({ set, price }: EditVerdict): { readonly price: EditPrice; readonly edits: number } {
  return set ?? { price, edits: 1 };
}

function renderRewrite(price: EditPrice, edits: number): string {
  const who = edits > 1 ? `${edits} edits together write` : "it writes";
  return `${who} ${renderTokens(price.rewrittenTokens)} again, once, for ${renderMoney(price.rewriteUsd, price.rewriteUnits)}`;
}

function renderSaving(price: EditPrice): string {
  return `Every later request carries ${renderTokens(price.savedTokens)} less, ${renderMoney(price.savedUsdPerRequest, price.savedUnitsPerRequest)} each`;
}

function renderBreakEven({ expectedRequests }: EditVerdict, price: EditPrice): string {
  if (!Number.isFinite(price.breakEvenRequests)) return "it never pays";
  const net = renderMoney(price.expectedNetUsd, price.expectedNetUnits);
  return `paid after ${renderRequests(price.breakEvenRequests)} of ${Math.round(expectedRequests)} expected, net ${net}`;
}

function renderRequests(requests: number): string {
  const whole = Math.ceil(requests);
  return whole === 1 ? "1 request" : `${whole} requests`;
}

/** Dollars where there are any, else what it is worth in tokens at the input price. */
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
