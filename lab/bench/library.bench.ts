/**
 * What a loop pays for seven recorded sessions at three load lines: `compact` as it comes, next to the AI SDK's and LangChain's own
 * ways and the whole history. One session of each repository; `--tune` takes the repositories that are not judged by.
 */
import { statSync } from "node:fs";
import path from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { pruneMessages } from "ai";
import { ClearToolUsesEdit, countTokensApproximately, summarizationMiddleware } from "langchain";
import { isObject } from "../../src/core/json.ts";
import type { Message } from "../../src/core/message.ts";
import { zeroUsage } from "../../src/core/usage.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { type CompactOptions, createCompactor } from "../../src/index.ts";
import { parseSections } from "../../src/layers/ledger/sections.ts";
import { priceByList } from "../../src/models/economics/spend.ts";
import { estimateTextTokens, tokenizerOf } from "../../src/models/tokens.ts";
import { findNeeds, type Needs } from "../../src/replay/needs.ts";
import { isUnlogged, prepareSession } from "../../src/replay/prepare-session.ts";
import { createPromptCache } from "../../src/replay/prompt-cache.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { renderReadableCall } from "../../src/survive/recall/answer-recall.ts";
import { listCorpus } from "./corpus.ts";
import { renderAiSdk, renderAnthropic, renderLangchain } from "./library-formats.ts";

const MODEL = "claude-sonnet-4-6";
const LINES = [20_000, 40_000, 100_000];
const SESSIONS = 7;
/** A long session is cut here, so that the run takes minutes. */
const MAX_REQUESTS = 250;
/** System prompt and tools of an agent that somebody builds. */
const BASE_TOKENS = 5_000;

export async function run(options: readonly string[] = []): Promise<void> {
  const only = options.find((option) => option.startsWith("--only="))?.slice(7);
  const lines =
    options
      .find((option) => option.startsWith("--lines="))
      ?.slice(8)
      .split(",")
      .map(Number) ?? LINES;
  const sessions = chooseSessions(options.includes("--tune"));
  console.log(
    `${sessions.length} sessions: ${sessions.map(({ name, steps }) => `${name} (${steps.length})`).join(", ")}`,
  );
  console.log(
    "| line | what is sent by | price | prefix breaks | largest request | above the line | in view | reachable |\n|---|---|---|---|---|---|---|---|",
  );
  for (const line of lines) {
    for (const [name, create] of Object.entries(createSenders(line))) {
      if (only !== undefined && !only.split(",").includes(name)) continue;
      const bill = newBill();
      for (const session of sessions) await walk(session, create(), { line, bill });
      const share = (count: number): string => `${((100 * count) / bill.needs).toFixed(1)} %`;
      console.log(
        `| ${line / 1000}k | ${name} | $${bill.usd.toFixed(2)} (recalls $${bill.recallUsd.toFixed(2)}) | ${bill.breaks} | ${Math.round(bill.peakTokens / 1000)}k | ${bill.above} of ${bill.requests} | ${share(bill.inView)} | ${share(bill.inView + bill.reached)} |`,
      );
    }
  }
}

/** The longest session of each repository, every other repository to judge by. */
function chooseSessions(isTuning: boolean): readonly ReplaySession[] {
  const files = [...listCorpus()].sort((one, other) => statSync(other).size - statSync(one).size);
  const repositories = [...new Set(files.map((file) => path.basename(path.dirname(file))))].sort();
  const wanted = repositories.filter((_, at) => (at % 2 === 0) !== isTuning).slice(0, SESSIONS);
  return wanted.flatMap((repository) => {
    for (const file of files.filter((each) => path.basename(path.dirname(each)) === repository)) {
      const { recording } = readRecording(file);
      const session = prepareSession({
        name: repository,
        recording,
        brokenLines: 0,
        root: "",
        vocabulary: claudeCodeVocabulary,
      });
      if ("why" in session) continue;
      return [{ ...session, steps: session.steps.slice(0, MAX_REQUESTS) }];
    }
    return [];
  });
}

/** A way to send a conversation: what goes out, what was stored of what did not, and what a model was paid for next to it. */
interface Sender {
  send(history: readonly Message[], joined: readonly Message[]): Promise<Sent>;
}

interface Sent {
  readonly messages: readonly object[];
  readonly stored?: readonly string[];
  readonly asked?: { readonly inputTokens: number; readonly outputTokens: number };
}

function createSenders(line: number): Readonly<Record<string, () => Sender>> {
  return {
    whole: () => ({ send: async (history) => ({ messages: history.map(anthropicOf) }) }),
    default: () => createOwn({ targetTokens: line }),
    "balanced, as the gateway has it": () =>
      createOwn({
        targetTokens: line,
        layers: { vocabulary: claudeCodeVocabulary, collapseExchanges: { patience: 1 } },
      }),
    'policy: "off"': () => createOwn({ targetTokens: line, policy: "off" }),
    pruneMessages: () => createPrune(line),
    contextEditingMiddleware: () => createClear(line),
    summarizationMiddleware: () => createSummary(line),
  };
}

function createOwn(options: CompactOptions): Sender {
  const compactor = createCompactor({ model: MODEL, layers: { vocabulary: claudeCodeVocabulary }, ...options });
  return {
    async send(history) {
      const { messages, originals } = await compactor.prepare(history.map(anthropicOf));
      return { messages, stored: originals.map(({ text }) => text) };
    },
  };
}

function createPrune(line: number): Sender {
  return {
    async send(history) {
      const all = history.flatMap(aiSdkOf);
      if (sum(all.map(weigh)) <= line) return { messages: all };
      const settings = {
        reasoning: "before-last-message",
        toolCalls: "before-last-2-messages",
        emptyMessages: "remove",
      } as const;
      return { messages: pruneMessages({ messages: all, ...settings }) };
    },
  };
}

function createClear(line: number): Sender {
  const edit = new ClearToolUsesEdit({ trigger: { tokens: line } });
  const model = new FakeListChatModel({ responses: [""] });
  return {
    async send(history) {
      const messages = history.flatMap(langchainOf);
      await edit.apply({ messages, model, countTokens: countTokensApproximately });
      return { messages };
    },
  };
}

const SUMMARY = "What was done so far, what was decided, and what is next. ".repeat(80);
/** Of what leaves, the middleware shows its model this much. */
const SUMMARISED_TOKENS = 4_000;

/** The state of the agent is what it summarises: later requests go on from there. */
function createSummary(line: number): Sender {
  const model = new FakeListChatModel({ responses: [SUMMARY] });
  const { beforeModel } = summarizationMiddleware({
    model,
    trigger: { tokens: line },
    keep: { messages: 20 },
  } as never);
  const hook = typeof beforeModel === "function" ? beforeModel : beforeModel?.hook;
  let state: readonly BaseMessage[] = [];
  return {
    async send(_, joined) {
      state = [...state, ...joined.flatMap(langchainOf)];
      const found: unknown = await hook?.({ messages: [...state] } as never, { context: {} } as never);
      if (!isObject(found as never)) return { messages: state };
      state = (found as unknown as { messages: BaseMessage[] }).messages.filter(({ type }) => type !== "remove");
      return {
        messages: state,
        asked: { inputTokens: SUMMARISED_TOKENS, outputTokens: estimateTextTokens(SUMMARY, TOKENIZER) },
      };
    },
  };
}

const anthropicOf = keep(renderAnthropic);
const aiSdkOf = keep(renderAiSdk);
const langchainOf = keep(renderLangchain);

function keep<Value extends object>(render: (message: Message) => Value): (message: Message) => Value {
  const known = new WeakMap<Message, Value>();
  return (message) => {
    const value = known.get(message) ?? render(message);
    known.set(message, value);
    return value;
  };
}

const TOKENIZER = tokenizerOf(MODEL);
const texts = new WeakMap<object, string>();
const weights = new Map<string, number>();

/** What a message says, in whichever format. */
function textOf(message: object): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const leaves: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      if (!NAMES.has(key)) leaves.push(value);
    } else if (Array.isArray(value)) for (const item of value) visit(item, key);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name);
  };
  const { content, tool_calls } = message as { content?: unknown; tool_calls?: unknown };
  visit(content, "content");
  visit(tool_calls, "tool_calls");
  const text = leaves.join("\n");
  texts.set(message, text);
  return text;
}

const NAMES: ReadonlySet<string> = new Set([
  "type",
  "role",
  "id",
  "signature",
  "media_type",
  "data",
  "tool_use_id",
  "toolCallId",
]);

function weigh(message: object): number {
  const text = textOf(message);
  const known = weights.get(text) ?? estimateTextTokens(text, TOKENIZER);
  weights.set(text, known);
  return known;
}

interface Bill {
  usd: number;
  recallUsd: number;
  requests: number;
  breaks: number;
  above: number;
  peakTokens: number;
  needs: number;
  inView: number;
  reached: number;
}

function newBill(): Bill {
  return { usd: 0, recallUsd: 0, requests: 0, breaks: 0, above: 0, peakTokens: 0, needs: 0, inView: 0, reached: 0 };
}

async function walk(
  session: ReplaySession,
  sender: Sender,
  { line, bill }: { line: number; bill: Bill },
): Promise<void> {
  const cache = createPromptCache();
  const needs = findNeeds(session);
  const fetching = createFetching(needs);
  const history: Message[] = [];
  let before: readonly string[] = [];
  let [readable, hasBroken] = [0, false];
  for (const [step, { joined, outputTokens, atMs }] of session.steps.entries()) {
    const own = joined
      .filter(({ role }) => role !== "system")
      .map(dropUnlogged)
      .filter(({ blocks }) => blocks.length > 0);
    history.push(...own);
    const { messages, stored = [], asked } = await sender.send(history, own);
    const said = messages.map(textOf);
    const tokens = messages.map(weigh);
    const unchanged = countCommon(before, said);
    hasBroken = unchanged < before.length;
    before = said;
    const use = cache.send({
      atMs,
      model: MODEL,
      baseTokens: BASE_TOKENS,
      blocks: messages,
      tokens,
      unchanged,
      share1h: 0,
    });
    const viewTokens = sum(tokens);
    bill.requests++;
    if (hasBroken) bill.breaks++;
    if (viewTokens > line) bill.above++;
    bill.peakTokens = Math.max(bill.peakTokens, viewTokens);
    bill.usd += price({ ...use, outputTokens });
    if (asked) bill.usd += price(asked);
    readable = BASE_TOKENS + viewTokens;
    const { calls } = fetching.look(step, { said, stored, bill });
    if (calls === 0) continue;
    const usd = price({
      cacheReadTokens: readable,
      cacheWrite5mTokens: calls * PAGE_TOKENS,
      outputTokens: calls * CALL_TOKENS,
    });
    bill.usd += usd;
    bill.recallUsd += usd;
  }
}

const PAGE_TOKENS = 2_000;
const CALL_TOKENS = 150;
/** What was fetched stays in view for about as long. */
const FETCHED_STEPS = 20;

/** What the next answer used: in view, behind a handle (then fetched, and paid for), or gone. */
function createFetching(needs: Needs) {
  const stored = new Set<number>();
  const fetched = new Map<object, number>();
  const atoms = new Map<string, Int32Array>();
  const atomsOf = (text: string): Int32Array => {
    const known = atoms.get(text) ?? needs.index(text);
    atoms.set(text, known);
    return known;
  };
  return {
    look(step: number, sent: { said: readonly string[]; stored: readonly string[]; bill: Bill }): { calls: number } {
      for (const text of sent.stored.flatMap(listReadable)) for (const atom of needs.index(text)) stored.add(atom);
      const inView = new Set<number>();
      for (const text of sent.said) for (const atom of atomsOf(text)) inView.add(atom);
      let calls = 0;
      for (const { atom } of needs.bySteps[step] ?? []) {
        sent.bill.needs++;
        if (inView.has(atom)) sent.bill.inView++;
        else if (stored.has(atom)) {
          sent.bill.reached++;
          const source = needs.sources[atom]?.at(-1)?.block ?? needs;
          const last = fetched.get(source);
          if (last === undefined || step - last >= FETCHED_STEPS) {
            fetched.set(source, step);
            calls++;
          }
        }
      }
      return { calls };
    },
  };
}

/** An original as recall gives it back: a call's input is stored as JSON, and shown with its line breaks. */
function listReadable(original: string): readonly string[] {
  return [...(parseSections(original)?.values() ?? [original])].map(renderReadableCall);
}

function price(tokens: Partial<typeof zeroUsage>): number {
  return priceByList({ ...zeroUsage, ...tokens }, MODEL, { atMs: undefined })?.totalUsd ?? Number.NaN;
}

function dropUnlogged(message: Message): Message {
  const blocks = message.blocks.filter((block) => !isUnlogged(block));
  return blocks.length === message.blocks.length ? message : { ...message, blocks };
}

function countCommon(before: readonly string[], after: readonly string[]): number {
  const at = before.findIndex((text, index) => text !== after[index]);
  return at < 0 ? before.length : at;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
