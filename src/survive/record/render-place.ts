import type { EditPlace } from "./locate-edit.ts";

/** `; the last change was at src/a.ts:12 (parseLine)`, as much of it as is known. */
export function renderPlace(place: EditPlace | undefined): string {
  return place && !isScratch(place) ? `; the last change was at ${renderAddress(place)}` : "";
}

/** Written to be thrown away: nobody goes on from there. */
function isScratch({ path }: EditPlace): boolean {
  return /(?:^|[\\/])(?:te?mp|scratchpad|\.claude[\\/](?:plans|projects))[\\/]/i.test(path);
}

export function renderAddress({ path, line, symbol }: EditPlace): string {
  return `${path}${line === undefined ? "" : `:${line}`}${symbol === "" ? "" : ` (${symbol})`}`;
}
