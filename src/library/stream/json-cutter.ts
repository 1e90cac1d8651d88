import type { Cutter } from "./cutter.ts";

/** Cuts after the brace or bracket that closes a value at the top; whatever stands between values goes with the next one. */
export function createJsonCutter(): Cutter {
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const stepInString = (character: string): void => {
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = true;
    else if (character === '"') isInString = false;
  };

  return {
    step: (character) => {
      length++;
      if (isInString) stepInString(character);
      else if (character === '"') isInString = depth > 0;
      else if (character === "{" || character === "[") depth++;
      else if ((character === "}" || character === "]") && depth > 0 && --depth === 0) {
        const ready = length;
        length = 0;
        return ready;
      }
      return 0;
    },
  };
}
