import { clipLine } from "../../core/clip-text.ts";
import { findHandles } from "../../fold/marker.ts";

/** What a layer has left in the place of something larger begins so; it is never shortened again. */
export const CLEARED = "[CLEARED: ";
const FOLDED = "[FOLDED: ";

/**
 * The way back is at the end, and a preview is shorter than what it says it is in the place of: an output that only begins like a marker,
 * such as a log of ours that a command prints, is none.
 */
export function isMarker(text: string): boolean {
  if (!text.startsWith(FOLDED) && !text.startsWith(CLEARED)) return false;
  return findHandles(text.slice(-1000)).length > 0 && (text.startsWith(CLEARED) || isShorter(text));
}

function isShorter(text: string): boolean {
  const characters = /^\[FOLDED: [^\n]* (\d+) chars\]/.exec(text.slice(0, 300))?.[1];
  return characters !== undefined && text.length < Number(characters);
}

/** One line, clipped. */
export function renderLine(text: string, maxCharacters: number): string {
  // Cut before the spaces are joined: what is clipped away is not worth walking through.
  return clipLine(text.slice(0, maxCharacters * 4), maxCharacters);
}
