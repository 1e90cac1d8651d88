/** A stretch of text, either prose or something whose bytes carry meaning. Stretches joined give the text back. */
export interface VerbatimSpan {
  readonly text: string;
  readonly isVerbatim: boolean;
}

/** A fence opens with three or more of one mark and closes with at least as many, or never. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lines that are data as a whole: indented code, tables, quotations, diffs, prompts of a shell. */
const DATA_LINE = /^(?: {4}|\t|\s{0,3}[|>]|[-+]{3} |@@ |\$ )/;
/** Errors are quoted, not paraphrased: the line of one is left alone from end to end. */
const ERROR_LINE: readonly RegExp[] = [
  /\b\w{0,60}(?:Error|Exception|Warning)\b/,
  /\b(?:error|fatal|panic|warning|failed|traceback)\b[ \w]{0,20}[:[(]/i,
  /^\s{0,40}at \S/,
  /\bE[A-Z]{4,20}\b/,
];
/** Inline code by runs of one or two backticks, and what stands between quotation marks, within one line. */
const QUOTED = /``[^\n]*?``|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|(?<![\w'])'[^'\n]*'(?!\w)/g;

export interface SplitOptions {
  /** Whether a line that tells of an error counts as verbatim. A person's request may stand on one. */
  readonly withErrorLines: boolean;
}

export function splitVerbatim(text: string, { withErrorLines }: SplitOptions): readonly VerbatimSpan[] {
  const spans: VerbatimSpan[] = [];
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "") {
      spans.push({ text: line, isVerbatim: true });
      if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    } else if (mark !== "") {
      spans.push({ text: line, isVerbatim: true });
      fence = mark;
    } else if (DATA_LINE.test(line) || (withErrorLines && ERROR_LINE.some((pattern) => pattern.test(line))))
      spans.push({ text: line, isVerbatim: true });
    else for (const span of splitLine(line)) spans.push(span);
  }
  return spans;
}

function splitLine(line: string): readonly VerbatimSpan[] {
  const spans: VerbatimSpan[] = [];
  let from = 0;
  for (const match of line.matchAll(QUOTED)) {
    if (match.index > from) spans.push({ text: line.slice(from, match.index), isVerbatim: false });
    spans.push({ text: match[0], isVerbatim: true });
    from = match.index + match[0].length;
  }
  if (from < line.length) spans.push({ text: line.slice(from), isVerbatim: false });
  return spans;
}

/** The prose alone: every verbatim stretch becomes a mark that matches no word and joins no two. */
export function keepProse(text: string): string {
  return splitVerbatim(text, { withErrorLines: false })
    .map((span) => (span.isVerbatim ? " ¶ " : span.text))
    .join("");
}
