import { priceCarried } from "../../models/economics/spend.ts";
import type { InjectedWhat } from "../actions/own-action.ts";

export interface Injected {
  readonly what: InjectedWhat;
  readonly atMs: number;
  readonly characters: number;
  readonly tokens: number;
  readonly model: string;
}

/** A session's requests and compactions, both in order of time. */
export interface Requests {
  readonly requests: readonly { readonly atMs: number; readonly model: string }[];
  readonly compactionsMs: readonly number[];
}

export interface PricedInjection {
  readonly what: InjectedWhat;
  readonly tokens: number;
  readonly characters: number;
  /** Requests that carried it: from the next one to the last before a compaction removed it. */
  readonly requests: number;
  /** Written to the prompt cache once, read from it in every later request; 0 if the model has no known price. */
  readonly usd: number;
  readonly isPriced: boolean;
}

/** These go only into the summariser's request, which is not recorded. */
const ONCE: ReadonlySet<InjectedWhat> = new Set(["preservation", "packet"]);

export function priceInjection(injected: Injected, { requests, compactionsMs }: Requests): PricedInjection {
  const { what, atMs, tokens, characters } = injected;
  const endMs = compactionsMs.find((compactedMs) => compactedMs > atMs) ?? Number.POSITIVE_INFINITY;
  const carried = ONCE.has(what)
    ? [{ model: injected.model }]
    : requests.filter((request) => request.atMs > atMs && request.atMs < endMs);
  const named = carried.map(({ model }) => ({ model: model || injected.model }));
  return { what, tokens, characters, requests: carried.length, ...priceCarried(tokens, named) };
}

export interface InjectionTotal extends Omit<PricedInjection, "what"> {
  readonly what: InjectedWhat | "total";
  readonly times: number;
  /** The dollars are a lower bound: some of it has no price. */
  readonly isAtLeast: boolean;
}

/** Totals by what was injected, the most expensive first. */
export function totalInjections(priced: readonly PricedInjection[]): readonly InjectionTotal[] {
  const kinds = [...new Set(priced.map(({ what }) => what))];
  return kinds
    .map((what) =>
      sumInjections(
        what,
        priced.filter((entry) => entry.what === what),
      ),
    )
    .sort((left, right) => right.usd - left.usd || right.tokens - left.tokens);
}

export function sumInjections(what: InjectionTotal["what"], entries: readonly PricedInjection[]): InjectionTotal {
  const sum = (field: "tokens" | "characters" | "requests" | "usd"): number =>
    entries.reduce((total, entry) => total + entry[field], 0);
  const isPriced = entries.every((entry) => entry.isPriced);
  return {
    what,
    times: entries.length,
    characters: sum("characters"),
    tokens: sum("tokens"),
    requests: sum("requests"),
    usd: sum("usd"),
    isPriced,
    isAtLeast: !isPriced,
  };
}
