import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import { unknownOccasion, type View } from "../core/layer.ts";
import type { Message } from "../core/message.ts";
import {
  type CollapseExchanges,
  type CollapseExchangesOptions,
  createCollapseExchanges,
} from "../layers/collapse-exchanges.ts";
import { createFoldOutputs, type FoldOutputsOptions } from "../layers/fold-outputs.ts";
import { listOriginals } from "../layers/history/list-originals.ts";
import type { Hash, Original } from "../layers/history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "../layers/history/vocabulary.ts";
import {
  DEFAULT_POLICY,
  LEAST_LEDGER_TOKENS,
  POLICY_SETTINGS,
  type PolicyName,
} from "../layers/options/policy-settings.ts";
import { findModel } from "../models/find-model.ts";
import { DEFAULT_MOMENTS, type Moments, ruleMoment } from "./advice/rule-moment.ts";
import { readMoment } from "./advice/work-moment.ts";
import { explainCollapse, isPastHalf } from "./collapse-due.ts";
import { chooseWeights, DEFAULT_OBJECTIVE, type Objective } from "./objective.ts";
import { chooseBirthFold } from "./result-arrived.ts";

/** Settings shared by all requests of a conversation. Explicit settings override the policy's defaults. */
export interface RequestSettings {
  /** Without a policy nothing is collapsed, and results are only folded at birth. */
  readonly policy?: PolicyName | undefined;
  readonly vocabulary?: CallVocabulary | undefined;
  readonly sha256?: Hash | undefined;
  /** When an automatic collapse may happen. Default: wherever the decision table allows it. */
  readonly moments?: Moments | undefined;
  /** Default: dollars. */
  readonly objective?: Objective | undefined;
  /** `false`: results are not folded at birth. */
  readonly fold?: Omit<FoldOutputsOptions, "atBirth"> | false | undefined;
  readonly collapse?: Omit<CollapseExchangesOptions, "policy" | "eager" | "now"> | false | undefined;
}

export interface RequestComing
  extends Pick<View, "messages" | "targetTokens" | "countTokens" | "occasion" | "isTimeSpent"> {
  /** The first message that was never sent. Folding at birth starts here. */
  readonly newFrom: number;
  /** A compaction was asked for, so everything old is collapsed at any price. */
  readonly isAsked?: boolean;
  /** Messages before this index stay as they are, because something after them is bound to them. */
  readonly boundTo?: number;
  /** Another party clears old results from this request; collapsing them too would pay twice. */
  readonly isClearedElsewhere?: boolean;
}

interface RequestCommands {
  /** The conversation with the edits applied; the identical array if there are none. */
  readonly messages: readonly Message[];
  /** Folds, then collapses. Store their originals before applying them. */
  readonly edits: readonly Edit[];
  readonly originals: () => readonly Original[];
  /** Why something was collapsed; empty if nothing was. */
  readonly why: string;
  /** Something was collapsed, at a boundary of the work. */
  readonly isAtBoundary: boolean;
}

/** Folds at birth, then collapses. Every entry point does this to a request, and replay measures it. */
export function createRequestPolicy(settings: RequestSettings): (coming: RequestComing) => RequestCommands {
  const { policy = DEFAULT_POLICY, vocabulary = plainVocabulary, sha256, fold, collapse } = settings;
  const common = { vocabulary, sha256 };
  const reach = settings.policy === undefined ? "foldOnly" : "collapsing";
  const folding =
    fold === false
      ? undefined
      : createFoldOutputs({ ...chooseBirthFold(policy, reach), ...fold, ...common, atBirth: true });
  const isCollapsing = settings.policy !== undefined && collapse !== false;
  const chooseCollapse = createChoice((targetTokens) =>
    createCollapseExchanges({ policy, ...scale(policy, targetTokens), ...(collapse || {}), ...common }),
  );

  return (coming) => {
    const { newFrom, boundTo, ...view } = coming;
    const unsent = { ...view, messages: coming.messages.slice(newFrom), tokens: 0 };
    const folds = folding ? keepBound(folding.plan(unsent), coming.messages, boundTo) : [];
    const born = folds.length === 0 ? coming.messages : applyEdits(coming.messages, folds).messages;
    const { edits: collapses, why } =
      isCollapsing && coming.isClearedElsewhere !== true
        ? planCollapse(chooseCollapse(coming.targetTokens), born, coming, settings)
        : NOTHING;
    const { messages, applied } = applyEdits(born, collapses);
    const edits = [...folds, ...applied];
    return {
      messages,
      edits,
      originals: () => listOriginals(edits, coming.messages, sha256),
      why: applied.length === 0 ? "" : why,
      isAtBoundary: applied.length > 0 && ruleMoment(readMoment(born, vocabulary)).isBoundary,
    };
  };
}

const NOTHING = { edits: [], why: "" } as const;

function planCollapse(
  layer: CollapseExchanges,
  messages: readonly Message[],
  coming: RequestComing,
  settings: RequestSettings,
) {
  const { vocabulary = plainVocabulary, moments = DEFAULT_MOMENTS, objective = DEFAULT_OBJECTIVE } = settings;
  const { targetTokens } = coming;
  const known = coming.occasion ?? unknownOccasion;
  const occasion = { ...known, weights: chooseWeights(objective, known.weights) };
  const tokens = messages.reduce((sum, message) => sum + coming.countTokens(message), 0);
  const view: View = { ...coming, messages, tokens, occasion };
  // What takes everything old must be what replay measured, to the byte; how many of the oldest go may differ by a few.
  const heavy = settings.collapse && settings.collapse.depth === "needed" ? layer.collapseHeavy(view) : undefined;
  const weighed = heavy ?? layer.weigh(view);
  const why = explainCollapse(weighed, {
    isAsked: coming.isAsked === true,
    work: () => readMoment(messages, vocabulary),
    moments,
    isPastHalf: isPastHalf(tokens + occasion.baseTokens, targetTokens + occasion.baseTokens),
    isCold: occasion.isCold,
  });
  return why === ""
    ? NOTHING
    : { edits: keepBound(heavy?.edits ?? layer.collapse(view, weighed.history), messages, coming.boundTo), why };
}

/** The policies are tuned for windows of 200,000 tokens. For a much lower line they keep less word for word, and collapse smaller parts. */
function scale(policy: PolicyName, target: number) {
  // If the system prompt and tools alone exceed the line, nothing is left of it.
  const targetTokens = Math.max(0, target);
  const { leastTokens, maxTailTokens, maxLedgerTokens } = POLICY_SETTINGS[policy];
  return {
    leastTokens: Math.min(leastTokens, Math.floor(targetTokens / 10)),
    maxTailTokens: Math.min(maxTailTokens, Math.floor(targetTokens / 2)),
    maxLedgerTokens: Math.max(LEAST_LEDGER_TOKENS, Math.floor((maxLedgerTokens * targetTokens) / FULL_TARGET_TOKENS)),
  };
}

/** At this target and above, no policy is scaled. */
export const FULL_TARGET_TOKENS = 120_000;

/** Reuses a layer, because it caches what it has rendered and the line rarely moves far enough to need another. */
function createChoice(create: (targetTokens: number) => CollapseExchanges): typeof create {
  let last: { readonly targetTokens: number; readonly layer: CollapseExchanges } | undefined;
  return (given) => {
    const targetTokens = Math.min(given, FULL_TARGET_TOKENS);
    if (last?.targetTokens !== targetTokens) last = { targetTokens, layer: create(targetTokens) };
    return last.layer;
  };
}

/** Keeps only edits that leave every message before `boundTo` as it is. */
export function keepBound(edits: readonly Edit[], messages: readonly Message[], boundTo = 0): readonly Edit[] {
  if (boundTo <= 0) return edits;
  const places = new Map(
    messages.flatMap(({ id, blocks }, index) => [
      [id, index] as const,
      ...blocks.map((block) => [block.id, index] as const),
    ]),
  );
  const placeOf = (edit: Edit): number => places.get(edit.kind === "replaceBlock" ? edit.block : edit.last) ?? boundTo;
  return edits.filter((edit) => placeOf(edit) >= boundTo);
}

/** Some models bind their thinking to everything before it. Returns the message up to which nothing may change. */
export function findBound(messages: readonly Message[], model: string): number {
  return findModel(model).bindsThinking ? findLastThinking(messages) : 0;
}

/** The same for a model that is known to do so, without looking at the table. */
export function findLastThinking(messages: readonly Message[]): number {
  return messages.findLastIndex(({ blocks }) => blocks.some(({ kind }) => kind === "thinking"));
}
