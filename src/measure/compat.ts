/** The seed projects' rules of thumb, kept exact for comparison. Nothing is decided by them: see `reading.ts`. */

/** Four characters per token, rounded down: under-counts code by 30 % on older models and by half on newer ones. */
export function estimateCompatTokens(characters: number): number {
  return Math.floor(characters * 0.25);
}

const TOKENS_BY_EFFECT = { read: 500, run: 1000, write: 2000 } as const;

const EFFECTS: readonly (readonly [RegExp, keyof typeof TOKENS_BY_EFFECT])[] = [
  [/^(?:Write|Edit|MultiEdit|NotebookEdit)$/, "write"],
  [/^(?:Bash|PowerShell|BashOutput|Task|Agent)$|^mcp__/, "run"],
];

/** A weight per tool call plus the messages: the median is 0.43 of the recorded usage. */
export function estimateByToolWeights(callsByTool: Readonly<Record<string, number>>, messageTokens: number): number {
  return Object.entries(callsByTool).reduce((total, [tool, calls]) => {
    const effect = EFFECTS.find(([pattern]) => pattern.test(tool))?.[1] ?? "read";
    return total + calls * TOKENS_BY_EFFECT[effect];
  }, messageTokens);
}
