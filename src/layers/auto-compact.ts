import type { ReplaceSpan } from "../core/edit.ts";
import { hashText } from "../core/hash.ts";
import type { View } from "../core/layer.ts";
import type { Message, TextBlock } from "../core/message.ts";
import { replaceSpan } from "../core/propose-edit.ts";
import type { ExtractedMemory } from "../library/prompt/memory/merge-memories.ts";
import { INSTRUCTIONS, parseAnswer, type Question, RESERVED_TOKENS } from "./compact/question.ts";
import { type Exchange, hasOpaque, splitExchanges } from "./history/exchanges.ts";
import { listOriginals } from "./history/list-originals.ts";
import { type Hash, nameOriginal, renderSpan, type StoringLayer } from "./history/originals.ts";
import { requireNumber } from "./options/policy-settings.ts";

export interface AutoCompactOptions {
  /** The person's own p99.99 of summary sizes; 20,000 tokens are reserved until it is known. */
  readonly summaryTokensP9999?: number;
  readonly instructions?: string;
  readonly keepExchanges?: number;
  /** Tokens at the end that stay, whatever exchanges they belong to. */
  readonly keepTokens?: number;
  /** Smaller spans are not worth asking a model about. */
  readonly leastTokens?: number;
  readonly maxFailures?: number;
  readonly sha256?: Hash | undefined;
}

/** Plain data, so that it can be passed on to the next process. */
export interface AutoCompactState {
  readonly failures: number;
  readonly hasAsked: boolean;
  readonly reason: string;
  readonly accepted: readonly ReplaceSpan[];
}

export type Verdict =
  | { readonly kind: "accepted"; readonly edit: ReplaceSpan; readonly memories: readonly ExtractedMemory[] }
  | { readonly kind: "rejected"; readonly reason: string };

export interface AutoCompact extends StoringLayer {
  /** Starts a new iteration of the loop, which allows one more attempt. */
  begin(): void;
  /** What to ask a model; nothing at or below the line, if already asked in this iteration, or after too many failures. */
  ask(view: View): Question | undefined;
  /** Accepts a summary only together with its memories. Store the originals, then the memories, then apply the edit. */
  accept(question: Question, answer: string, view: View): Verdict;
  /** The model was down, slow or refused. */
  fail(reason: string): void;
  state(): AutoCompactState;
}

const NAME = "autoCompact";
const KEEP_EXCHANGES = 1;
const KEEP_TOKENS = 10_000;
const LEAST_TOKENS = 10_000;
const MAX_FAILURES = 3;

/** Layer 3: replaces old exchanges with a model's summary. The layer asks and judges; it never waits and never retries. */
export function createAutoCompact(options: AutoCompactOptions = {}, saved?: AutoCompactState): AutoCompact {
  const settings = parseOptions(options);
  let state: AutoCompactState = saved ?? { failures: 0, hasAsked: false, reason: "", accepted: [] };
  const fail = (reason: string): void => {
    state = { ...state, failures: state.failures + 1, reason };
  };
  const decline = (reason: string): undefined => {
    state = { ...state, reason };
  };

  return {
    name: NAME,
    cost: 3,
    eager: false,
    plan: ({ messages }) => {
      const ids = new Set(messages.map(({ id }) => id));
      return state.accepted.filter(({ first, last }) => ids.has(first) && ids.has(last));
    },
    originals: (edits, messages) => listOriginals(edits, messages, options.sha256),
    begin() {
      state = { ...state, hasAsked: false };
    },
    ask(view) {
      if (view.tokens <= view.targetTokens) return decline("the messages are within the target");
      if (state.hasAsked) return decline("a summary was already requested in this iteration");
      if (state.failures >= settings.maxFailures)
        return decline(`${state.failures} summaries failed in a row, so no more are requested`);
      const question = createQuestion(view, settings);
      if (!question) return decline("no messages are old enough to be worth a summary");
      state = { ...state, hasAsked: true, reason: "" };
      return question;
    },
    accept(question, answer, view) {
      const verdict = judge(question, answer, view);
      if (verdict.kind === "rejected") fail(verdict.reason);
      else state = { ...state, failures: 0, reason: "", accepted: [...state.accepted, verdict.edit] };
      return verdict;
    },
    fail,
    state: () => state,
  };
}

type Settings = Required<Omit<AutoCompactOptions, "summaryTokensP9999" | "sha256">> & {
  readonly maxOutputTokens: number;
  readonly sha256: Hash | undefined;
};

function parseOptions(options: AutoCompactOptions): Settings {
  const { instructions = INSTRUCTIONS } = options;
  if (instructions.trim() === "")
    throw new TypeError("instructions must not be empty: leave the option out to use the built-in instructions");
  const require = (name: keyof AutoCompactOptions, value: number, least: number): number =>
    requireNumber(name, value, { least, fix: "leave the option out to use its default" });
  return {
    instructions,
    sha256: options.sha256,
    maxOutputTokens: require("summaryTokensP9999", options.summaryTokensP9999 ?? RESERVED_TOKENS, 1),
    keepExchanges: require("keepExchanges", options.keepExchanges ?? KEEP_EXCHANGES, 1),
    keepTokens: require("keepTokens", options.keepTokens ?? KEEP_TOKENS, 0),
    leastTokens: require("leastTokens", options.leastTokens ?? LEAST_TOKENS, 0),
    maxFailures: require("maxFailures", options.maxFailures ?? MAX_FAILURES, 1),
  };
}

function createQuestion(view: View, settings: Settings): Question | undefined {
  const span = chooseSpan(view, settings);
  if (!span || span.tokens < settings.leastTokens) return undefined;
  const messages = view.messages.slice(span.first, span.last + 1);
  const [first, last] = [messages[0], messages.at(-1)];
  // A span that is only the last summary would just be summarised again.
  if (!first || !last || (messages.length === 1 && first.id.startsWith(ID_PREFIX))) return undefined;
  const handle = nameOriginal(renderSpan(messages), settings.sha256);
  const { instructions, maxOutputTokens } = settings;
  return {
    id: hashText(`${first.id} ${last.id} ${handle}`),
    first: first.id,
    last: last.id,
    messages,
    instructions,
    tokens: span.tokens,
    maxOutputTokens,
    handle,
  };
}

function judge(question: Question, text: string, { countTokens }: View): Verdict {
  const answer = parseAnswer(text);
  if (answer.kind === "useless") return { kind: "rejected", reason: answer.why };
  const message = renderSoFar(question, answer.summary);
  const tokens = countTokens(message);
  if (tokens >= question.tokens)
    return {
      kind: "rejected",
      reason: `the summary has ${Math.ceil(tokens)} tokens, no fewer than the ${Math.ceil(question.tokens)} tokens that it would replace`,
    };
  const reason = `${question.messages.length} messages summarised, ${answer.memories.length} memories kept`;
  const change = { messages: [message], by: NAME, reason, handles: [question.handle] };
  return { kind: "accepted", edit: replaceSpan(question.messages, change), memories: answer.memories };
}

const ID_PREFIX = "soFar:";

/** The boundary says what was dropped on purpose; the block below it is the new history. */
function renderSoFar(question: Question, summary: string): Message {
  const id = `${ID_PREFIX}${question.id}`;
  const marker = `[COMPACT BOUNDARY: ${question.messages.length} messages before this point were replaced by the summary below; originals: ${question.handle}]`;
  const block = (name: string, text: string): TextBlock => ({
    kind: "text",
    id: `${id}:${name}`,
    text,
    author: "host",
  });
  return { id, role: "user", blocks: [block("boundary", marker), block("summary", `So far:\n${summary}`)] };
}

/** Indices of messages, inclusive. */
type MessageSpan = Exchange & Pick<Question, "tokens">;

/** The heaviest run of old exchanges that may leave as a whole: blocks we do not understand stay, and split it. */
function chooseSpan(view: View, settings: Settings): MessageSpan | undefined {
  const { messages } = view;
  const weights = messages.map((message) => view.countTokens(message));
  const exchanges = splitExchanges(messages);
  const cut = planCut(exchanges, weights, settings);
  let best: MessageSpan | undefined;
  let current: MessageSpan | undefined;
  for (const { first, last } of exchanges.slice(0, cut)) {
    if (messages.slice(first, last + 1).some(hasOpaque)) {
      current = undefined;
      continue;
    }
    const tokens = weights.slice(first, last + 1).reduce((sum, weight) => sum + weight, current?.tokens ?? 0);
    current = { first: current?.first ?? first, last, tokens };
    if (!best || tokens > best.tokens) best = current;
  }
  return best;
}

/** How many exchanges from the start may go: those before the last `keepTokens`, and never the last `keepExchanges`. */
function planCut(exchanges: readonly Exchange[], weights: readonly number[], settings: Settings): number {
  let cut = exchanges.length;
  let kept = 0;
  while (cut > 0 && (exchanges.length - cut < settings.keepExchanges || kept < settings.keepTokens)) {
    cut--;
    const { first, last } = exchanges[cut] ?? { first: 0, last: -1 };
    for (let index = first; index <= last; index++) kept += weights[index] ?? 0;
  }
  return cut;
}
