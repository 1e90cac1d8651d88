/** One thing that is asked for: a stored original or lines of a ledger by digits, or a call by its id. */
export interface Wanted {
  /** As it is named in the answer. */
  readonly name: string;
  /** Of the hash; `undefined` where only a call can be meant. */
  readonly digits: string | undefined;
  /** `12`, `12i` or `thoughts` of a stretch of ledger; both ends of a range of its lines. */
  readonly section: string | undefined;
  readonly range: readonly [number, number] | undefined;
}

const ORIGINAL = /^(?:plimsoll:)?([0-9a-f]{6,64})(?:#(.*))?$/i;
const RANGE = /^(\d{1,9})(?:-|\.\.)#?(\d{1,9})$/;
/** A list that was written as text, as JSON or bare. */
const BETWEEN = /[\s,;"'`[\]]+/;

/**
 * Handles as a model writes them: one, several in a text, or a list. `#7` alone goes on with the digits before it:
 * `plimsoll:1a2b3c4d5e6f#3, #7-9`.
 */
export function parseHandles(texts: readonly string[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  let digits: string | undefined;
  for (const token of texts.flatMap((text) => text.split(BETWEEN)).filter((part) => part !== "")) {
    const goesOn = token.startsWith("#") && digits !== undefined;
    const one = parseHandle(goesOn ? `plimsoll:${digits}${token}` : token);
    if (one.digits !== undefined) digits = one.digits;
    wanted.set(one.name, one);
  }
  return [...wanted.values()];
}

function parseHandle(name: string): Wanted {
  const [, digits, after] = ORIGINAL.exec(name) ?? [];
  const call: Wanted = { name, digits: undefined, section: undefined, range: undefined };
  if (digits === undefined) return call;
  const original = { ...call, digits: digits.toLowerCase() };
  if (after === undefined) return original;
  const [, first, last] = RANGE.exec(after) ?? [];
  if (first !== undefined && last !== undefined) {
    const ends = [Number(first), Number(last)];
    return { ...original, range: [Math.min(...ends), Math.max(...ends)] };
  }
  return { ...original, section: after };
}
