import type { Series } from "../wire.ts";

/** Just before a compaction the window still holds what it held: a cliff, and no slope, in front of it. */
const CLIFF = 0.001;

/** Places of the series in the order they are drawn, with the place before each compaction once more. */
export function listPagePlaces({
  requests,
  marks,
}: Series): readonly { readonly request: number; readonly place: number }[] {
  const compacted = new Set(marks.filter(({ kind }) => kind === "compaction").map(({ request }) => request));
  return requests.flatMap((request, place) => {
    const here = { request, place };
    return place > 0 && compacted.has(request) ? [{ request: request - CLIFF, place: place - 1 }, here] : [here];
  });
}
