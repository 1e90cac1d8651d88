import { type Step, stay } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";
import { decideDocRules } from "../rules/doc-rules.ts";
import { due, tellDue } from "../tell-due.ts";
import { noteTold } from "./opened.ts";

/** A file was changed: the conventions for documents, once a window, at the first change of one. */
export function documentChanged(
  state: PolicyState,
  { path, project, model }: { readonly path: string; readonly project: string; readonly model: () => string },
): Step {
  const text = decideDocRules({ path, project, isTold: state.told.docs });
  return text === ""
    ? stay(state)
    : tellDue(state, [due("docs", "a document was changed", text, noteTold({ docs: true }))], model);
}
