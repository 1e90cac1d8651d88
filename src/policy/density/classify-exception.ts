export type DensityException = "security" | "irreversible" | "sequence" | "clarify" | "diagnosis";

/** What is known about the next response before it is written. */
interface ResponseOccasion {
  readonly prompt: string;
  /** The user said the same before. Someone who has to repeat was not understood. */
  readonly isRepeated?: boolean;
  readonly pendingCommands?: readonly string[];
}

/** Commands, and sentences about them, that cannot be undone. */
const IRREVERSIBLE: readonly RegExp[] = [
  /\brm\s{1,4}(?:-{1,2}[\w-]{1,20}\s{1,4}){0,4}-(?:[a-z]{0,6}r[a-z]{0,6}f|[a-z]{0,6}f[a-z]{0,6}r|r\b|-recursive)/i,
  /\bgit\s{1,4}push\b[^\n;|&]{0,200}?\s(?:-f\b|--force)/i,
  /\bforce[- ]?push/i,
  /\bgit\s{1,4}(?:reset\s{1,4}--hard|clean\s{1,4}-\w{0,6}f|filter-(?:branch|repo))/i,
  /\b(?:drop|truncate)\s{1,4}(?:table|database|schema)\b/i,
  /\b(?:terraform|tofu|pulumi)\s{1,4}destroy\b|\bkubectl\s{1,4}delete\b|\bmkfs\b|\bdd\s{1,4}[^\n]{0,80}?\bof=/i,
  /\b(?:deploy|release|push|ship|roll\s?out)\w{0,4}\b[^\n.]{0,40}?\b(?:to|on|into)\s{1,4}prod(?:uction)?\b|\bprod(?:uction)?\s{1,4}deploy/i,
  /\b(?:irreversibl[ey]|cannot be undone|can't be undone|permanently delete)/i,
];

const SECURITY =
  /\b(?:security|vulnerabilit(?:y|ies)|CVE-\d{4}|exploit\w{0,5}|(?:sql|command|prompt) injection|XSS|CSRF|SSRF|RCE|path traversal|leaked? (?:key|secret|token|credential|password)s?|exposed (?:key|secret|token|credential|password)s?)\b/i;

const CLARIFY =
  /\b(?:explain|clarify|elaborate|rephrase|in (?:more )?detail|what do you mean|(?:do not|don['’]?t|did not|didn['’]?t) (?:understand|get it|follow)|say (?:that|it) again|repeat (?:that|it|yourself|the)|come again|once more)\b/i;

const DIAGNOSIS =
  /\b(?:root[- ]causes?|diagnos\w{1,6}|post-?mortem|why (?:did|does|do|is|was|are|were) [^\n?]{0,80}?(?:fail|break|broke|crash|hang|wrong|slow|red|flaky)\w{0,4})\b/i;

const SEQUENCE =
  /\b(?:step[- ]by[- ]step|steps? (?:to|for|in order)|in (?:this|which|what|the right) order|runbook|walk me through|migration plan|how do I (?:install|set up|migrate|upgrade|roll back))\b/i;

/** The most important reason, or none. Irreversible commands are also searched for in code, where they usually are; the rest only in prose. */
export function classifyException(occasion: ResponseOccasion): DensityException | undefined {
  const { prompt, pendingCommands = [], isRepeated = false } = occasion;
  if ([prompt, ...pendingCommands].some((text) => IRREVERSIBLE.some((pattern) => pattern.test(text))))
    return "irreversible";
  const asked = keepProse(prompt);
  if (SECURITY.test(asked)) return "security";
  if (DIAGNOSIS.test(asked)) return "diagnosis";
  if (isRepeated || CLARIFY.test(asked)) return "clarify";
  return SEQUENCE.test(asked) ? "sequence" : undefined;
}

/** A segment of text that is either prose or verbatim. All segments joined give the text back. */
export interface VerbatimSpan {
  readonly text: string;
  readonly isVerbatim: boolean;
}

/** A fence opens with three or more of one mark, and closes with at least as many, or never. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lines that are data as a whole: indented code, tables, quotations, diffs, shell prompts. */
const DATA_LINE = /^(?: {4}|\t|\s{0,3}[|>]|[-+]{3} |@@ |\$ )/;
/** Errors are quoted, not paraphrased, so an error line stays verbatim from end to end. */
const ERROR_LINE: readonly RegExp[] = [
  /\b\w{0,60}(?:Error|Exception|Warning)\b/,
  /\b(?:error|fatal|panic|warning|failed|traceback)\b[ \w]{0,20}[:[(]/i,
  /^\s{0,40}at \S/,
  /\bE[A-Z]{4,20}\b/,
];
/** Inline code in one or two backticks, and quoted text, within one line. */
const QUOTED = /``[^\n]*?``|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|(?<![\w'])'[^'\n]*'(?!\w)/g;

/** `withErrorLines`: whether an error line counts as verbatim. A user's request may be on one. */
export function splitVerbatim(text: string, { withErrorLines }: { withErrorLines: boolean }): readonly VerbatimSpan[] {
  const spans: VerbatimSpan[] = [];
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    const isData = DATA_LINE.test(line) || (withErrorLines && ERROR_LINE.some((pattern) => pattern.test(line)));
    if (fence !== "" || mark !== "" || isData) spans.push({ text: line, isVerbatim: true });
    else for (const span of splitLine(line)) spans.push(span);
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
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

/** Keeps only the prose: each verbatim segment becomes a mark that matches no word and joins no two words. */
export function keepProse(text: string): string {
  return splitVerbatim(text, { withErrorLines: false })
    .map((span) => (span.isVerbatim ? " ¶ " : span.text))
    .join("");
}
