const MAX_PATTERN = 500;
/** Lines are looked at in windows: what a pattern can cost grows with the cube of their length at most. */
const WINDOW = 300;
const OVERLAP = 100;
const MAX_REPETITIONS = 3;

/**
 * A pattern that could take longer than anyone waits (a repeated group, many repetitions) is taken for the words in it, which
 * a line must hold all of; what is no regular expression at all for itself.
 */
export function createMatcher(pattern: string): (line: string) => boolean {
  const short = pattern.slice(0, MAX_PATTERN);
  const expression = parseExpression(short);
  if (expression && isHarmless(short)) return (line) => cutWindows(line).some((part) => expression.test(part));
  const low = short.toLowerCase();
  const words = expression ? (low.match(/[\p{L}\p{N}_]+/gu) ?? [low]) : [low];
  return (line) => {
    const text = line.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function isHarmless(pattern: string): boolean {
  const repetitions = pattern.match(/[*+]|\{\d*,?\d*\}/g) ?? [];
  return repetitions.length <= MAX_REPETITIONS && !/\)\s*[*+?{]|\\[1-9k]/.test(pattern);
}

function parseExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "i");
  } catch {
    return undefined;
  }
}

function cutWindows(line: string): readonly string[] {
  if (line.length <= WINDOW) return [line];
  const windows: string[] = [];
  for (let from = 0; from < line.length; from += WINDOW - OVERLAP) windows.push(line.slice(from, from + WINDOW));
  return windows;
}
