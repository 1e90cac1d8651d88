import { DOC_CONVENTIONS, type DocConvention } from "./doc-conventions.ts";

export interface ParsedConventions {
  readonly conventions: readonly DocConvention[];
  /** List items that say nothing that is understood, by their line from 1. */
  readonly skipped: readonly number[];
}

/** Where a project says which conventions hold in it. */
export const DOC_RULES_FILE = ".plimsoll/doc-rules.md";

const MAX_LINES = 200;
const ITEM = /^\s*[-*]\s+(.*)$/;
const OFF = /^`?([a-z][a-z0-9-]{0,39})`?:\s*off\.?$/;
const NEVER = /^`?([a-z][a-z0-9-]{0,39})`?:\s*never\s+"([^"]{1,100})"[.,;:]?\s*(.{0,200})$/;

/**
 * `- figures: off` takes a convention away, `- vendor: never "Acme" Say "the provider".` adds one; other lines are for people. Words and
 * not patterns: the file comes with a repository, and a pattern can be made to take for ever.
 */
export function parseDocConventions(text: string): ParsedConventions {
  const conventions = new Map(DOC_CONVENTIONS.map((convention) => [convention.name, convention]));
  const skipped: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).slice(0, MAX_LINES).entries()) {
    const item = ITEM.exec(line)?.[1]?.trim();
    if (item === undefined) continue;
    const [, off] = OFF.exec(item) ?? [];
    const [, name, words = "", advice = ""] = NEVER.exec(item) ?? [];
    if (off !== undefined && conventions.has(off)) conventions.delete(off);
    else if (name !== undefined) conventions.set(name, forbid(name, words, advice.trim()));
    else skipped.push(index + 1);
  }
  return { conventions: [...conventions.values()], skipped };
}

function forbid(name: string, words: string, advice: string): DocConvention {
  const wanted = words.toLowerCase();
  return {
    name,
    advice: advice === "" ? `${DOC_RULES_FILE} has "${words}" in no document.` : `(${DOC_RULES_FILE}) ${advice}`,
    find: ({ added }) => added.find((line) => line.toLowerCase().includes(wanted)),
  };
}
