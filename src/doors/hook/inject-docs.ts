import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { describeInjection, type Injection } from "../../policy/injection/injection.ts";
import { decideDocRules } from "../../policy/rules/doc-rules.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readTold, writeTold } from "./inject-told.ts";

/** The conventions for documents, once a window, at the first change of one; empty text for nothing. */
export function tellDocRules(input: HookInput, context: HookContext): Injection {
  const { tool, input: given } = parseHookCall(input.raw);
  const action = claudeCodeVocabulary.interpretCall(tool, given);
  const isChange = action.kind === "edit" || action.kind === "write";
  const path = isChange ? action.path : "";
  const quiet: Injection = { what: "docs", why: "a document was changed", text: "" };
  // Asked at every tool call: nothing is read before a document is changed.
  if (decideDocRules({ path, project: context.project, isTold: false }) === "") return quiet;
  const told = readTold(context.folder);
  const text = decideDocRules({ path, project: context.project, isTold: told.docs === true });
  if (text !== "") writeTold(context.folder, { ...told, docs: true });
  return { ...quiet, text };
}

/** The same with its weight, for an answer that tells it. */
export function noteDocRules(
  input: HookInput,
  context: HookContext,
): { readonly texts: readonly string[]; readonly deeds: readonly DeedDetail[] } {
  const injection = tellDocRules(input, context);
  return injection.text === ""
    ? { texts: [], deeds: [] }
    : { texts: [injection.text], deeds: [describeInjection(injection, "")] };
}
