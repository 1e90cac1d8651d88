import { parseRule, type Rule } from "./parse-rule.ts";

/** More than a person would ever read; a file that has more is not made of rules. */
const MAX_RULES = 2000;

const ITEM = /^\s*(?:[-*+>]|\d{1,4}[.)])\s+/;
/** What begins a line of its own: headings, tables, rules of dashes. */
const APART = /^\s{0,3}(?:#|\||-{3,}|={3,})/;

/** The rules of an instruction file: its list items and sentences. Headings, tables and examples in fences demand nothing. */
export function listRules(text: string): readonly Rule[] {
  const prose = text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .join("\n\n");
  return joinLines(prose.split(/\r?\n/))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?;])\s+/))
    .slice(0, MAX_RULES)
    .flatMap(parseRule);
}

/** A sentence may go on in the next line; a list item or an empty line ends it. */
function joinLines(lines: readonly string[]): readonly string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isApart = line.trim() === "" || APART.test(line);
    const last = paragraphs.length - 1;
    if (!isApart && isOpen && !ITEM.test(line)) paragraphs[last] = `${paragraphs[last]} ${line.trim()}`;
    else if (!isApart) paragraphs.push(line.replace(ITEM, "").trim());
    isOpen = !isApart;
  }
  return paragraphs;
}
