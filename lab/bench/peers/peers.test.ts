/** If red: other context managers are simulated otherwise than they work, and the comparison with them is unfair. */
import { existsSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { applyEdits } from "../../../src/core/apply-edits.ts";
import type { Edit, Refusal } from "../../../src/core/edit.ts";
import type { Message } from "../../../src/core/message.ts";
import { readRecording } from "../../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../../src/hosts/claude-code/vocabulary.ts";
import { estimateBlockTokens } from "../../../src/models/tokens.ts";
import { findNeeds } from "../../../src/replay/needs.ts";
import type { Policy } from "../../../src/replay/policy.ts";
import { prepareSession } from "../../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../../src/replay/session.ts";
import { findOrphans } from "../../../test/support/find-orphans.ts";
import { needs } from "../../../test/support/needs.ts";
import { planEdits } from "./plan-edits.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const PEERS = ["pi", "ai_prune", "ai_prune_turn", "langchain_clear", "langchain_trim", "gemini_cli_mask"];
const isInstalled = ["ai", "langchain", "@mariozechner/pi-coding-agent", "@google/gemini-cli-core"].every((name) =>
  existsSync(path.join(ROOT, "lab/bench/peers/node_modules", name)),
);

needs(isInstalled, "run `npm install` in lab/bench/peers").describe("published peers", () => {
  let policies: readonly Policy[] = [];
  beforeAll(async () => {
    ({ policies } = await import("./policies.ts"));
  });

  it("are all there, each with the constants it runs with", () => {
    expect(policies.map(({ name }) => name)).toEqual(PEERS);
    for (const { about } of policies) expect(about).toMatch(/\d+\.\d+\.\d+/);
  });

  it.each(PEERS)("%s: every edit on the sample session is accepted, and calls keep their results", (name) => {
    // A window in which the sample is a long session.
    const session = { ...readSample(), windowTokens: 100_000 };
    const walk = walkWith(findPolicy(policies, name), session);
    expect(walk.refused).toEqual([]);
    expect(findOrphans(walk.messages)).toEqual([]);
  });

  it.each(PEERS)("%s acts on a long history, without native compaction's help", (name) => {
    const walk = walkWith(findPolicy(policies, name), createLongSession());
    expect(walk.refused).toEqual([]);
    expect(findOrphans(walk.messages)).toEqual([]);
    expect(walk.edits.filter(({ by }) => by === name)).not.toEqual([]);
    expect(walk.messages[0]?.role).toBe("user");
  });

  it("a summary of a peer has the size and the price of native compaction's", () => {
    const { asked } = walkWith(findPolicy(policies, "pi"), createLongSession());
    expect(asked[0]).toEqual({ outputTokens: 4488, blockedMs: 90_000 });
  });

  it("what Gemini CLI masks can be fetched by the handle that stands in its place; nobody else keeps a way back", () => {
    for (const name of PEERS) {
      const { edits, originals } = walkWith(findPolicy(policies, name), createLongSession());
      const handles = edits.flatMap((edit) => edit.handles);
      if (name !== "gemini_cli_mask") expect(handles).toEqual([]);
      else expect(new Set(handles)).toEqual(new Set(originals.map(({ handle }) => handle)));
      expect(handles.length > 0).toBe(name === "gemini_cli_mask");
    }
  });

  it("says the same in every run", () => {
    for (const name of PEERS) {
      const policy = findPolicy(policies, name);
      expect(walkWith(policy, createLongSession()).edits).toEqual(walkWith(policy, createLongSession()).edits);
    }
  });
});

describe("the edits that lead to a peer's view", () => {
  it("take a call out with its result, whatever that holds", () => {
    const [call, result] = exchange(1);
    if (!call || !result) throw new Error("an exchange has two messages");
    const sealed: Message = {
      ...result,
      blocks: [...result.blocks, { kind: "opaque", id: "r1:9", type: "document", raw: {} }],
    };
    const messages = [...closeTurn(0), call, sealed, ...exchange(2)];
    const dropped = new Set(["a1:0", "a1:1", "r1:0", "a2:0", "a2:1", "r2:0"]);
    const edits = planEdits(messages, { texts: new Map(), dropped }, "test");
    const done = applyEdits(messages, edits, undefined, "mayGo");
    expect(done.refused).toEqual([]);
    expect(done.messages.map(({ id }) => id)).toEqual(["p0", "r1", "r2"]);
  });
});

function findPolicy(policies: readonly Policy[], name: string): Policy {
  const policy = policies.find((candidate) => candidate.name === name);
  if (!policy) throw new Error(`no peer ${name}`);
  return policy;
}

function readSample(): ReplaySession {
  const { recording } = readRecording(path.join(ROOT, "samples/demo-session.jsonl"));
  const session = prepareSession({
    name: "sample",
    recording,
    brokenLines: 0,
    root: "",
    vocabulary: claudeCodeVocabulary,
  });
  if ("why" in session) throw new Error(session.why);
  return session;
}

/** One prompt, 40 calls with 9,000 characters each, and that three times: a window of 200,000 is full before the end. */
function createLongSession(): ReplaySession {
  const steps = Array.from({ length: 120 }, (_, step) => ({
    atMs: step * 1000,
    model: "claude-sonnet-4-6",
    joined: [...(step % 40 === 0 ? closeTurn(step) : []), ...(step % 40 === 0 ? [] : exchange(step))],
    outputs: [],
    outputTokens: 100,
    share1h: 0,
    usage: { inputTokens: 0, outputTokens: 100, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
  }));
  return {
    name: "long",
    steps,
    baseTokens: 20_000,
    windowTokens: 200_000,
    tokenizer: readSample().tokenizer,
    vocabulary: claudeCodeVocabulary,
    root: "",
    compactions: [],
    weights: new Map(),
    labels: new Map(),
    details: new Map(),
  };
}

function closeTurn(step: number): readonly Message[] {
  const prompt: Message = {
    id: `p${step}`,
    role: "user",
    blocks: [{ kind: "text", id: `p${step}:0`, text: `Please do part ${step}.`, author: "person" }],
  };
  if (step === 0) return [prompt];
  const answer = `a${step}`;
  return [
    { id: answer, role: "assistant", blocks: [{ kind: "text", id: `${answer}:0`, text: "Done.", author: "model" }] },
    prompt,
  ];
}

function exchange(step: number): readonly Message[] {
  const callId = `call${step}`;
  const line = `line ${step} of a file that somebody read\n`;
  return [
    {
      id: `a${step}`,
      role: "assistant",
      blocks: [
        { kind: "thinking", id: `a${step}:0`, text: "Let me look.", signature: `s${step}` },
        { kind: "toolCall", id: `a${step}:1`, callId, tool: "Read", input: { file_path: `/src/file-${step}.ts` } },
      ],
    },
    {
      id: `r${step}`,
      role: "user",
      blocks: [
        {
          kind: "toolResult",
          id: `r${step}:0`,
          callId,
          parts: [{ kind: "text", text: line.repeat(240) }],
          isError: false,
        },
        { kind: "text", id: `r${step}:1`, text: "<system-reminder>one more</system-reminder>", author: "host" },
      ],
    },
  ];
}

function walkWith(policy: Policy, session: ReplaySession) {
  const planner = policy.create({ session, needs: findNeeds(session) });
  const weigh = ({ blocks }: Message): number =>
    blocks.reduce(
      (sum, block) => sum + (session.weights.get(block) ?? estimateBlockTokens(block, session.tokenizer)),
      0,
    );
  const known = new WeakMap<Message, number>();
  const countTokens = (message: Message): number => {
    const tokens = known.get(message) ?? weigh(message);
    known.set(message, tokens);
    return tokens;
  };
  const { baseTokens, windowTokens } = session;
  const edits: Edit[] = [];
  const refused: Refusal[] = [];
  const originals: { readonly handle: string; readonly text: string }[] = [];
  const asked: object[] = [];
  let messages: readonly Message[] = [];
  for (const [step, { joined, atMs, model, share1h }] of session.steps.entries()) {
    const sentMessages = messages.length;
    messages = [...messages, ...joined];
    const tokens = messages.reduce((sum, message) => sum + countTokens(message), 0);
    const decision = planner.plan({
      ...{ step, messages, sentMessages, tokens, baseTokens, windowTokens, countTokens },
      ...{ nowMs: atMs, model, isCold: false, share1h },
    });
    const done = applyEdits(messages, decision.edits);
    ({ messages } = done);
    edits.push(...decision.edits);
    refused.push(...done.refused);
    originals.push(...(decision.originals ?? []));
    if (decision.asked) asked.push(decision.asked);
  }
  return { messages, edits, refused, originals, asked };
}
