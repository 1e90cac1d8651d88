import { clipLine } from "../../core/clip-text.ts";
import { findHandles } from "../../fold/marker.ts";

/** A replacement by a layer starts with this; it is never shortened again. */
export const CLEARED = "[CLEARED: ";
const FOLDED = "[FOLDED: ";

/** The handle is at the end, and the preview is shorter than the original. A printed log of ours that only begins like a marker does not count. */
export function isMarker(text: string): boolean {
  if (!text.startsWith(FOLDED) && !text.startsWith(CLEARED)) return false;
  return findHandles(text.slice(-1000)).length > 0 && (text.startsWith(CLEARED) || isShorter(text));
}

function isShorter(text: string): boolean {
  const characters = /^\[FOLDED: [^\n]* (\d+) chars\]/.exec(text.slice(0, 300))?.[1];
  return characters !== undefined && text.length < Number(characters);
}

export function renderLine(text: string, maxCharacters: number): string {
  // Cut before joining spaces, so that the clipped part is not walked through.
  return clipLine(text.slice(0, maxCharacters * 4), maxCharacters);
}
