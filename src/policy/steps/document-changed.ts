import { clipLine } from "../../core/clip-text.ts";
import { findProse } from "../../library/prompt/instructions/find-prose.ts";
import { chain, type PolicyCommand, type PolicyStep, stay } from "../command.ts";
import { due, tellDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import { DOC_RULES_FILE, type DocConvention, parseDocConventions } from "../rules/parse-doc-conventions.ts";
import { noteTold, warnOf } from "./opened.ts";

export interface DocumentChanged {
  readonly document: ChangedDocument;
  readonly project: string;
  /** The project's file of conventions; empty if it has none. */
  readonly conventions: string;
  readonly model: () => string;
}

/** The oldest go first: a window with so many reports has long been compacted. */
const MAX_TOLD = 200;

/** Reports the conventions for documents or rules that a change breaks, each once per window and document. */
export function documentChanged(
  state: PolicyState,
  { document, project, conventions: text, model }: DocumentChanged,
): PolicyStep {
  if (!isChecked(document.path, project)) return stay(state);
  const name = nameInProject(document.path, project) ?? "";
  const isRules = isRuleFile(document.path, project);
  const { conventions, skipped } = parseDocConventions(isRules ? "" : text);
  const keyOf = (breach: string): string => `${breach} ${name}`;
  const found = isRules ? checkRules(document) : checkDocument(document, conventions);
  const breaches = found.filter((breach) => !state.told.docs.includes(keyOf(breach.name)));
  const docs = [...state.told.docs, ...breaches.map((breach) => keyOf(breach.name))].slice(-MAX_TOLD);
  const told = tellDue(
    state,
    [due("docs", "a document was changed", renderBreaches(name, breaches), noteTold({ docs }))],
    model,
  );
  return chain(told, (next) => warnOfSkipped(next, skipped));
}

/** Whether changes of this file are checked: it is a document or holds rules. */
export function isChecked(path: string, project: string): boolean {
  return isProjectDocument(path, project) || isRuleFile(path, project);
}

/** Tells the user once per window about lines that have no effect. */
function warnOfSkipped(state: PolicyState, [line]: readonly number[]): PolicyStep {
  if (line === undefined || state.told.docs.includes(DOC_RULES_FILE)) return stay(state);
  const why = `${DOC_RULES_FILE}, line ${line}: write "- NAME: off" or "- NAME: never "WORDS""; no other form is understood`;
  const note: PolicyCommand = { kind: "note", deed: { kind: "declined", what: "docs", why } };
  const told = { ...state.told, docs: [...state.told.docs, DOC_RULES_FILE] };
  return { state: { ...state, told }, commands: [...warnOf(why), note] };
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
  return /^(?:(?:\.plimsoll\/|\.claude\/)?rules\/[^/]+|(?:.*\/)?(?:CLAUDE|CLAUDE\.local|AGENTS))\.md$/.test(
    nameInProject(path, project) ?? "",
  );
}

/** Path relative to the project's folder; `undefined` outside it. */
export function nameInProject(path: string, project: string): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  const root = project.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed;
  return inside.startsWith("/") || inside.split("/").includes("..") ? undefined : inside;
}

/** Checks only what the change itself broke, not lines that were there before. */
export function checkDocument(
  { before, after }: ChangedDocument,
  conventions: readonly DocConvention[],
): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS) return [];
  const old = new Set(listProse(before));
  const all = listProse(after);
  const added = all.filter((line) => !old.has(line));
  return conventions.flatMap(({ name, advice, find }) => {
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
