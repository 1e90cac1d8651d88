/** Follows lines of Markdown and knows whether the place reached is inside code. */
export interface FenceTracker {
  step(character: string): void;
  /** Inside a fence, on a line that opens or closes one, or after an odd number of backticks on the line. */
  isCode(): boolean;
  /** The line so far, at most as much of it as can matter. */
  line(): string;
}

/** Fences stand at the beginning of a line, after quotation marks and list markers. */
const LINE_CHARACTERS = 64;
const OPENING = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

export function createFenceTracker(): FenceTracker {
  let fence = "";
  let line = "";
  let lineLength = 0;
  let backticks = 0;

  /** A backtick after the mark means code within a line: ```like this```. */
  const findOpening = (): string => {
    const mark = OPENING.exec(line)?.[1] ?? "";
    return mark.startsWith("~") || backticks === mark.length ? mark : "";
  };

  const endLine = (): void => {
    if (fence === "") fence = findOpening();
    else if (lineLength <= LINE_CHARACTERS) {
      const mark = CLOSING.exec(line)?.[1] ?? "";
      if (mark.startsWith(fence)) fence = "";
    }
    line = "";
    lineLength = 0;
    backticks = 0;
  };

  return {
    step: (character) => {
      if (character === "\n") return endLine();
      if (lineLength < LINE_CHARACTERS) line += character;
      lineLength++;
      if (character === "`") backticks++;
    },
    isCode: () => fence !== "" || backticks % 2 === 1 || findOpening() !== "",
    line: () => (lineLength <= LINE_CHARACTERS ? line : ""),
  };
}
