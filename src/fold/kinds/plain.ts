import type { Excerpt } from "../excerpt.ts";
import type { Kind } from "../kind.ts";

/** Anything else: how it begins, how it ends, whatever looks like trouble, and some of what lies between. */
export const plainKind: Kind = {
  name: "plain",
  names: "pathsAndWords",
  recognise: () => 0,
  outline({ lines }) {
    const filled = lines.flatMap((text, line) => (text.trim() === "" ? [] : [{ line, text }]));
    const stride = Math.max(1, Math.floor(filled.length / 16));
    return filled.map(({ line, text }, index): Excerpt => {
      const fromEnd = filled.length - 1 - index;
      if (TROUBLE.test(text)) return { line, text, weight: 74 };
      if (index < 6) return { line, text, weight: 84 - index };
      if (fromEnd < 4) return { line, text, weight: 80 - fromEnd };
      return { line, text, weight: index % stride === 0 ? 40 : 12, cut: 120 };
    });
  },
};

const TROUBLE =
  /\b(?:[Ee]rror|ERROR|[Ff]atal|[Pp]anic|[Ee]xception|[Ff]ail|FAIL|[Cc]annot|[Dd]enied|[Ww]arning|[Tt]otal)/;
