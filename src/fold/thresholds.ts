/** When an output is folded. These are the documented limits. */
export const DEFAULT_LIMITS = {
  characters: 4000,
  lines: 120,
  /** From this many outputs of one command class on, they are folded into one artifact. */
  outputsOfOneClass: 5,
  codeBlockLines: 200,
  leastCharacters: 1000,
};

/** Characters that replace an output, marker included. */
export const DEFAULT_BUDGET = 1200;

/** The budget of one of several that share an artifact: five take about as much as two single previews. */
export const MEMBER_BUDGET = 480;

/**
 * The least a fold must save, about 350 tokens: fetching the original costs as much, call and answer. Of 1,041 results above the limits in
 * recorded sessions none saves less.
 */
export const LEAST_SAVED_CHARACTERS = 1000;

/** Assumes that the whole budget is used, so the saving is certain. */
export function isWorthFolding(text: string, budget: number): boolean {
  return text.length >= budget + LEAST_SAVED_CHARACTERS;
}

export function exceeds(
  text: string,
  { characters, lines }: { readonly characters: number; readonly lines: number } = DEFAULT_LIMITS,
): boolean {
  return text.length > characters || countLines(text) > lines;
}

/** As an editor counts: a final line feed starts no further line, an empty text has none. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
