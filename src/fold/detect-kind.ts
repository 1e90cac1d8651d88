import { KINDS, PLAIN } from "./catalogue.ts";
import type { Hint } from "./hint.ts";
import type { Kind, Sample } from "./kind.ts";
import type { Sheet } from "./sheet.ts";

/** Below this no kind is sure enough of itself. */
const LEAST_CONFIDENCE = 0.3;
const FIRST_LINES = 40;
const MIDDLE_LINES = 16;
const LAST_LINES = 16;
const SAMPLE_CUT = 200;

/** What a text is. The surest kind wins; between equals the one that comes first in the catalogue. */
export function recogniseSheet(sheet: Sheet, hint: Hint): Kind {
  const sample = takeSample(sheet);
  let best = PLAIN;
  let confidence = LEAST_CONFIDENCE;
  for (const kind of KINDS) {
    const found = kind.recognise(sample, hint);
    if (found > confidence) {
      best = kind;
      confidence = found;
    }
  }
  return best;
}

function takeSample({ text, lines, isNumbered }: Sheet): Sample {
  const middle = Math.max(FIRST_LINES, Math.floor(lines.length / 2) - MIDDLE_LINES / 2);
  const picked = [
    ...lines.slice(0, FIRST_LINES),
    ...lines.slice(middle, middle + MIDDLE_LINES),
    ...lines.slice(Math.max(middle + MIDDLE_LINES, lines.length - LAST_LINES)),
  ];
  return {
    lines: picked
      .filter((line) => line.trim() !== "")
      .map((line) => (line.length > SAMPLE_CUT ? line.slice(0, SAMPLE_CUT) : line)),
    start: text.slice(0, 1000).trimStart(),
    size: text.length,
    isNumbered,
  };
}
