import type { OwnAction } from "../policy/actions/own-action.ts";

type Percentiles = Readonly<Record<"p10" | "median" | "p90" | "most", number>>;

/** The figures of one's own compactions: what was there, what was left, and how often. */
type CompactionFigures = Readonly<
  Record<"count" | "byPlimsoll" | "sessions", number> &
    Record<"before" | "after" | "cut" | "record" | "milliseconds", Percentiles>
>;

/** Of all sessions, one list of actions for each. */
export function measureCompactions(sessions: readonly (readonly OwnAction[])[]): CompactionFigures {
  const found = sessions.map((actions) => actions.filter((action) => action.kind === "compacted"));
  const all = found.flat();
  return {
    count: all.length,
    byPlimsoll: all.filter(({ by }) => by === "plimsoll").length,
    sessions: found.filter((actions) => actions.length > 0).length,
    before: rank(all.map(({ tokensBefore }) => tokensBefore)),
    after: rank(all.map(({ tokensAfter }) => tokensAfter)),
    cut: rank(all.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter)),
    record: rank(all.flatMap(({ recordTokens }) => recordTokens ?? [])),
    milliseconds: rank(all.flatMap(({ by, ms }) => (by === "plimsoll" ? [ms] : []))),
  };
}

/** By nearest rank: every figure was measured. */
function rank(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p10: at(0.1), median: at(0.5), p90: at(0.9), most: sorted.at(-1) ?? 0 };
}
