import { measureDistance } from "../../core/edit-distance.ts";

const MOST = 3;

/** The known handles that a wrong one may have been meant for, the likeliest first. */
export function findNearest(name: string, known: Iterable<string>): readonly string[] {
  const word = strip(name);
  const judged = [...new Set(known)].map((handle) => ({ handle, distance: judge(word, strip(handle)) }));
  judged.sort((one, other) => one.distance - other.distance);
  return judged.slice(0, MOST).map(({ handle }) => handle);
}

/** A handle that was cut short is none that was mistyped. */
function judge(word: string, candidate: string): number {
  if (word.length >= 2 && (candidate.startsWith(word) || word.startsWith(candidate))) return 0;
  return measureDistance(word, candidate);
}

function strip(handle: string): string {
  return handle
    .replace(/^(?:plimsoll|call):/, "")
    .replace(/^toolu_/, "")
    .replace(/#.*$/, "")
    .slice(0, 64);
}
