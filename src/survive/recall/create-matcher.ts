import { createPatternMatcher } from "../../core/pattern/create-pattern-matcher.ts";

const MAX_PATTERN = 500;

/**
 * Whether a line matches what a model asks for. An expression that we cannot match in a time that anyone waits (references to
 * groups, lookaround, a repetition of thousands) is taken for the words in it, which a line must hold all of; what is no regular
 * expression at all for itself.
 */
export function createMatcher(pattern: string): (line: string) => boolean {
  const short = pattern.slice(0, MAX_PATTERN);
  return createPatternMatcher(short, "i") ?? createWordMatcher(short);
}

function createWordMatcher(pattern: string): (line: string) => boolean {
  const low = pattern.toLowerCase();
  const words = isExpression(pattern) ? (low.match(/[\p{L}\p{N}_]+/gu) ?? [low]) : [low];
  return (line) => {
    const text = line.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, "i");
    return true;
  } catch {
    return false;
  }
}
