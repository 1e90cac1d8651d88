import type { ReplaceSpan } from "../core/edit.ts";
import { hashText } from "../core/hash.ts";
import type { View } from "../core/layer.ts";
import type { Message, TextBlock } from "../core/message.ts";
import { replaceSpan } from "../core/propose-edit.ts";
import type { ExtractedMemory } from "../library/prompt/memory/merge-memories.ts";
import { type Exchange, hasOpaque, splitExchanges } from "./history/exchanges.ts";
import { listOriginals } from "./history/list-originals.ts";
import { type Hash, nameOriginal, renderSpan, type StoringLayer } from "./history/originals.ts";
import { parseNumbers } from "./options/policy-settings.ts";

/** What to ask a model, as data; the caller does the asking. */
interface Question {
  /** The same span gives the same id, so that a late answer can still be matched. */
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly messages: readonly Message[];
  readonly instructions: string;
  /** The span's size: an answer must be smaller. */
  readonly tokens: number;
  /** Maximum size of the answer; reserved in the window until it arrives. */
  readonly maxOutputTokens: number;
  readonly handle: string;
}

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

/** Used until a person's own sizes are known: 99.99 % of summaries had at most 17,387 tokens. */
export const RESERVED_TOKENS = 20_000;

/** Asks for both parts in one answer, so that nothing is summarised without extracting lasting facts. */
const INSTRUCTIONS = `Summarise the conversation above so that the work can go on without it. Do not call tools.
Answer with exactly these two parts:

<summary>
What the user asked for, in their words where it matters. What was done, with paths and lines. What was decided, and why.
What was tried and failed, one line each. What is still open, and the very next step (file, line, symbol).
</summary>
<memories>
What will still be true in other sessions: preferences, conventions, decisions, facts about the project. One per line, a topic
of one or two words first: "- Release: tag before publishing". Write "none" where there is nothing.
</memories>

Keep every number, name and path exactly. Leave out file contents and tool output: they can be fetched again.`;

const NAME = "autoCompact";
const DEFAULTS = {
  summaryTokensP9999: RESERVED_TOKENS,
  keepExchanges: 1,
  keepTokens: 10_000,
  leastTokens: 10_000,
  maxFailures: 3,
};
const LEAST = { summaryTokensP9999: 1, keepExchanges: 1, maxFailures: 1 };

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

type Settings = typeof DEFAULTS & { readonly instructions: string; readonly sha256: Hash | undefined };

function parseOptions(options: AutoCompactOptions): Settings {
  const { instructions = INSTRUCTIONS, sha256 } = options;
  if (instructions.trim() === "")
    throw new TypeError("instructions must not be empty: leave the option out to use the built-in instructions");
  const fix = "leave the option out to use its default";
  return { ...parseNumbers(DEFAULTS, options, { least: LEAST, fix }), instructions, sha256 };
}

function createQuestion(view: View, settings: Settings): Question | undefined {
  const span = chooseSpan(view, settings);
  if (!span || span.tokens < settings.leastTokens) return undefined;
  const messages = view.messages.slice(span.first, span.last + 1);
  const [first, last] = [messages[0], messages.at(-1)];
  // A span that is only the last summary would just be summarised again.
  if (!first || !last || (messages.length === 1 && first.id.startsWith(ID_PREFIX))) return undefined;
  const handle = nameOriginal(renderSpan(messages), settings.sha256);
  const { instructions, summaryTokensP9999: maxOutputTokens } = settings;
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

function judge(question: Question, answer: string, { countTokens }: View): Verdict {
  const summary = findTag(answer, "summary");
  if (summary === undefined) return reject("the answer has no <summary>");
  if (summary === "") return reject("the summary is empty");
  const noted = findTag(answer, "memories");
  // Never one without the other: lasting facts would be lost with the rest.
  if (noted === undefined) return reject("the answer has no <memories>");
  const message = renderSoFar(question, summary);
  const tokens = countTokens(message);
  if (tokens >= question.tokens)
    return reject(
      `the summary has ${Math.ceil(tokens)} tokens, no fewer than the ${Math.ceil(question.tokens)} tokens that it would replace`,
    );
  const memories = parseMemories(noted);
  const reason = `${question.messages.length} messages summarised, ${memories.length} memories kept`;
  const change = { messages: [message], by: NAME, reason, handles: [question.handle] };
  return { kind: "accepted", edit: replaceSpan(question.messages, change), memories };
}

function reject(reason: string): Verdict {
  return { kind: "rejected", reason };
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

/** From the first opening to the last closing tag, because a summary may itself mention tags. */
function findTag(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from < 0 || to < from ? undefined : text.slice(from + tag.length + 2, to).trim();
}

const DEFAULT_TOPIC = "General";
/** `Release: tag before publishing`. A topic is short, and `https://…` is not one. */
const TOPIC = /^([^:\n]{1,40}):\s+(\S.*)$/;

function parseMemories(text: string): readonly ExtractedMemory[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*[-*]\s+/, "").trim())
    .filter((line) => line !== "" && !/^\(?none\)?\.?$/i.test(line))
    .map((line) => {
      const [, topic = DEFAULT_TOPIC, lesson = line] = TOPIC.exec(line) ?? [];
      return { topic, text: lesson };
    });
}
