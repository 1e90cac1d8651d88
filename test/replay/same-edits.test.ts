/** If red: replay, the library and the gateway make different edits of one conversation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Edit } from "../../src/core/edit.ts";
import type { Occasion } from "../../src/core/layer.ts";
import type { Message } from "../../src/core/message.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { POLICY_SETTINGS, type PolicyName } from "../../src/layers/options/policy-settings.ts";
import { emptyCacheState } from "../../src/models/economics/cache-state.ts";
import { estimateMessageTokens, tokenizerOf } from "../../src/models/tokens.ts";
import { POLICIES } from "../../src/replay/catalogue.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import { createAnthropicFormat } from "../../src/wire/anthropic/messages.ts";
import { createCompactor } from "../../src/wire/compactor.ts";
import { parseConversation, type WireMessage } from "../../src/wire/conversation.ts";
import { tries } from "../support/depth.ts";
import { recordReplaySession } from "../support/replay-session.ts";

const CASES = tries(8, 40);
const MODEL = "claude-sonnet-4-5";
const BASE_TOKENS = 18_000;
const LINE_TOKENS = 167_000;
const WINDOW_TOKENS = 200_000;

interface Round {
  readonly tool: "Bash" | "Read" | "Grep" | "WebFetch" | "Task" | "mcp__deck__log" | "mcp__plimsoll__recall";
  readonly characters: number;
  readonly isError: boolean;
  readonly speaks: boolean;
  readonly isCold: boolean;
}

const arbitraryRound = (sizes: readonly number[]): fc.Arbitrary<Round> =>
  fc.record<Round>({
    tool: fc.constantFrom(
      ...(["Bash", "Bash", "Read", "Grep", "WebFetch", "Task", "mcp__deck__log", "mcp__plimsoll__recall"] as const),
    ),
    characters: fc.constantFrom(...sizes),
    isError: fc.nat(9).map((chance) => chance === 0),
    speaks: fc.nat(5).map((chance) => chance === 0),
    isCold: fc.nat(5).map((chance) => chance === 0),
  });

/** On both sides of what is folded at birth, and of what is too little to be collapsed. */
const arbitraryRounds = fc
  .constantFrom([300, 2_000, 6_000, 17_000, 21_000, 32_000], [300, 900, 2_500])
  .chain((sizes) => fc.array(arbitraryRound(sizes), { minLength: 12, maxLength: 26 }));

/** Enough for every policy to fold and to collapse. */
const HEAVY: Round[] = Array.from({ length: 26 }, (_, index) => ({
  tool: index % 2 === 0 ? "Bash" : "Read",
  characters: 32_000,
  isError: false,
  speaks: index % 5 === 0,
  isCold: false,
}));

/** What each request adds to the conversation, as the API is sent it. */
function recordRounds(rounds: readonly Round[]): readonly (readonly WireMessage[])[] {
  return rounds.map((round, index) => {
    const id = `toolu_${index}`;
    const line = `plank ${index} of the hull, seam ${index * 7}\n`;
    const content = line.repeat(Math.ceil(round.characters / line.length));
    const input = { command: `survey ${index}`, file_path: `/hull/${index % 5}.ts`, pattern: `seam${index}` };
    const said = index === 0 ? "Survey the hull." : `Now deck ${index}.`;
    const words = { type: "text", text: said };
    const called = { role: "assistant", content: [{ type: "tool_use", id, name: round.tool, input }] };
    const result = { type: "tool_result", tool_use_id: id, content, is_error: round.isError };
    const answered = { role: "user", content: round.speaks ? [result, words] : [result] };
    return index === 0 ? [{ role: "user", content: [words] }, called, answered] : [called, answered];
  });
}

function describeOccasion({ isCold }: Round): Occasion {
  return { baseTokens: BASE_TOKENS, model: MODEL, isCold, share1h: 0, marks: "client" };
}

/** What an edit takes out and what it puts there; replay's note next to the ledger stands for one that only the module writes. */
function nameEdits(edits: readonly Edit[]): readonly unknown[] {
  const isNote = ({ id }: Message): boolean => id.startsWith("ledger:standing:");
  return edits.flatMap((edit): readonly unknown[] => {
    if (edit.kind === "replaceBlock") return [{ block: edit.block, content: edit.content }];
    const messages = edit.messages.filter((message) => !isNote(message));
    const isOfNote = edit.first.startsWith("ledger:standing:");
    return isOfNote ? [] : [{ first: edit.first, last: edit.last, messages }];
  });
}

type EntryPoint = (rounds: readonly Round[], policy: PolicyName) => Promise<readonly (readonly unknown[])[]>;

/** The conversation grows by what a request adds, with what was decided before it in its place. */
function createHistory(rounds: readonly Round[]) {
  const added = recordRounds(rounds);
  return (step: number): readonly Message[] => {
    const before = added.slice(0, step).flat().length;
    return parseConversation(added.slice(0, step + 1).flat(), createAnthropicFormat()).messages.slice(before);
  };
}

const askReplay: EntryPoint = async (rounds, policy) => {
  const name = policy === "balanced" ? "plimsoll" : `plimsoll:${policy}`;
  const session = recordReplaySession([], { root: "" });
  const planner = POLICIES.find((candidate) => candidate.name === name)?.create({ session, needs: findNeeds(session) });
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizerOf(MODEL));
  const history = createHistory(rounds);
  let messages: readonly Message[] = [];
  return rounds.map((round, step) => {
    const sentMessages = messages.length;
    messages = [...messages, ...history(step)];
    const tokens = messages.reduce((sum, message) => sum + countTokens(message), 0);
    const known = { step, messages, sentMessages, tokens, countTokens, nowMs: 0, windowTokens: WINDOW_TOKENS };
    const { edits = [] } = planner?.plan({ ...known, ...describeOccasion(round) }) ?? {};
    messages = applyEdits(messages, edits).messages;
    return nameEdits(edits);
  });
};

const askLibrary: EntryPoint = async (rounds, policy) => {
  let occasion = describeOccasion({ isCold: false } as Round);
  const compactor = createCompactor({
    targetTokens: LINE_TOKENS - BASE_TOKENS,
    policy,
    model: MODEL,
    occasion: () => occasion,
    layers: {
      vocabulary: claudeCodeVocabulary,
      // By itself the library waits longer, and removes the oldest only (decision 0052): here it is told to do as the others do.
      collapseExchanges: { depth: "all", patience: POLICY_SETTINGS[policy].patience },
    },
  });
  const added = recordRounds(rounds);
  const steps: (readonly unknown[])[] = [];
  let known = 0;
  for (const [step, round] of rounds.entries()) {
    occasion = describeOccasion(round);
    const { ledger } = await compactor.prepare(added.slice(0, step + 1).flat());
    steps.push(nameEdits(ledger.decisions.slice(known)));
    known = ledger.decisions.length;
  }
  return steps;
};

const askGateway: EntryPoint = async (rounds, policy) => {
  const planner = createRequestPlanner({ policy });
  const history = createHistory(rounds);
  const fiveMinutesMs = 5 * 60_000;
  const cached = { cachedTokens: 50_000, cached5mTokens: 50_000, cached1hTokens: 0, ttlMs: fiveMinutesMs };
  const cache = { ...emptyCacheState, ...cached, model: MODEL, lastUsedMs: 0, share1h: 0 };
  let view: readonly Message[] = [];
  return rounds.map(({ isCold }, step) => {
    const newFrom = view.length;
    view = [...view, ...history(step)];
    const facts = { cache, requests: step, baseTokens: BASE_TOKENS, lastSentHash: "", outlived: 0 };
    const { messages, edits } = planner.plan({
      view,
      newFrom,
      model: MODEL,
      facts: { ...facts, lastSentMessage: "sent" },
      nowMs: isCold ? 2 * fiveMinutesMs : 1,
      isClearedByServer: false,
      isTimeSpent: () => false,
    });
    view = messages;
    return nameEdits(edits);
  });
};

describe("one policy at every entry point", () => {
  it.each(["thrifty", "balanced", "cautious"] as const)(
    "%s makes the same edits of the same conversation in replay, in the library and in the gateway",
    async (policy) => {
      let folded = 0;
      let collapsed = 0;
      await fc.assert(
        fc.asyncProperty(arbitraryRounds, async (rounds) => {
          const replayed = await askReplay(rounds, policy);
          expect(await askLibrary(rounds, policy)).toEqual(replayed);
          expect(await askGateway(rounds, policy)).toEqual(replayed);
          folded += replayed.flat().filter((edit) => Object.hasOwn(Object(edit), "block")).length;
          collapsed += replayed.flat().filter((edit) => Object.hasOwn(Object(edit), "first")).length;
        }),
        { numRuns: CASES, endOnFailure: true, examples: [[HEAVY]] },
      );
      // Otherwise nothing was compared.
      expect([folded, collapsed].every((count) => count > 0)).toBe(true);
    },
  );
});
