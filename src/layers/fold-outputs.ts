import type { ReplaceBlock } from "../core/edit.ts";
import { type View, weighSaving } from "../core/layer.ts";
import { type Message, renderResultText, type ToolResultBlock } from "../core/message.ts";
import { replaceBlock } from "../core/propose-edit.ts";
import { foldOutput, LEAST_BUDGET } from "../fold/fold-output.ts";
import type { Hint } from "../fold/hint.ts";
import { DEFAULT_BUDGET, DEFAULT_LIMITS } from "../fold/thresholds.ts";
import { splitExchanges } from "./history/exchanges.ts";
import { isRecall } from "./history/is-recall.ts";
import { findPointedTo, type KnownCall, listCalls } from "./history/list-calls.ts";
import { listOriginals } from "./history/list-originals.ts";
import { isMarker } from "./history/markers.ts";
import { type Hash, nameBlock, type StoringLayer } from "./history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { type BirthFold, isFoldDue } from "./options/policy-folds.ts";
import { requireNumber } from "./options/policy-settings.ts";

/** By length: results with more characters or lines are folded, but never below 1,000 characters. Applies to all actions by default. */
export interface FoldOutputsOptions extends Partial<BirthFold> {
  /** The newest exchange is in use, so it is spared. `true` if it was never sent: folding then costs no cache, and the layer runs on every request. */
  readonly atBirth?: boolean;
  readonly vocabulary?: CallVocabulary;
  readonly sha256?: Hash | undefined;
}

const NAME = "foldOutputs";

/** Layer 1: replaces large tool results with a preview by kind. Never errors, never a result that a later one points to, never what was fetched back. */
export function createFoldOutputs(options: FoldOutputsOptions = {}): StoringLayer {
  const rule: Rule = {
    characters: requireNumber("characters", options.characters ?? DEFAULT_LIMITS.characters, {
      least: 0,
      fix: "pass the length at which folding starts, or Infinity to fold no results",
    }),
    lines: requireNumber("lines", options.lines ?? DEFAULT_LIMITS.lines, {
      least: 0,
      fix: "pass the number of lines at which folding starts, or Infinity to fold no results",
    }),
    kinds: options.kinds,
    budget: requireNumber("budget", options.budget ?? DEFAULT_BUDGET, {
      least: LEAST_BUDGET,
      fix: "the marker with its handle needs that much room",
    }),
    ...(options.patient ? { patient: options.patient } : {}),
  };

  const planOnce = createPlanOnce(options);
  return {
    name: NAME,
    cost: 1,
    eager: options.atBirth ?? false,
    plan: (view) => {
      const candidates = listCandidates(view.messages, rule, options);
      return candidates.flatMap((candidate) => (view.isTimeSpent?.() ? [] : planOnce(view, candidate)));
    },
    originals: (edits, messages) => listOriginals(edits, messages, options.sha256),
  };
}

interface Candidate {
  readonly result: ToolResultBlock;
  readonly call: KnownCall["call"];
  readonly message: Message;
  readonly text: string;
  readonly hint: Hint;
}

/** Without `kinds` it applies to every action. */
type Rule = Omit<BirthFold, "kinds"> & { readonly kinds: readonly string[] | undefined };

function listCandidates(
  messages: readonly Message[],
  rule: Rule,
  { atBirth = false, vocabulary = plainVocabulary }: FoldOutputsOptions,
): readonly Candidate[] {
  const exchanges = splitExchanges(messages);
  const calls = listCalls(messages, exchanges, vocabulary);
  const pointedTo = findPointedTo(calls);
  const candidates: Candidate[] = [];
  for (const known of calls) {
    const { result, exchange, meaning, call } = known;
    const message = messages[known.message];
    if (!result || !message || result.isError || pointedTo.has(result.id)) continue;
    if (call && isRecall(call.tool, call.input)) continue;
    if (!atBirth && exchange === exchanges.length - 1) continue;
    if (result.parts.some((part) => part.kind !== "text")) continue;
    const text = renderResultText(result);
    if (isMarker(text) || !isFoldDue(text, meaning.kind, { ...rule, kinds: rule.kinds ?? [meaning.kind] })) continue;
    const hint = { tool: call?.tool, command: meaning.command ?? meaning.pattern, path: meaning.path };
    candidates.push({ result, call, message, text, hint });
  }
  return candidates;
}

/** Cached, because blocks are immutable and one that is not yet worth folding is checked again with every request. */
function createPlanOnce(options: FoldOutputsOptions): (view: View, candidate: Candidate) => readonly ReplaceBlock[] {
  type Known = Pick<View, "countTokens"> & Pick<Candidate, "call"> & { readonly edits: readonly ReplaceBlock[] };
  const known = new WeakMap<ToolResultBlock, Known>();
  return (view, candidate) => {
    const { result, call } = candidate;
    const { countTokens } = view;
    const before = known.get(result);
    if (before && before.call === call && before.countTokens === countTokens) return before.edits;
    const edits = planOne(view, candidate, options);
    known.set(result, { call, countTokens, edits });
    return edits;
  };
}

function planOne(view: View, candidate: Candidate, options: FoldOutputsOptions): readonly ReplaceBlock[] {
  const { result, call, message, text, hint } = candidate;
  const { budget, style, sha256 } = options;
  const folded = foldOutput(text, hint, { budget, style, sha256: nameBlock(result, sha256)?.hash });
  const after: ToolResultBlock = { ...result, parts: [{ kind: "text", text: folded.text }] };
  // Without a handle in the marker the original could not be fetched back.
  if (!isMarker(folded.text) || weighSaving(view, message, { before: result, after }) <= 0) return [];
  const change = {
    content: { text: folded.text },
    // The marker names the tool, and the call decides which lines are worth showing.
    restsOn: call ? [call] : [],
    by: NAME,
    reason: `${folded.kind} of ${folded.lines} lines, ${folded.characters} characters, folded to ${folded.text.length}`,
    handles: [folded.handle],
  };
  return [replaceBlock(result, change, sha256)];
}
