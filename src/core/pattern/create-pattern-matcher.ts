import { createAutomaton } from "./automaton.ts";
import { compilePattern } from "./compile-pattern.ts";
import { type PatternFlags, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Whether a text holds a match of a regular expression, in time that grows with the text alone: patterns come from models, and the
 * language's own engine takes for ever over some of a few characters. `undefined` where it is no expression, or one that we
 * cannot promise this of.
 */
export function createPatternMatcher(pattern: string, flags: PatternFlags): ((text: string) => boolean) | undefined {
  const tree = parsePattern(pattern, flags);
  if (!tree) return undefined;
  if (isPlain(tree)) {
    const expression = new RegExp(pattern, flags);
    return (text) => expression.test(text);
  }
  const program = compilePattern(tree, flags);
  return program && createAutomaton(program, flags).isMatch;
}

/** Words, and words or other words: without a repetition or a choice within, the language's own engine has nothing to go back to. */
function isPlain(tree: PatternNode): boolean {
  const options = tree.kind === "either" ? tree.options : [tree];
  return options.every(
    (option) => option.kind === "sequence" && option.parts.every(({ kind }) => kind === "atom" || kind === "assert"),
  );
}
