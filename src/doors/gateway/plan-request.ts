import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { Pricer } from "../../core/edit-verdict.ts";
import type { Layer, View } from "../../core/layer.ts";
import { emptyLedger } from "../../core/ledger.ts";
import type { Message } from "../../core/message.ts";
import { runPipeline } from "../../core/pipeline.ts";
import { listDeclined, type Report } from "../../core/report.ts";
import { DEFAULT_HOST } from "../../hosts/catalogue.ts";
import { createLayers } from "../../layers/catalogue.ts";
import { createCollapseTurns } from "../../layers/collapse-turns.ts";
import { createFoldOutputs } from "../../layers/fold-outputs.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { POLICY_SETTINGS, type PolicyName } from "../../layers/options/policy-settings.ts";
import { decideCompactionPoint } from "../../measure/compaction-point.ts";
import { isCold } from "../../models/economics/cache-state.ts";
import { createPricer } from "../../models/economics/pricer.ts";
import { advanceWaiting, type Waiting } from "../../models/economics/waiting.ts";
import { decideModelWindow } from "../../models/model-window.ts";
import { estimateMessageTokens, type Tokenizer, tokenizerOf } from "../../models/tokens.ts";
import { anthropicTools } from "../../wire/anthropic/vocabulary.ts";
import { scaleLayers } from "../../wire/scale-layers.ts";
import { sha256 } from "./request/keep-decisions.ts";
import type { SessionFacts } from "./store/gateway-store.ts";

/** Everything that a decision about one request may rest on. */
export interface Situation {
  /** The conversation as it would leave now, with all that was decided before. */
  readonly view: readonly Message[];
  /** The first message of the view that was never sent. */
  readonly newFrom: number;
  readonly model: string;
  readonly facts: SessionFacts;
  readonly nowMs: number;
  /** The client asked the API itself to clear old results: clearing them here as well would pay twice. */
  readonly isClearedByServer: boolean;
  /** Asked between layers; what was decided until then stands. */
  readonly isTimeSpent: () => boolean;
}

export interface RequestPlan {
  /** The view with the new edits; the identical array without any. */
  readonly messages: readonly Message[];
  readonly edits: readonly Edit[];
  readonly waiting: Waiting;
  readonly report: Report;
}

/** The one place that decides what leaves a conversation. Deterministic, and never asks a model. */
export interface RequestPlanner {
  plan(situation: Situation): RequestPlan;
  /** As hard as it goes: the API said that it does not fit. Nothing where nothing is left to take out. */
  planHarder(view: readonly Message[], model: string): Pick<RequestPlan, "messages" | "edits">;
  weigh(messages: readonly Message[], model: string): number;
}

export interface PlannerOptions {
  /**
   * What a request may weigh, system prompt and tools included, whatever it costs to get there. Unless told it is where the
   * client would compact, and price decides up to where the window ends.
   */
  readonly lineTokens?: number | undefined;
  /**
   * Decide as `plimsoll replay` measures it, far below the line. For clients whose model can fetch what left the conversation; without
   * it only the line decides.
   */
  readonly policy?: PolicyName | undefined;
}

/** A file that was just read is what the next edit stands on: only a very large one is worth a second reading. */
const READ_CHARACTERS = 20_000;
const RESERVED_OUTPUT_TOKENS = 20_000;
const LEAST_TARGET_TOKENS = 1_000;
/** Where a client with a window of 200,000 would compact. */
const DEFAULT_LINE_TOKENS = 167_000;

export function createRequestPlanner({ lineTokens, policy }: PlannerOptions = {}): RequestPlanner {
  const common = { vocabulary, sha256 };
  const early = policy === undefined ? undefined : createEarly(policy);
  const layers = createLayers(scaleLayers(lineTokens ?? DEFAULT_LINE_TOKENS, common));
  const weights = { classic: createWeigher("classic"), dense: createWeigher("dense") };
  const weigherOf = (model: string): ((message: Message) => number) => weights[tokenizerOf(model)];
  const weigh = (messages: readonly Message[], model: string): number => {
    const countTokens = weigherOf(model);
    return messages.reduce((sum, message) => sum + countTokens(message), 0);
  };

  return {
    weigh,
    plan(situation) {
      const { view, facts, model } = situation;
      const { targetTokens, mustFitTokens } = decideLine(situation, lineTokens);
      const patient = situation.isClearedByServer ? [] : layers.row;
      const known = early?.({ ...situation, countTokens: weigherOf(model), targetTokens }) ?? {
        messages: view,
        edits: [],
      };
      const { messages, ledger, report } = runPipeline({
        messages: known.messages,
        ledger: emptyLedger,
        layers: early ? patient : [createBirthFold(situation.newFrom), ...patient],
        targetTokens,
        mustFitTokens,
        countTokens: weigherOf(model),
        isTimeSpent: situation.isTimeSpent,
        pricer: keepThinkingBound(model, priceSituation(situation)),
      });
      const declined = listDeclined(report).map(({ edit }) => edit);
      return {
        messages,
        edits: [...known.edits, ...ledger.decisions],
        waiting: advanceWaiting(facts.waiting, declined),
        report,
      };
    },
    planHarder(view, model) {
      const asked: View = {
        messages: view,
        tokens: weigh(view, model),
        targetTokens: 0,
        countTokens: weigherOf(model),
      };
      const { messages, applied } = applyEdits(view, layers.reactToOverflow.planHarder(asked));
      return { messages, edits: applied };
    },
  };
}

interface EarlySituation extends Situation {
  readonly countTokens: (message: Message) => number;
  readonly targetTokens: number;
}

/** What the policy does before any line is reached: the same as in replay, in the library and in the module. */
function createEarly(policy: PolicyName) {
  const fold = createFoldOutputs({ ...POLICY_SETTINGS[policy].fold, atBirth: true, vocabulary, sha256 });
  const collapse = createCollapseTurns({ policy, vocabulary, sha256 });
  return (situation: EarlySituation): Pick<RequestPlan, "messages" | "edits"> => {
    const { view, newFrom, facts, model, nowMs, countTokens, targetTokens } = situation;
    const fresh = view.slice(newFrom);
    const spared = listSpared(fresh);
    const folds = fold
      .plan({ messages: fresh, tokens: 0, targetTokens, countTokens })
      .filter((edit) => edit.kind !== "replaceBlock" || !spared.has(edit.block));
    const born = folds.length === 0 ? view : applyEdits(view, folds).messages;
    const asked: View = {
      messages: born,
      tokens: born.reduce((sum, message) => sum + countTokens(message), 0),
      targetTokens,
      countTokens,
      occasion: {
        baseTokens: facts.baseTokens,
        model,
        isCold: facts.lastSentMessage !== "" && isCold(facts.cache, nowMs, model),
        share1h: facts.cache.share1h,
        marks: "client",
      },
    };
    const collapses = situation.isClearedByServer
      ? []
      : collapse.plan(asked).filter((edit) => !isBound(edit, born, model));
    const { messages, applied } = applyEdits(born, collapses);
    return { messages, edits: [...folds, ...applied] };
  };
}

/** Newer models tie their thinking to everything before it. */
function isBound(edit: Edit, messages: readonly Message[], model: string): boolean {
  if (tokenizerOf(model) !== "dense") return false;
  const bound = messages.findLastIndex(({ blocks }) => blocks.some(({ kind }) => kind === "thinking"));
  return (locateEdits(messages).get(nameTarget(edit)) ?? bound) < bound;
}

function decideLine({ model, facts }: Situation, lineTokens: number | undefined) {
  const window = decideModelWindow(model, facts.cache.cachedTokens);
  const line = lineTokens ?? decideCompactionPoint(window).tokens;
  const targetTokens = Math.max(LEAST_TARGET_TOKENS, line - facts.baseTokens);
  if (lineTokens !== undefined) return { targetTokens, mustFitTokens: targetTokens };
  const room = window.windowTokens - Math.min(window.maxOutputTokens, RESERVED_OUTPUT_TOKENS) - facts.baseTokens;
  return { targetTokens, mustFitTokens: Math.max(targetTokens, room) };
}

function priceSituation({ view, facts, nowMs, model }: Situation): Pricer {
  const last = view.at(-1);
  const hasSpoken = last?.role === "user" && !last.blocks.some((block) => block.kind === "toolResult");
  return createPricer({
    cache: facts.cache,
    nowMs,
    model,
    moment: hasSpoken ? "boundary" : "midTurn",
    baseTokens: facts.baseTokens,
    waiting: facts.waiting,
    ...(facts.lastSentMessage === "" ? {} : { lastSentMessage: facts.lastSentMessage }),
  });
}

/** Newer models tie their thinking to everything before it: an edit there would take it away, and that has no price yet. */
function keepThinkingBound(model: string, pricer: Pricer): Pricer {
  if (tokenizerOf(model) !== "dense") return pricer;
  return (edits, view, occasion) => {
    const verdicts = pricer(edits, view, occasion);
    const bound = view.messages.findLastIndex(({ blocks }) => blocks.some(({ kind }) => kind === "thinking"));
    if (bound < 0) return verdicts;
    const places = locateEdits(view.messages);
    return verdicts.map((verdict, index) => {
      const edit = edits[index];
      const isBefore = edit !== undefined && (places.get(nameTarget(edit)) ?? bound) < bound;
      return verdict.isMade && isBefore ? { ...verdict, isMade: false, why: "alreadySent" as const } : verdict;
    });
  };
}

function nameTarget(edit: Edit): string {
  return edit.kind === "replaceBlock" ? edit.block : edit.last;
}

function locateEdits(messages: readonly Message[]): ReadonlyMap<string, number> {
  return new Map(
    messages.flatMap(({ id, blocks }, index) => [
      [id, index] as const,
      ...blocks.map((block) => [block.id, index] as const),
    ]),
  );
}

/** The client's own tools and the API's. */
const vocabulary: CallVocabulary = {
  interpretCall(tool, input) {
    const meaning = DEFAULT_HOST.vocabulary.interpretCall(tool, input);
    return meaning.kind === "other" ? anthropicTools.interpretCall(tool, input) : meaning;
  },
};

const birthFold = createFoldOutputs({ atBirth: true, vocabulary, sha256 });

/** Folds what was never sent. A file that was read stays, unless it is very large; nobody fetches an original to see it folded. */
function createBirthFold(newFrom: number): Layer {
  return {
    ...birthFold,
    plan: (view) => {
      const fresh = view.messages.slice(newFrom);
      const edits = birthFold.plan({ ...view, messages: fresh });
      if (edits.length === 0) return edits;
      const spared = listSpared(fresh);
      return edits.filter((edit) => edit.kind !== "replaceBlock" || !spared.has(edit.block));
    },
  };
}

function listSpared(messages: readonly Message[]): ReadonlySet<string> {
  const blocks = messages.flatMap((message) => message.blocks);
  const calls = new Map(blocks.flatMap((block) => (block.kind === "toolCall" ? [[block.callId, block] as const] : [])));
  return new Set(
    blocks.flatMap((block) => {
      const call = block.kind === "toolResult" ? calls.get(block.callId) : undefined;
      if (block.kind !== "toolResult" || !call) return [];
      const { kind, command = "" } = vocabulary.interpretCall(call.tool, call.input);
      const characters = block.parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : 0), 0);
      const isRecall = /\bplimsoll\b|plimsoll:[0-9a-f]/.test(`${call.tool} ${command}`);
      return isRecall || (kind === "read" && characters <= READ_CHARACTERS) ? [block.id] : [];
    }),
  );
}

/** Messages are the same objects from request to request: each is weighed once. */
function createWeigher(tokenizer: Tokenizer): (message: Message) => number {
  const known = new WeakMap<Message, number>();
  return (message) => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const tokens = estimateMessageTokens(message, tokenizer);
    known.set(message, tokens);
    return tokens;
  };
}
