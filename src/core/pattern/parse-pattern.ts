/** A regular expression as a tree. Captures and greediness do not change whether it matches, so they are not kept. */
export type PatternNode =
  | { readonly kind: "atom"; readonly source: string }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "either"; readonly options: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

export type Assertion = "start" | "end" | "boundary" | "noBoundary";

/**
 * Parses a JavaScript regular expression, which is matched in any case. `undefined` if it is invalid, or needs unbounded memory or a second look at the text:
 * back-references, lookahead and lookbehind.
 */
export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    new RegExp(pattern, "i");
    const reader: Reader = { rest: pattern };
    const tree = readEither(reader);
    return reader.rest === "" ? tree : undefined;
  } catch {
    return undefined;
  }
}

interface Reader {
  rest: string;
}

/** Consumes the match at this position; empty if there is none. */
function take(reader: Reader, expression: RegExp): string {
  const found = expression.exec(reader.rest)?.[0] ?? "";
  reader.rest = reader.rest.slice(found.length);
  return found;
}

function readEither(reader: Reader): PatternNode {
  const options = [readSequence(reader)];
  while (take(reader, /^\|/) !== "") options.push(readSequence(reader));
  const [only] = options;
  return options.length === 1 && only ? only : { kind: "either", options };
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = [];
  while (!/^(?:[|)]|$)/.test(reader.rest)) parts.push(readRepeated(reader));
  return { kind: "sequence", parts };
}

function readRepeated(reader: Reader): PatternNode {
  const part = readOne(reader);
  const sign = take(reader, /^(?:[*+?]|\{\d+(?:,\d*)?\})/);
  if (sign === "") return part;
  take(reader, /^\?/);
  const [least = 0, most = least] = COUNTS[sign] ?? parseCounts(sign);
  return { kind: "repeat", part, least, most };
}

const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, Number.POSITIVE_INFINITY],
  "+": [1, Number.POSITIVE_INFINITY],
  "?": [0, 1],
};

function parseCounts(sign: string): readonly number[] {
  const [least = "", most] = sign.slice(1, -1).split(",");
  return [Number(least), most === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  "^": "start",
  $: "end",
  "\\b": "boundary",
  "\\B": "noBoundary",
};

function readOne(reader: Reader): PatternNode {
  const what = ASSERTIONS[take(reader, /^(?:[\^$]|\\[bB])/)];
  if (what) return { kind: "assert", what };
  if (take(reader, /^\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/) !== "") {
    const inside = readEither(reader);
    if (take(reader, /^\)/) === "") throw new Error("a group without an end");
    return inside;
  }
  const source = take(reader, ATOM);
  if (source === "") throw new Error("nothing that is one character");
  return { kind: "atom", source: /^[*+?{}[\]^$/]$/.test(source) ? `\\${source}` : source };
}

/** Spelled as in JavaScript; anything else after a backslash is a back-reference or unknown. */
const ATOM =
  /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:[dDwWsStnrfv]|0(?!\d)|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[a-zA-Z]|[^\w])|[^\\()|])/;
