import { countLines } from "./thresholds.ts";

/** One of several outputs that share an artifact. */
export interface OutputPart {
  readonly title: string;
  readonly output: string;
}

/** Where a part stands in the combined text: what a preview quotes so that the reader opens the right lines. */
export interface PartPlace {
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface CombinedOutput {
  readonly text: string;
  readonly places: readonly PartPlace[];
}

/** Several outputs as one text. Each header tells its part's length, so parts come apart again whatever is in them. */
export function combineOutputs(parts: readonly OutputPart[]): CombinedOutput {
  const places: PartPlace[] = [];
  let text = "";
  let line = 1;
  for (const [index, { title, output }] of parts.entries()) {
    const heading = title.replace(/[\r\n\u2028\u2029]+/g, " ⏎ ");
    text += `## ${index + 1}/${parts.length} (${output.length} chars) ${heading}\n${output}\n\n`;
    const lines = output.split("\n").length;
    places.push({ firstLine: line + 1, lastLine: line + Math.max(1, countLines(output)) });
    line += lines + 2;
  }
  return { text, places };
}

/** The parts again; `undefined` for a text that was not made by `combineOutputs`. */
export function splitCombined(text: string): readonly OutputPart[] | undefined {
  const parts: OutputPart[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const header = /^## \d+\/\d+ \((\d+) chars\) (.*)$/.exec(text.slice(at, end < 0 ? text.length : end));
    if (!header) return undefined;
    const from = end + 1;
    const to = from + Number(header[1]);
    if (text.slice(to, to + 2) !== "\n\n") return undefined;
    parts.push({ title: header[2] ?? "", output: text.slice(from, to) });
    at = to + 2;
  }
  return parts;
}
