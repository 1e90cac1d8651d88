import { chain, type PolicyCommand, type Step, stay } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";
import {
  type ChangedDocument,
  checkDocument,
  checkRules,
  isProjectDocument,
  isRuleFile,
  nameInProject,
  renderBreaches,
} from "../rules/doc-rules.ts";
import { DOC_RULES_FILE, parseDocConventions } from "../rules/parse-doc-conventions.ts";
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
): Step {
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
function warnOfSkipped(state: PolicyState, [line]: readonly number[]): Step {
  if (line === undefined || state.told.docs.includes(DOC_RULES_FILE)) return stay(state);
  const why = `${DOC_RULES_FILE}, line ${line}: write "- NAME: off" or "- NAME: never "WORDS"", the rest is not understood`;
  const note: PolicyCommand = { kind: "note", deed: { kind: "declined", what: "docs", why } };
  const told = { ...state.told, docs: [...state.told.docs, DOC_RULES_FILE] };
  return { state: { ...state, told }, commands: [...warnOf(why), note] };
}
