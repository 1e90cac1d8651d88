import type { Outcome } from "../../session/action.ts";

export interface EditPlace {
  readonly path: string;
  /** From 1; `undefined` if unknown. */
  readonly line: number | undefined;
  /** The function, class or heading around it; empty if none was found. */
  readonly symbol: string;
  readonly request: number;
}

/** A declaration further up than this does not enclose the change. */
const MAX_LINES_BACK = 400;

/** The line and the enclosing declaration of a change: of the last of the call's `texts` that the file contains now, or of the result's numbered lines. */
export function locateEdit(
  path: string,
  texts: readonly string[],
  { content, text: output }: Pick<Outcome, "content" | "text">,
): Pick<EditPlace, "line" | "symbol"> {
  const isProse = /\.(?:mdx?|markdown)$/i.test(path);
  const at = texts.findLastIndex((text) => text.trim() !== "" && content?.includes(text));
  const inserted = texts[at];
  if (content === undefined || inserted === undefined) {
    const number = output.match(/^ *(\d+)[→\t]/m)?.[1];
    const symbol = findInnermost((texts.at(-1) ?? "").split("\n"), isProse);
    return { line: number === undefined ? undefined : Number(number), symbol };
  }
  const start = content.indexOf(inserted) + countShared(inserted, texts[at - 1] ?? "");
  const before = content.slice(0, start).split("\n");
  const symbol = isProse ? findInnermost(before, isProse) : findEnclosing(content.split("\n"), before.length - 1);
  return { line: before.length, symbol };
}

/** The common prefix of old and new text was there before, so the change begins after it, at a line's start. */
function countShared(text: string, other: string): number {
  let shared = 0;
  while (shared < text.length - 1 && text[shared] === other[shared]) shared++;
  return shared === 0 || shared >= text.length - 1 ? 0 : text.lastIndexOf("\n", shared - 1) + 1;
}

/** The line itself if it declares something, else the nearest declaration above with a smaller indent. */
function findEnclosing(lines: readonly string[], from: number): string {
  const target = lines[from] ?? "";
  const own = findDeclared(target);
  if (own !== "") return own;
  const depth = target.trim() === "" ? Number.POSITIVE_INFINITY : indentOf(target);
  for (let index = from - 1; index >= Math.max(0, from - MAX_LINES_BACK); index--) {
    const line = lines[index] ?? "";
    const symbol = indentOf(line) < depth ? findDeclared(line) : "";
    if (symbol !== "") return symbol;
  }
  return "";
}

function findInnermost(lines: readonly string[], isProse: boolean): string {
  const find = isProse ? findHeading : findDeclared;
  return lines.map(find).findLast((symbol) => symbol !== "") ?? "";
}

/** A hash sign begins a heading only in prose; elsewhere it begins a comment. */
function findHeading(line: string): string {
  return line.slice(0, 300).match(/^#{1,6} (.{1,80})$/)?.[1] ?? "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

const MODIFIERS = String.raw`(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|abstract|override|async|get|set)\s+)*`;
const DECLARATIONS: readonly RegExp[] = [
  new RegExp(
    String.raw`^\s*${MODIFIERS}(?:function\*?|class|interface|enum|struct|trait|impl|def|fn|module|namespace)\s+([A-Za-z_$][\w$]*)`,
  ),
  /^\s*func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/,
  // Values count only at the left margin: inside a function they enclose nothing.
  /^(?:export\s+)?(?:const|let|var|type)\s+([A-Za-z_$][\w$]*)/,
  /^\s*(?:it|test|describe)\(\s*["'`]([^"'`]{1,80})/,
];
const METHOD = new RegExp(String.raw`^\s+${MODIFIERS}([A-Za-z_$][\w$]*)\s*\([^;]*\{\s*$`);
const KEYWORDS = new Set(["if", "for", "while", "switch", "catch", "return", "function", "with", "else"]);

function findDeclared(line: string): string {
  const short = line.slice(0, 300);
  for (const pattern of DECLARATIONS) {
    const name = short.match(pattern)?.[1];
    if (name !== undefined) return name;
  }
  const method = short.match(METHOD)?.[1] ?? "";
  return KEYWORDS.has(method) ? "" : method;
}

/** `; the last change was at src/a.ts:12 (parseLine)`, as much of it as is known. */
export function renderPlace(place: EditPlace | undefined): string {
  // No work is resumed in a temporary file.
  const isScratch = /(?:^|[\\/])(?:te?mp|scratchpad|\.claude[\\/](?:plans|projects))[\\/]/i.test(place?.path ?? "");
  return place && !isScratch ? `; the last change was at ${renderAddress(place)}` : "";
}

export function renderAddress({ path, line, symbol }: EditPlace): string {
  return `${path}${line === undefined ? "" : `:${line}`}${symbol === "" ? "" : ` (${symbol})`}`;
}
