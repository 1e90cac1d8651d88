import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import { emptyLedger } from "../../core/layer.ts";
import { computeOnce, type Message } from "../../core/message.ts";
import { runPipeline } from "../../core/pipeline.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { HOSTS } from "../../hosts/catalogue.ts";
import { createLayers } from "../../layers/catalogue.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { DEFAULT_POLICY, type PolicyName } from "../../layers/options/policy-settings.ts";
import { decideCompactionPoint } from "../../measure/compaction-point.ts";
import { countWarmTokens, isCold } from "../../models/economics/cache-state.ts";
import { decideModelWindow } from "../../models/find-model.ts";
import { estimateMessageTokens, tokenizerOf } from "../../models/tokens.ts";
import { type CompactionPlan, compactionAsked } from "../../policy/compaction-asked.ts";
import { isEntryDue, type RecallEntry } from "../../policy/is-entry-due.ts";
import { createRequestPolicy, findBound, findLastThinking } from "../../policy/request-coming.ts";
import { anthropicTools } from "../../wire/anthropic/vocabulary.ts";
import { scaleLayers } from "../../wire/run-layers.ts";
import type { SessionFacts } from "./store/gateway-store.ts";

export interface Situation {
  /** The conversation as it would be sent now, with all earlier decisions. */
  readonly view: readonly Message[];
  /** The first message of the view that was never sent. */
  readonly newFrom: number;
  readonly model: string;
  readonly facts: SessionFacts;
  readonly nowMs: number;
  /** The model already has a tool to fetch things back with, so giving it one costs nothing. Default: true. */
  readonly hasRecall?: boolean;
  /** The client asked the API to clear old results: clearing them here as well would cost twice. */
  readonly isClearedByServer: boolean;
  /** Asked between layers; what was decided until then is kept. */
  readonly isTimeSpent: () => boolean;
}

export interface RequestPlan {
  /** The view with the new edits; the identical array if there are none. */
  readonly messages: readonly Message[];
  readonly edits: readonly Edit[];
}

/** Decides what is removed from a conversation. Deterministic, and never asks a model. */
export interface RequestPlanner {
  plan(situation: Situation): RequestPlan;
  /** Removes all it can, because the API said that the request does not fit. Empty if nothing is left to remove. */
  planHarder(view: readonly Message[], model: string): RequestPlan;
  /** A compaction was asked for: everything old is removed, whatever the price. */
  planAsked(situation: Situation): RequestPlan;
  /** The whole conversation except its last message as a ledger, as at every entry point that answers a compaction. */
  compactAll(messages: readonly Message[], model: string): CompactionPlan;
  weigh(messages: readonly Message[], model: string): number;
}

export interface PlannerOptions {
  /** The most tokens of a request, base included, at any price. By default, a request too large for the window is brought below the client's compaction point. */
  readonly lineTokens?: number | undefined;
  /** How far to go, as `plimsoll replay` measures it. `off` removes only what the person's own line or the window requires. */
  readonly policy?: PolicyName | "off" | undefined;
  /** Treats every model as one that binds its thinking; replay uses it to ask what would happen then. */
  readonly isAlwaysBound?: boolean | undefined;
}

const RESERVED_OUTPUT_TOKENS = 20_000;
const LEAST_TARGET_TOKENS = 1_000;
/** Where a client with a window of 200,000 would compact. */
const DEFAULT_LINE_TOKENS = 167_000;

export function createRequestPlanner(options: PlannerOptions = {}): RequestPlanner {
  const { lineTokens, policy: chosen = DEFAULT_POLICY } = options;
  /** Up to which message nothing may change. */
  const bound = options.isAlwaysBound ? findLastThinking : findBound;
  const common = { vocabulary, sha256 };
  const policy = chosen === "off" ? undefined : chosen;
  const planComing = policy && createRequestPolicy({ policy, ...common });
  const isLineKept = policy !== undefined || lineTokens !== undefined;
  const layers = createLayers(
    scaleLayers(lineTokens ?? DEFAULT_LINE_TOKENS, { ...common, ...(policy ? { collapseExchanges: { policy } } : {}) }),
  );
  // Messages are the same objects from request to request, so each is weighed once.
  const weights = {
    classic: computeOnce((message: Message) => estimateMessageTokens(message, "classic")),
    dense: computeOnce((message: Message) => estimateMessageTokens(message, "dense")),
  };
  const weigherOf = (model: string): ((message: Message) => number) => weights[tokenizerOf(model)];
  const weigh = (messages: readonly Message[], model: string): number => {
    const countTokens = weigherOf(model);
    return messages.reduce((sum, message) => sum + countTokens(message), 0);
  };
  /** What the policy left does not fit: the layers go on until the request is below the line, at any price. */
  const runAllLayers = (coming: RequestPlan, { model, isTimeSpent }: Situation, targetTokens: number): RequestPlan => {
    const { messages, ledger } = runPipeline({
      messages: coming.messages,
      ledger: emptyLedger,
      layers: layers.row,
      targetTokens,
      countTokens: weigherOf(model),
      isTimeSpent,
    });
    return { messages, edits: [...coming.edits, ...ledger.decisions] };
  };

  return {
    weigh,
    plan(situation) {
      const { view, model, isClearedByServer } = situation;
      const { targetTokens, mustFitTokens } = decideLine(situation, lineTokens);
      const countTokens = weigherOf(model);
      const boundTo = bound(view, model);
      const unchanged = { messages: view, edits: [] };
      const coming = planComing?.({ ...describeComing(situation), boundTo, targetTokens, countTokens }) ?? unchanged;
      const isTooLarge = (messages: readonly Message[]): boolean => weigh(messages, model) > mustFitTokens;
      // An edit before bound thinking loses it, so no more is removed than must be.
      const untilTokens = boundTo > 0 ? mustFitTokens : targetTokens;
      const mayRunLayers = isLineKept && !isClearedByServer && isTooLarge(coming.messages);
      const plan = mayRunLayers ? runAllLayers(coming, situation, untilTokens) : coming;
      if (plan.edits.length > 0 && situation.hasRecall === false && !isTooLarge(view)) {
        const entry = describeEntry(situation, plan.messages, (some) => weigh(some, model));
        if (!isEntryDue({ ...entry, losesThinking: boundTo > 0 })) return unchanged;
      }
      return plan;
    },
    planAsked(situation) {
      const { view, model } = situation;
      const { targetTokens } = decideLine(situation, lineTokens);
      const coming = { ...describeComing(situation), boundTo: bound(view, model), newFrom: view.length };
      const asked = { ...coming, targetTokens, countTokens: weigherOf(model), isAsked: true };
      return planComing?.(asked) ?? { messages: view, edits: [] };
    },
    compactAll: (messages, model) =>
      compactionAsked({
        messages,
        policy: policy ?? DEFAULT_POLICY,
        vocabulary,
        model,
        root: "",
        tail: { keepExchanges: 1, maxTailTokens: 0 },
      }),
    planHarder(view, model) {
      const tokens = weigh(view, model);
      const asked = { messages: view, tokens, targetTokens: 0, countTokens: weigherOf(model) };
      const { messages, applied } = applyEdits(view, layers.reactToOverflow.planHarder(asked));
      return { messages, edits: applied };
    },
  };
}

function describeComing({ view, newFrom, facts, model, nowMs, isClearedByServer, isTimeSpent }: Situation) {
  return {
    messages: view,
    newFrom,
    isTimeSpent,
    occasion: {
      baseTokens: facts.baseTokens,
      model,
      isCold: facts.lastSentMessage !== "" && isCold(facts.cache, { nowMs, model, baseTokens: facts.baseTokens }),
      share1h: facts.cache.share1h,
      marks: "client",
    },
    isClearedElsewhere: isClearedByServer,
  } as const;
}

function describeEntry(
  { view, newFrom, facts, model, nowMs }: Situation,
  planned: readonly Message[],
  weigh: (messages: readonly Message[]) => number,
): Omit<RecallEntry, "losesThinking"> {
  const kept = new Set(planned);
  const isNew = new Set(view.slice(newFrom).map(({ id }) => id));
  const first = view.findIndex((message) => !kept.has(message));
  const before = facts.baseTokens + weigh(view.slice(0, first));
  const unwritten = weigh(view.slice(newFrom)) - weigh(planned.filter(({ id }) => isNew.has(id)));
  return {
    model,
    rewrittenTokens: Math.min(before, countWarmTokens(facts.cache, nowMs, model)),
    savedTokens: weigh(view) - weigh(planned),
    unwrittenTokens: Math.max(0, unwritten),
    share1h: facts.cache.share1h,
  };
}

function decideLine({ model, facts }: Situation, lineTokens: number | undefined) {
  const window = decideModelWindow(model, { largestContextTokens: facts.cache.cachedTokens });
  const line = lineTokens ?? decideCompactionPoint(window).tokens;
  const targetTokens = Math.max(LEAST_TARGET_TOKENS, line - facts.baseTokens);
  if (lineTokens !== undefined) return { targetTokens, mustFitTokens: targetTokens };
  const room = window.windowTokens - Math.min(window.maxOutputTokens, RESERVED_OUTPUT_TOKENS) - facts.baseTokens;
  return { targetTokens, mustFitTokens: Math.max(targetTokens, room) };
}

/** The clients' own tools and the API's. No name means different things to two of them. */
const vocabulary: CallVocabulary = {
  ...HOSTS[0].vocabulary,
  interpretCall(tool, input) {
    for (const own of [...HOSTS.map((host) => host.vocabulary), anthropicTools]) {
      const meaning = own.interpretCall(tool, input);
      if (meaning.kind !== "other") return meaning;
    }
    return { kind: "other" };
  },
};
