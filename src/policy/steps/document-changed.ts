import { clipLine } from "../../core/clip-text.ts";
import { findProse } from "../../library/prompt/instructions/find-prose.ts";
import { chain, type PolicyCommand, type PolicyStep, stay } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";
import { DOC_RULES_FILE, type DocConvention, parseDocConventions } from "../rules/parse-doc-conventions.ts";
import { due, tellDue } from "../tell-due.ts";
import { noteTold, warnOf } from "./opened.ts";

export interface DocumentChanged {
  readonly document: ChangedDocument;
  readonly project: string;
  /** What the project's file of conventions says; empty where it has none. */
  readonly conventions: string;
  readonly model: () => string;
}

/** Oldest first out: a window in which so many were told has long been compacted. */
const MAX_TOLD = 200;

/** A file was changed: the conventions for documents, or for rules, that the change breaks, each once a window and document. */
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

/** Whether a change of this file is looked at: a document, or rules. */
export function isChecked(path: string, project: string): boolean {
  return isProjectDocument(path, project) || isRuleFile(path, project);
}

/** What is written there and does nothing is said to the person, once a window. */
function warnOfSkipped(state: PolicyState, [line]: readonly number[]): PolicyStep {
  if (line === undefined || state.told.docs.includes(DOC_RULES_FILE)) return stay(state);
  const why = `${DOC_RULES_FILE}, line ${line}: write "- NAME: off" or "- NAME: never "WORDS""; no other form is understood`;
  const note: PolicyCommand = { kind: "note", deed: { kind: "declined", what: "docs", why } };
  const told = { ...state.told, docs: [...state.told.docs, DOC_RULES_FILE] };
  return { state: { ...state, told }, commands: [...warnOf(why), note] };
}

/** A document as a change left it. */
interface ChangedDocument {
  readonly path: string;
  /** Empty for a new one. */
  readonly before: string;
  readonly after: string;
}

/** One convention that a change broke, with the first line that does. */
interface Breach {
  readonly name: string;
  readonly line: string;
  readonly advice: string;
}

const MAX_CHARACTERS = 1_000_000;
const SHOWN_CHARACTERS = 100;

/** Whether a changed file is a document of the project: `docs/*.md` in it, at any depth. */
export function isProjectDocument(path: string, project: string): boolean {
  return /^(?:.*\/)?docs\/(?:.*\/)?[^/]+\.md$/i.test(nameInProject(path, project) ?? "");
}

/** Whether a changed file holds rules that every request carries. */
function isRuleFile(path: string, project: string): boolean {
  return /^(?:(?:\.plimsoll\/|\.claude\/)?rules\/[^/]+|(?:.*\/)?(?:CLAUDE|CLAUDE\.local|AGENTS))\.md$/.test(
    nameInProject(path, project) ?? "",
  );
}

/** From the project's folder; `undefined` for what lies outside of it. */
function nameInProject(path: string, project: string): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  const root = project.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed;
  return inside.startsWith("/") || inside.split("/").includes("..") ? undefined : inside;
}

/** What the change itself broke: lines that stood there before are nobody's doing now. */
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

/** Running text that a change brought into a file of rules. */
function checkRules({ before, after }: ChangedDocument): readonly Breach[] {
  if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS || findProse(before)) return [];
  const prose = findProse(after);
  if (!prose) return [];
  const line = after.split(/\r?\n/)[prose.line - 1] ?? "";
  const advice =
    "This file is sent with every request: write each rule as one list item, and move explanations into another document.";
  return [{ name: "prose", line: clipLine(line, SHOWN_CHARACTERS), advice }];
}

/** Rules are paid for in every request, documents only when they are read: what is said is what this change broke, and no more. */
function renderBreaches(document: string, breaches: readonly Breach[]): string {
  if (breaches.length === 0) return "";
  return [
    `The change to ${document} breaks these conventions:`,
    ...breaches.map(({ name, line, advice }) => `- ${name}: "${line}". ${advice}`),
  ].join("\n");
}

/** Lines outside of code. */
function listProse(text: string): readonly string[] {
  let isInFence = false;
  return text.split(/\r?\n/).filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isInFence = !isInFence;
    return !isFence && !isInFence && line.trim() !== "";
  });
}
