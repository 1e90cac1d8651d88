/** When an output is folded. The numbers are the documented ones; whoever wants others passes others. */
export interface FoldLimits {
  /** More characters than this. */
  readonly characters: number;
  /** More lines than this. */
  readonly lines: number;
  /** This many outputs of one command class, or more, are folded into one artifact. */
  readonly outputsOfOneClass: number;
  /** A code block inside a message of more lines than this. */
  readonly codeBlockLines: number;
  /** Nothing shorter is ever folded. */
  readonly leastCharacters: number;
}

export const DEFAULT_LIMITS: FoldLimits = {
  characters: 4000,
  lines: 120,
  outputsOfOneClass: 5,
  codeBlockLines: 200,
  leastCharacters: 1000,
};

/** Characters that stand in the place of an output, marker included. */
export const DEFAULT_BUDGET = 1200;

/** And in the place of one of several that share an artifact: five together take about what two single previews take. */
export const MEMBER_BUDGET = 480;

/**
 * What a fold must save at least, about 350 tokens: fetching the original again costs as much, call and answer. Of 1,041 results
 * above the limits in recorded sessions none saves less.
 */
export const LEAST_SAVED_CHARACTERS = 1000;

/** Whether enough is saved for certain: the whole budget may be used. */
export function isWorthFolding(text: string, budget: number = DEFAULT_BUDGET): boolean {
  return text.length >= budget + LEAST_SAVED_CHARACTERS;
}

/** Why one output alone would be folded; `undefined` where it would not. */
export function exceeds(
  text: string,
  limits: Pick<FoldLimits, "characters" | "lines"> = DEFAULT_LIMITS,
): "characters" | "lines" | undefined {
  if (text.length > limits.characters) return "characters";
  return countLines(text) > limits.lines ? "lines" : undefined;
}

/** As an editor counts them: a line feed at the end starts no further line, an empty text has none. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
