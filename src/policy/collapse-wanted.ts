import type { Settings } from "./settings/settings.ts";

/** Make it, say that it would pay, or leave everything as it is. */
export type Wanted = "make" | "tell" | "nothing";

/** What the person wants done about a collapse that is due. Their own line comes before what they think of the price. */
export function decideWanted(
  { early, compaction, lineTokens }: Pick<Settings, "early" | "compaction" | "lineTokens">,
  contextTokens: number,
): Wanted {
  if (lineTokens !== null && contextTokens >= lineTokens) return "make";
  if (compaction === "native" || early === "off") return "nothing";
  return early === "price" ? "make" : "tell";
}
