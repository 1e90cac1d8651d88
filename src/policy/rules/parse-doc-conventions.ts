export const DOC_RULES_FILE = ".plimsoll/doc-rules.md";

const MAX_LINES = 200;
const ITEM = /^\s*[-*]\s+(.*)$/;
const OFF = /^`?([a-z][a-z0-9-]{0,39})`?:\s*off\.?$/;
const NEVER = /^`?([a-z][a-z0-9-]{0,39})`?:\s*never\s+"([^"]{1,100})"[.,;:]?\s*(.{0,200})$/;

/**
 * `- figures: off` removes a convention, `- vendor: never "Acme" Say "the provider".` adds one; other lines are for people. It takes
 * words, not patterns, because the file comes with a repository and a pattern can be made to run for ever. `skipped` are the numbers, from 1, of list items
 * that were not understood.
 */
export function parseDocConventions(text: string): {
  readonly conventions: readonly DocConvention[];
  readonly skipped: readonly number[];
} {
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
    advice: advice === "" ? `${DOC_RULES_FILE} forbids "${words}" in documents.` : `(${DOC_RULES_FILE}) ${advice}`,
    find: ({ added }) => added.find((line) => line.toLowerCase().includes(wanted)),
  };
}

export interface DocConvention {
  readonly name: string;
  readonly advice: string;
  /** Returns the first line that breaks it. `added` are the lines that the change added, `all` the whole document's, both without code. */
  find(lines: { readonly added: readonly string[]; readonly all: readonly string[] }): string | undefined;
}

/** An order to the reader, as in a rule file. "You" alone is not one: people are addressed that way too. */
const ORDER =
  /^(?:(?:[-*+]|\d+[.)])\s+)?(?:\*\*)?(?:(?:IMPORTANT|NOTE|RULE)\W{1,4})?(?:always|never|you must (?:always|never|not))\s/i;
const TO_THE_AGENT =
  /\b(?:claude|the (?:ai |coding )?(?:agent|assistant)|(?:ai |coding )?(?:agents|assistants)) (?:must|shall|should|may not|has to|have to)\b/i;

/** A claim that someone must have measured: a share, a comparison or a duration. A limit is not one. */
const CLAIM =
  /(?<![\w.-])\d[\d,.]{0,12}\s?(?:%|(?:x|times) (?:faster|slower|smaller|larger|cheaper|fewer)\b)|\b(?:takes?|took|runs? in|costs?|saves?) (?:\w{1,12} ){0,2}\d[\d,.]{0,12}\s?(?:ms|milliseconds|seconds|minutes)\b/;
/** Searched for anywhere in the document: figures share a source, usually above or below them. */
const SOURCE = /\b(?:19|20)\d\d\b|\]\(|https?:|\b(?:measured|bench\w{0,12}|sources?|according to)\b/i;

const APPENDED = /^#{1,6}\s+(?:update|addendum|postscript|edit|what changed|\d{4}-\d\d-\d\d)\b/i;
const REPEATED_CHARACTERS = 120;

/** The conventions that hold unless a project changes them. */
export const DOC_CONVENTIONS: readonly DocConvention[] = [
  {
    name: "instructions",
    advice: "Standing instructions to the agent belong in rules/ or CLAUDE.md; a document describes how things are.",
    find: ({ added }) => added.find((line) => ORDER.test(line.trimStart()) || TO_THE_AGENT.test(line)),
  },
  {
    name: "figures",
    advice: "State a date or a source for a figure.",
    find: ({ added, all }) =>
      all.some((line) => SOURCE.test(line)) ? undefined : added.find((line) => CLAIM.test(line)),
  },
  {
    name: "one-subject",
    advice: "Keep one subject in each file: move the second title to a document of its own.",
    find: ({ added, all }) => (all.filter(isTitle).length > 1 ? added.find(isTitle) : undefined),
  },
  {
    name: "append",
    advice: "Update the existing text instead of appending to it.",
    find: ({ added }) => added.find((line) => APPENDED.test(line)),
  },
  {
    name: "repeat",
    advice: "This line is in the document twice: link to the first one instead of repeating it.",
    find: ({ added, all }) => {
      const seen = new Set<string>();
      const twice = new Set(all.filter((line) => seen.size === seen.add(line).size));
      return added.find(
        (line) => twice.has(line) && !line.startsWith("|") && line.trim().length >= REPEATED_CHARACTERS,
      );
    },
  },
];

function isTitle(line: string): boolean {
  return /^#\s/.test(line);
}
