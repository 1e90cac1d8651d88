import type { Excerpt } from "../excerpt.ts";
import type { Kind } from "../kind.ts";
import { renderRepeated } from "../render-repeated.ts";
import { surveyLines } from "../survey-lines.ts";

/** Anything else: how it begins, how it ends, whatever looks like trouble or stands apart, and some of what lies between. */
export const plainKind: Kind = {
  name: "plain",
  names: "pathsAndWords",
  recognise: () => 0,
  outline({ lines, isPartial }) {
    const survey = surveyLines(lines);
    const filled = lines.flatMap((text, line) => (text.trim() === "" ? [] : [{ line, text }]));
    const last = filled.at(-1)?.line;
    const distinct = filled.filter(({ line }) => survey.isFirst(line) || line === last);
    const stride = Math.max(1, Math.floor(distinct.length / 16));
    return distinct.map(({ line, text: whole }, index): Excerpt => {
      const text = survey.isFirst(line) ? renderRepeated(whole, survey.countLike(line), isPartial) : whole;
      const fromEnd = distinct.length - 1 - index;
      const trouble = survey.troubleAt(line);
      if (index === 0) return { line, text, weight: 94 };
      if (trouble !== undefined) return { line, text, weight: (trouble === "error" ? 88 : 85) + (survey.isOdd(line) ? 4 : 0) };
      if (survey.isOdd(line)) return { line, text, weight: 86 };
      if (index < 6) return { line, text, weight: 84 - index };
      if (fromEnd < 4) return { line, text, weight: 80 - fromEnd };
      return { line, text, weight: TOTAL.test(text) ? 74 : index % stride === 0 ? 40 : 12, cut: 120 };
    });
  },
};

const TOTAL = /\b[Tt]otal/;
