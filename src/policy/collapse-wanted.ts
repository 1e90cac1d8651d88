import type { Settings } from "./settings/settings.ts";

/** Make it, say that it would pay, or leave everything as it is. */
export type CollapseWanted = "make" | "tell" | "nothing";

export interface CarriedTokens {
  readonly contextTokens: number;
  /** Where nothing else keeps the window from overflowing; `undefined` where the client compacts by itself. */
  readonly limitTokens: number | undefined;
}

/** What the person wants done about a collapse that is due. Their own line comes before what they think of the price. */
export function decideWanted(
  { early, compaction, lineTokens }: Pick<Settings, "early" | "compaction" | "lineTokens">,
  { contextTokens, limitTokens = Number.POSITIVE_INFINITY }: CarriedTokens,
): CollapseWanted {
  if (lineTokens !== null && contextTokens >= lineTokens) return "make";
  if (compaction === "native") return "nothing";
  if (contextTokens >= limitTokens) return "make";
  if (early === "off") return "nothing";
  return early === "price" ? "make" : "tell";
}
