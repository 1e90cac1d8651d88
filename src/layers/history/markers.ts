import { clipLine } from "../../core/clip-text.ts";
import { findHandles } from "../../fold/marker.ts";

/** What a layer has left in the place of something larger begins so; it is never shortened again. */
export const CLEARED = "[CLEARED: ";
const FOLDED = "[FOLDED: ";

/** The way back stands at the end: a long text that only begins with a quoted marker is no marker. */
export function isMarker(text: string): boolean {
  return (text.startsWith(FOLDED) || text.startsWith(CLEARED)) && findHandles(text.slice(-1000)).length > 0;
}

/** One line, clipped. */
export function renderLine(text: string, maxCharacters: number): string {
  // Cut before the spaces are joined: what is clipped away is not worth walking through.
  return clipLine(text.slice(0, maxCharacters * 4), maxCharacters);
}
