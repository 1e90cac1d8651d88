import type { Block } from "../../src/core/message.ts";
import { zeroUsage } from "../../src/core/usage.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import type { ReplaySession, ReplayStep } from "../../src/replay/session.ts";
import { conversation, type MessageDraft } from "./build.ts";

/** One request: what arrived before it, and what the model answered. */
export interface Exchange {
  readonly before: readonly MessageDraft[];
  readonly answer: MessageDraft;
}

const ROOT = "/home/nobody/project";
/** What every block weighs unless a test says otherwise. */
const BLOCK_TOKENS = 100;

export function exchange(before: readonly MessageDraft[], answer: MessageDraft): Exchange {
  return { before, answer };
}

/** A session ready for replay, a request a second, every block of the same weight. */
export function recordReplaySession(exchanges: readonly Exchange[], more: Partial<ReplaySession> = {}): ReplaySession {
  const messages = conversation(...exchanges.flatMap(({ before, answer }) => [...before, answer]));
  const weights = new Map<Block, number>();
  for (const block of messages.flatMap(({ blocks }) => blocks)) weights.set(block, BLOCK_TOKENS);
  const steps: ReplayStep[] = [];
  let sent = 0;
  let at = 0;
  for (const { before } of exchanges) {
    const joined = messages.slice(sent, at + before.length);
    sent = at + before.length;
    steps.push({
      atMs: steps.length * 1000,
      model: "claude-sonnet-4-5",
      joined,
      outputs: messages[sent]?.blocks ?? [],
      outputTokens: 10,
      share1h: 0,
      usage: zeroUsage,
    });
    at = sent + 1;
  }
  const compactions = more.compactions ?? [];
  return {
    name: "session",
    steps,
    baseTokens: 2000,
    windowTokens: 200_000,
    tokenizer: "classic",
    vocabulary: claudeCodeVocabulary,
    root: ROOT,
    weights,
    labels: new Map(),
    details: new Map(),
    ...more,
    compactions,
  };
}
