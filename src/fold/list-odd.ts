import type { LineSurvey } from "./survey-lines.ts";

/** Headers have a form of their own, and kinds show how a text begins anyway. */
const OPENING_LINES = 4;

/** At most so many of the lines that stand apart: first those that speak of trouble, last those a text begins with. */
export function listOdd(survey: LineSurvey, most: number): readonly number[] {
  const odd = Array.from({ length: survey.size }, (_, line) => line).filter(survey.isOdd);
  const rank = (line: number): number => (survey.troubleAt(line) ? 0 : line < OPENING_LINES ? 2 : 1);
  return odd.sort((one, other) => rank(one) - rank(other) || one - other).slice(0, most);
}
