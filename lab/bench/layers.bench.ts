/** The layers: what planning takes on the last request of every recorded session, how it grows, and how seldom the dear ones act. */
import { createHash } from "node:crypto";
import type { View } from "../../src/core/layer.ts";
import { emptyLedger } from "../../src/core/layer.ts";
import type { Message } from "../../src/core/message.ts";
import { runPipeline } from "../../src/core/pipeline.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createLayers, type Layers } from "../../src/layers/catalogue.ts";
import { estimateMessageTokens } from "../../src/models/tokens.ts";
import {
  createCachedCounter,
  createRecordedHistory,
  type RecordedHistory,
} from "../../test/layers/recorded-history.ts";
import { hasCorpus, readCorpus } from "./corpus.ts";
import { median } from "./measure.ts";

const LIMIT_MS = 20;
/** The point where the client compacts a window of 200,000, less what stands before the messages. */
const LINE_TOKENS = 147_000;
const ROUNDS = 5;
const SIZES = [1_000, 10_000, 100_000];

type Plan = (layers: Layers, view: View) => unknown;

/** What is timed of each layer: its plan, for the third the question, for the fourth the hardest it can do. */
const PLANS: Readonly<Record<string, Plan>> = {
  foldOutputs: (layers, view) => layers.foldOutputs.plan(view),
  clearStale: (layers, view) => layers.clearStale.plan(view),
  autoCompact: (layers, view) => layers.autoCompact.ask(view),
  reactToOverflow: (layers, view) => layers.reactToOverflow.planHarder(view),
  collapseExchanges: (layers, view) => layers.collapseExchanges.plan(view),
};

export async function run(): Promise<void> {
  if (!hasCorpus) console.log("no recorded sessions here");
  const sent: RecordedHistory[] = [];
  const whole: RecordedHistory[] = [];
  for await (const { recording } of readCorpus()) {
    sent.push(createRecordedHistory(recording, "lastCompaction"));
    whole.push(createRecordedHistory(recording, "start"));
  }
  if (sent.length > 0) timeRecorded(sent);
  timeGrowth();
  if (whole.length === 0) return;
  for (const eager of [false, true]) countStops(whole, eager);
}

function createView(messages: readonly Message[], targetTokens = 0): View {
  const countTokens = createCachedCounter((message) => estimateMessageTokens(message, "classic"));
  // The pipeline has weighed the view before it asks a layer.
  const tokens = messages.reduce((sum, message) => sum + countTokens(message), 0);
  return { messages, tokens, targetTokens, countTokens };
}

function timeRecorded(histories: readonly RecordedHistory[]): void {
  const views = histories
    .map(({ messages, requests }) => createView(messages.slice(0, requests.at(-1))))
    .filter(({ messages }) => messages.length > 0);
  // A code path runs slowly the first times, whoever's session it is.
  for (const view of views.slice(0, 10)) for (const plan of Object.values(PLANS)) plan(prepare(), view);
  for (const [name, plan] of Object.entries(PLANS)) {
    const perThousand = views.map((view) => timePlan(plan, view) / Math.max(1, countBlocks(view) / 1000));
    const sorted = [...perThousand].sort((left, right) => left - right);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    console.log(
      `${name}, last request of ${views.length} sessions, CPU per 1,000 blocks: median ${median(sorted).toFixed(1)} ms, p95 ${p95.toFixed(1)} (limit ${LIMIT_MS}), most ${(sorted.at(-1) ?? 0).toFixed(1)}`,
    );
  }
}

function timeGrowth(): void {
  for (const [name, plan] of Object.entries(PLANS)) {
    const times = SIZES.map((blocks) => timePlan(plan, createView(makeHistory(blocks))));
    const perBlock = times.map((ms, index) => ((ms * 1000) / (SIZES[index] ?? 1)).toFixed(1));
    console.log(
      `${name} at ${SIZES.join(", ")} blocks: ${times.map((ms) => ms.toFixed(1)).join(", ")} ms; per block ${perBlock.join(", ")} µs (linear: the same)`,
    );
  }
}

/** Every request of every session as if nobody had compacted it, with the decisions of the requests before. */
function countStops(histories: readonly RecordedHistory[], eager: boolean): void {
  let requests = 0;
  const acted = new Map<string, number>();
  for (const { messages, requests: ends } of histories) {
    const countTokens = createCachedCounter((message) => estimateMessageTokens(message, "classic"));
    const { row } = prepare(eager);
    let ledger = emptyLedger;
    for (const end of ends) {
      const view = messages.slice(0, end);
      const result = runPipeline({ messages: view, layers: row, ledger, targetTokens: LINE_TOKENS, countTokens });
      ({ ledger } = result);
      requests++;
      const deepest = result.report.layers.findLast(({ applied }) => applied > 0)?.layer ?? "none";
      acted.set(deepest, (acted.get(deepest) ?? 0) + 1);
    }
  }
  const dear = [...acted].filter(([name]) => name !== "none" && name !== "foldOutputs");
  const beyond = dear.reduce((sum, [, count]) => sum + count, 0);
  const share = ((1 - beyond / requests) * 100).toFixed(2);
  console.log(
    `${requests} requests, line at ${LINE_TOKENS} tokens, collapse ${eager ? "at its own trigger" : "above the line only"}: ${share} % stop at layer 1 (at least 99); deepest that acted: ${[...acted].map(([name, count]) => `${name} ${count}`).join(", ")}`,
  );
}

function prepare(eager = true): Layers {
  return createLayers({ vocabulary: claudeCodeVocabulary, sha256: hashNatively, collapseExchanges: { eager } });
}

/** As an entry point in Node has it. Half a surrogate pair is other bytes there. */
function hashNatively(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? sha256(text) : createHash("sha256").update(text).digest("hex");
}

/** CPU time of the quickest of some rounds: on a shared machine the clock on the wall measures the neighbours. */
function timePlan(plan: Plan, view: View): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const layers = prepare();
    const before = process.cpuUsage();
    plan(layers, view);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

function countBlocks({ messages }: View): number {
  return messages.reduce((sum, { blocks }) => sum + blocks.length, 0);
}

/** Four blocks a exchange: words, a call, its result of about a recorded one's length, now and then a large one. */
function makeHistory(blocks: number): readonly Message[] {
  return Array.from({ length: blocks / 4 }, (_, exchange): readonly Message[] => {
    const callId = `call ${exchange}`;
    const path = `src/file${exchange % 10}.ts`;
    const tool = exchange % 3 === 0 ? "Read" : exchange % 7 === 0 ? "Edit" : "Bash";
    const text = `${exchange}: const value${exchange} = compute(${exchange});\n`.repeat(exchange % 25 === 0 ? 200 : 20);
    return [
      {
        id: `a${exchange}`,
        role: "assistant",
        blocks: [
          { kind: "text", id: `t${exchange}`, text: `Now ${path}.`, author: "model" },
          { kind: "toolCall", id: `c${exchange}`, callId, tool, input: { file_path: path, command: `cat ${path}` } },
        ],
      },
      {
        id: `u${exchange}`,
        role: "user",
        blocks: [
          { kind: "toolResult", id: `r${exchange}`, callId, isError: false, parts: [{ kind: "text", text }] },
          { kind: "text", id: `n${exchange}`, text: `reminder ${exchange % 3}`, author: "host" },
        ],
      },
    ];
  }).flat();
}
