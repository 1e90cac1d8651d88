import type { Series } from "../wire.ts";

/** Just before a compaction the window still holds what it held: a cliff, and no slope, in front of it. */
const CLIFF = 0.001;

/** Places of the series in the order they are drawn, with the place before each compaction once more. */
export function listPlaces({ turns, marks }: Series): readonly { readonly turn: number; readonly place: number }[] {
  const compacted = new Set(marks.filter(({ kind }) => kind === "compaction").map(({ turn }) => turn));
  return turns.flatMap((turn, place) => {
    const here = { turn, place };
    return place > 0 && compacted.has(turn) ? [{ turn: turn - CLIFF, place: place - 1 }, here] : [here];
  });
}
