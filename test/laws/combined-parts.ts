/** An artifact of several outputs, read by its own words: each header tells how long its part is. */

const ARTIFACT_HEADER_LINES = 4;

export interface CombinedPart {
  /** In the readable file, below its header. */
  readonly firstLine: number;
  readonly text: string;
}

/** The parts; none for a text that is no such artifact. */
export function listCombinedParts(whole: string): readonly CombinedPart[] {
  const parts: CombinedPart[] = [];
  for (let at = 0, line = 1 + ARTIFACT_HEADER_LINES; at < whole.length; ) {
    const [header, length] = /^## \d+\/\d+ \((\d+) chars\)[^\n]*\n/.exec(whole.slice(at)) ?? [];
    if (header === undefined) return [];
    const text = whole.slice(at + header.length, at + header.length + Number(length));
    parts.push({ firstLine: line + 1, text });
    at += header.length + text.length + 2;
    line += text.split("\n").length + 2;
  }
  return parts;
}

/** What a marker stands for: the part whose lines it names, otherwise all that its handle gives. */
export function choosePart(marker: string, whole: string): string {
  const first = /^Full output: \S+ lines (\d+)-\d+ \(plimsoll:/m.exec(marker)?.[1];
  if (first === undefined) return whole;
  return listCombinedParts(whole).find(({ firstLine }) => firstLine === Number(first))?.text ?? whole;
}
