/** What a compaction costs over the next requests, next to the client's own at the same place, at the prices of today. */

import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Block, Message } from "../../src/core/message.ts";
import { hostOf, readSession } from "../../src/hosts/catalogue.ts";
import { DEFAULT_POLICY } from "../../src/layers/options/policy-settings.ts";
import { rateModel } from "../../src/models/economics/rates.ts";
import { countRecoveryUnits, FETCHES_PER_REQUEST, RECOVERY_PAGE_TOKENS } from "../../src/models/economics/recovery.ts";
import { compactionAsked } from "../../src/policy/compaction-asked.ts";
import { COMPACTION_RESERVE_TOKENS, createBackstop } from "../../src/replay/policies/native.ts";
import type { StepView } from "../../src/replay/policy.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { weighUnrecorded } from "../../src/replay/walk-session.ts";
import { hasCorpus, listCorpus } from "./corpus.ts";
import { median } from "./measure.ts";

const MODELS: readonly string[] = ["claude-opus-5-5", "claude-sonnet-5-5"];
const PLACES: readonly number[] = [80_000, 200_000];
const HORIZONS: readonly number[] = [2, 5, 10, 20];

/** Sizes without the base: before, after ours, after the client's, and what the client's request for a summary writes. */
interface Place {
  readonly baseTokens: number;
  readonly before: number;
  readonly ours: number;
  readonly theirs: number;
  readonly summaryTokens: number;
}

export async function run(): Promise<void> {
  if (!hasCorpus) return console.log("skipped: no recorded sessions beside the project");
  const sessions = listCorpus().flatMap(prepare);
  for (const tokens of PLACES) {
    const places = sessions.flatMap((session) => measure(session, tokens) ?? []);
    const sizes = (["before", "ours", "theirs"] as const).map((name) => median(places.map((place) => place[name])));
    console.log(
      `at ${tokens / 1000}k, ${places.length} sessions; medians behind the base: ${sizes.map(Math.round).join(", ")}`,
    );
    for (const model of MODELS) {
      const cells = HORIZONS.map((requests) => {
        const costs = places.map((place) => price(place, model, requests));
        const usd = (which: "none" | "ours" | "theirs"): string => median(costs.map((cost) => cost[which])).toFixed(2);
        const cheaper = costs.filter(({ ours, theirs }) => ours < theirs).length;
        return `${requests}: $${usd("ours")} / $${usd("theirs")} / $${usd("none")} (${cheaper} of ${costs.length})`;
      });
      console.log(`  ${model}, ours / client's / none (ours cheaper than the client's): ${cells.join("; ")}`);
    }
  }
}

function prepare(file: string): readonly ReplaySession[] {
  const { recording, tally, entries } = readSession(file);
  const root = entries.find(({ cwd }) => cwd)?.cwd ?? "";
  const { vocabulary, restoresFiles = false } = hostOf(file);
  const source = { name: file, recording, brokenLines: tally.malformed, root, vocabulary, restoresFiles };
  const session = prepareSession(source);
  return "why" in session ? [] : [session];
}

/** The first request at which the whole conversation, with nothing compacted, has this size. */
function measure(session: ReplaySession, tokens: number): Place | undefined {
  const { baseTokens, tokenizer, weights, vocabulary, root } = session;
  const weigh = (block: Block): number => weights.get(block) ?? weighUnrecorded(block, tokenizer);
  const countTokens = ({ blocks }: Message): number => blocks.reduce((sum, block) => sum + weigh(block), 0);
  const sum = (list: readonly Message[]): number => list.reduce((total, message) => total + countTokens(message), 0);
  const messages: Message[] = [];
  let before = 0;
  for (const [step, { joined, model, atMs: nowMs }] of session.steps.entries()) {
    messages.push(...joined);
    before += sum(joined);
    if (baseTokens + before < tokens) continue;
    const ours = compactionAsked({ messages, policy: DEFAULT_POLICY, vocabulary, model, root });
    const view: StepView = {
      ...{ step, messages, sentMessages: messages.length, tokens: before, baseTokens, countTokens, nowMs, model },
      ...{ windowTokens: COMPACTION_RESERVE_TOKENS, isCold: false, share1h: 0 },
    };
    const client = createBackstop({ session }).plan(view);
    const theirs = applyEdits(messages, client.edits, undefined, "mayGo").messages;
    const summaryTokens = client.asked?.outputTokens ?? 0;
    return { baseTokens, before, ours: sum(ours.messages), theirs: sum(theirs), summaryTokens };
  }
  return undefined;
}

/** Dollars of the compaction and so many requests after it, without their answers and what is new in them. */
function price({ baseTokens, before, ours, theirs, summaryTokens }: Place, model: string, requests: number) {
  const { read, write5m: write, output, usdPerUnit = 0 } = rateModel(model);
  const send = (behind: number): number =>
    baseTokens * read + behind * write + (requests - 1) * (baseTokens + behind) * read;
  const recalls =
    requests *
    FETCHES_PER_REQUEST *
    countRecoveryUnits(baseTokens + ours, RECOVERY_PAGE_TOKENS, { read, write, output });
  const summary = (baseTokens + before) * read + summaryTokens * output;
  return {
    none: requests * (baseTokens + before) * read * usdPerUnit,
    ours: (send(ours) + recalls) * usdPerUnit,
    theirs: (summary + send(theirs)) * usdPerUnit,
  };
}
