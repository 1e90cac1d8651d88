import type { Excerpt } from "../excerpt.ts";
import type { Kind } from "../kind.ts";
import { renderAlike, surveyLines } from "../survey-lines.ts";

/** Anything else: the beginning, the end, lines that look like trouble or are odd, and samples from between. */
export const plainKind: Kind = {
  name: "plain",
  recognise: () => 0,
  outline({ lines, isPartial }) {
    const survey = surveyLines(lines);
    const filled = lines.flatMap((text, line) => (text.trim() === "" ? [] : [{ line, text }]));
    const last = filled.at(-1)?.line;
    const distinct = filled.filter(({ line }) => survey.isFirst(line) || line === last);
    // Of lines that differ only in numbers, a few samples show the progress.
    const pace = Math.ceil(filled.length / SAMPLES);
    const samples = filled.filter(({ line }, index) => index % pace === 0 && !survey.isFirst(line) && line !== last);
    const stride = Math.max(1, Math.floor(distinct.length / 16));
    const shown = { error: 0, warning: 0, odd: 0 };
    const excerpts = distinct.map(({ line, text }, index): Excerpt => {
      const remark = survey.isFirst(line) ? renderAlike(survey.countLike(line), isPartial) : "";
      const piece = { line, text, remark };
      const fromEnd = distinct.length - 1 - index;
      if (index === 0) return { ...piece, weight: 94 };
      if (fromEnd === 0) return { ...piece, weight: 89 };
      const reason = survey.troubleAt(line) ?? (survey.isOdd(line) ? "odd" : undefined);
      if (reason !== undefined && (survey.isOdd(line) || shown[reason]++ < MOST[reason]))
        return { ...piece, weight: WEIGHTS[reason] + (survey.isOdd(line) ? 3 : 0) };
      if (index < 6) return { ...piece, weight: 84 - index };
      if (fromEnd < 4) return { ...piece, weight: 80 - fromEnd };
      if (reason !== undefined || TOTAL.test(text)) return { ...piece, weight: 74 };
      return { ...piece, weight: index % stride === 0 ? 40 : 12, cut: 120 };
    });
    const seen = new Set(distinct.map(({ text }) => text));
    return [
      ...excerpts,
      ...samples.filter(({ text }) => !seen.has(text)).map(({ line, text }) => ({ line, text, weight: 6, cut: 120 })),
    ];
  },
};

const SAMPLES = 3;
const WEIGHTS = { error: 88, warning: 85, odd: 84 } as const;
/** Beyond this, the beginning and end of a text say more than further trouble. */
const MOST = { error: 3, warning: 2, odd: 0 } as const;
const TOTAL = /\b[Tt]otal/;
