/**
 * `compact` as the package has it, over recorded sessions cut at 1.6 MB: processor time without a ledger and with the one that came back,
 * in a fresh process and in one that has done it before; next to what the AI SDK and LangChain do with the same conversation.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { pruneMessages } from "ai";
import { ClearToolUsesEdit, countTokensApproximately, summarizationMiddleware } from "langchain";
import type { Block, Message } from "../../src/core/message.ts";
import { renderResultText } from "../../src/core/message.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { compact } from "../../src/index.ts";
import { createRecordedHistory } from "../../test/layers/recorded-history.ts";
import { listCorpus } from "./corpus.ts";
import { renderAiSdk, renderAnthropic, renderLangchain } from "./library-formats.ts";
import { median } from "./measure.ts";

const CHARACTERS = 1.6e6;
const SESSIONS = 6;
const LINE_TOKENS = 60_000;
const DIST = path.resolve(import.meta.dirname, "../../dist/index.js");

export async function run(): Promise<void> {
  const found: { readonly messages: readonly Message[]; readonly size: number }[] = [];
  const files = [...listCorpus()].sort((left, right) => statSync(right).size - statSync(left).size);
  for (const file of files.slice(0, SESSIONS * 2)) {
    const { recording } = readRecording(file);
    const messages = createRecordedHistory(recording, "start").messages.filter(({ role }) => role !== "system");
    let size = 0;
    const end = messages.findIndex((message) => {
      size += JSON.stringify(message).length;
      return size > CHARACTERS;
    });
    found.push({ messages: end < 0 ? messages : messages.slice(0, end), size });
  }
  const longest = found.sort((left, right) => right.size - left.size).slice(0, SESSIONS);
  await time(longest.map(({ messages }) => messages.map(renderAnthropic)));
  const outcomes: Outcome[] = [];
  for (const { messages } of longest) outcomes.push(...(await compare(messages)));
  for (const name of new Set(outcomes.map((outcome) => outcome.name))) {
    const own = outcomes.filter((outcome) => outcome.name === name);
    const middle = (field: Exclude<keyof Outcome, "name">): string => median(own.map((each) => each[field])).toFixed(0);
    const reached = own.filter(({ after }) => after <= LINE_TOKENS).length;
    const least = Math.min(...own.map(({ within }) => within)).toFixed(0);
    console.log(
      `${name}: ${middle("before")} tokens to ${middle("after")}, the line reached in ${reached} of ${own.length}, ${middle("inView")} % of the text in view, at least ${least} % in view or fetched, ${middle("ms")} ms`,
    );
  }
}

/** Each session in a process of its own, as an agent that has just started, and again in the same process. */
async function time(sessions: readonly (readonly object[])[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  try {
    const rounds = sessions.map((messages, index) => {
      const file = path.join(folder, `${index}.json`);
      writeFileSync(file, JSON.stringify(messages));
      const words = ["--input-type=module", "-e", CHILD, DIST, file];
      const answer: readonly (readonly [number, number])[] = JSON.parse(
        execFileSync(process.execPath, words, { encoding: "utf8" }),
      );
      return answer;
    });
    const show = (which: 0 | 1, from: number): string => {
      const times = rounds.map((round) =>
        median(round.slice(from, from === 0 ? 1 : undefined).map((pair) => pair[which])),
      );
      return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
    };
    console.log(
      `CPU over ${sessions.length} sessions of 1.6 MB or nearly: first call of a process ${show(0, 0)}, with its ledger ${show(1, 0)}`,
    );
    console.log(`again in that process: ${show(0, 1)} (at most 150), with the ledger ${show(1, 1)} (at most 60)`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CHILD = `
import { readFileSync } from "node:fs";
const { compact } = await import(process.argv[1]);
const text = readFileSync(process.argv[2], "utf8");
const measure = async (options) => {
  const messages = JSON.parse(text);
  const before = process.cpuUsage();
  const { ledger } = await compact(messages, { targetTokens: ${LINE_TOKENS}, store() {}, ...options });
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, ledger };
};
const rounds = [];
for (let round = 0; round < 6; round++) {
  const { ms, ledger } = await measure({});
  rounds.push([ms, (await measure({ ledger })).ms]);
}
console.log(JSON.stringify(rounds));`;

interface Outcome {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** Per cent of the characters of texts and results that are there whole, but for how their lines are set. */
  readonly inView: number;
  readonly within: number;
  readonly ms: number;
}

type Format = "anthropic" | "ai-sdk" | "langchain";

/** What each leaves of one conversation; tokens by one estimate. */
async function compare(messages: readonly Message[]): Promise<readonly Outcome[]> {
  const texts = messages
    .flatMap(({ blocks }) => blocks.flatMap(textOf))
    .map((text) => squeeze(JSON.stringify(text).slice(1, -1)));
  const weigh = async (left: readonly object[], format: Format): Promise<number> =>
    (await compact(left, { format, targetTokens: Number.MAX_SAFE_INTEGER })).report.tokensBefore;
  const sum = (found: readonly string[]): number => found.reduce((total, text) => total + text.length, 0);
  const shareIn = (kept: string): number => {
    const all = squeeze(kept);
    return (sum(texts.filter((text) => all.includes(text.trim()))) / sum(texts)) * 100;
  };
  const outcomes: Outcome[] = [];
  const report = async (name: string, format: Format, work: () => Promise<Left> | Left): Promise<void> => {
    await work();
    const start = process.cpuUsage();
    const { left, fetched = "" } = await work();
    const { user, system } = process.cpuUsage(start);
    const view = JSON.stringify(left);
    const [inView, within] = [shareIn(view), shareIn(view + fetched)];
    outcomes.push({ name, before, after: await weigh(left, format), inView, within, ms: (user + system) / 1000 });
  };
  const anthropic = messages.map(renderAnthropic);
  const aiSdk = messages.flatMap(renderAiSdk);
  const model = new FakeListChatModel({ responses: ["What was done so far, in a few words."] });
  const before = await weigh(anthropic, "anthropic");
  await report("compact", "anthropic", async () => {
    const { messages: left, originals } = await compact(anthropic, { targetTokens: LINE_TOKENS });
    return {
      left,
      fetched: originals
        .map(({ text }) => (text.startsWith("plimsoll sections") ? text : JSON.stringify(text)))
        .join("\n"),
    };
  });
  await report("pruneMessages", "ai-sdk", () => ({
    left: pruneMessages({
      messages: aiSdk,
      reasoning: "before-last-message",
      toolCalls: "before-last-2-messages",
      emptyMessages: "remove",
    }),
  }));
  await report("contextEditingMiddleware", "langchain", async () => {
    const left = messages.flatMap(renderLangchain);
    await new ClearToolUsesEdit({ trigger: { tokens: LINE_TOKENS } }).apply({
      messages: left,
      model,
      countTokens: countTokensApproximately,
    });
    return { left };
  });
  await report("summarizationMiddleware", "langchain", async () => {
    // Its type asks for another version of zod.
    const { beforeModel } = summarizationMiddleware({
      model,
      trigger: { tokens: LINE_TOKENS },
      keep: { messages: 20 },
    } as never);
    const hook = typeof beforeModel === "function" ? beforeModel : beforeModel?.hook;
    const state: unknown = await hook?.(
      { messages: messages.flatMap(renderLangchain) } as never,
      { context: {} } as never,
    );
    return { left: (state as { messages: BaseMessage[] }).messages.filter(({ type }) => type !== "remove") };
  });
  return outcomes;
}

function squeeze(json: string): string {
  return json.replace(/(?:\s|\\[nrt])+/g, " ");
}

interface Left {
  readonly left: readonly object[];
  /** JSON in which what left is found again. */
  readonly fetched?: string;
}

function textOf(block: Block): readonly string[] {
  if (block.kind === "text") return [block.text];
  return block.kind === "toolResult" ? [renderResultText(block)] : [];
}
