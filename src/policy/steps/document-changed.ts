import { clipLine } from "../../core/clip-text.ts";
import { isInstructionFile } from "../../layers/history/vocabulary.ts";
import { findProse } from "../../library/prompt/instructions/find-prose.ts";
import { type PolicyStep, stay } from "../command.ts";
import { due, sayDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { noteSaid } from "./opened.ts";

export interface DocumentChanged {
  readonly document: ChangedDocument;
  readonly project: string;
  readonly model: () => string;
}

/** The oldest go first: a window with so many reports has long been compacted. */
const MAX_REPORTED = 200;

/** Reports the conventions for documents or rules that a change breaks, each once per window and document. */
export function documentChanged(
  state: PolicyState,
  { document, project, model }: DocumentChanged,
  { hasAdvisories }: Pick<Settings, "hasAdvisories">,
): PolicyStep {
  if (!hasAdvisories || !isChecked(document.path, project)) return stay(state);
  const name = nameInProject(document.path, project) ?? "";
  const keyOf = (breach: string): string => `${breach} ${name}`;
  const found = isRuleFile(document.path, project) ? checkRules(document) : checkDocument(document);
  const breaches = found.filter((breach) => !state.told.docs.includes(keyOf(breach.name)));
  const docs = [...state.told.docs, ...breaches.map((breach) => keyOf(breach.name))].slice(-MAX_REPORTED);
  const text = renderBreaches(name, breaches);
  return sayDue(state, [due("docs", "a document was changed", text, noteSaid({ docs }))], model);
}

/** Whether changes of this file are checked: it is a document or holds rules. */
export function isChecked(path: string, project: string): boolean {
  return isProjectDocument(path, project) || isRuleFile(path, project);
}

interface ChangedDocument {
  readonly path: string;
  /** Empty for a new document. */
  readonly before: string;
  readonly after: string;
}

interface Breach {
  readonly name: string;
  readonly line: string;
  readonly advice: string;
}

const MAX_CHARACTERS = 1_000_000;
const SHOWN_CHARACTERS = 100;

/** A document of the project is `docs/*.md`, at any depth. */
export function isProjectDocument(path: string, project: string): boolean {
  return /^(?:.*\/)?docs\/(?:.*\/)?[^/]+\.md$/i.test(nameInProject(path, project) ?? "");
}

function isRuleFile(path: string, project: string): boolean {
  const name = nameInProject(path, project) ?? "";
  return isInstructionFile(name) || /^(?:\.plimsoll\/|\.claude\/)?rules\/[^/]+\.md$/.test(name);
}

/** Path relative to the project's folder; `undefined` outside it. */
export function nameInProject(path: string, project: string): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  const root = project.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed;
  return inside.startsWith("/") || inside.split("/").includes("..") ? undefined : inside;
}

/** Checks only what the change itself broke, not lines that were there before. */
export function checkDocument({ before, after }: ChangedDocument): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS) return [];
  const old = new Set(listProse(before));
  const all = listProse(after);
  const added = all.filter((line) => !old.has(line));
  return DOC_CONVENTIONS.flatMap(({ name, advice, find }) => {
    const line = find({ added, all });
    return line === undefined ? [] : [{ name, advice, line: clipLine(line, SHOWN_CHARACTERS) }];
  });
}

/** Finds running text that a change added to a file of rules. */
function checkRules({ before, after }: ChangedDocument): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS || findProse(before)) return [];
  const prose = findProse(after);
  if (!prose) return [];
  const line = after.split(/\r?\n/)[prose.line - 1] ?? "";
  const advice =
    "This file is sent with every request: write each rule as one list item, and move explanations into another document.";
  return [{ name: "prose", line: clipLine(line, SHOWN_CHARACTERS), advice }];
}

/** Reports only what this change broke, and no more: rules are paid for in every request, documents only when they are read. */
function renderBreaches(document: string, breaches: readonly Breach[]): string {
  if (breaches.length === 0) return "";
  return [
    `The change to ${document} breaks these conventions:`,
    ...breaches.map(({ name, line, advice }) => `- ${name}: "${line}". ${advice}`),
  ].join("\n");
}

function listProse(text: string): readonly string[] {
  let isInFence = false;
  return text.split(/\r?\n/).filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isInFence = !isInFence;
    return !isFence && !isInFence && line.trim() !== "";
  });
}

interface DocConvention {
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

const DOC_CONVENTIONS: readonly DocConvention[] = [
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
