/** If red: Claude Code's own compaction is priced wrongly, and so is every saving next to it. */
import { describe, expect, it } from "vitest";
import { assistant, call, results, user } from "../../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../../test/support/replay-session.ts";
import { sumContextTokens, zeroUsage } from "../../core/usage.ts";
import type { WalkedRequest } from "../charge-request.ts";
import { findNeeds } from "../needs.ts";
import type { ReplayOutcome } from "../outcome.ts";
import type { Policy } from "../policy.ts";
import type { ReplaySession } from "../session.ts";
import { walkSession } from "../walk-session.ts";
import { native, nativeIdle, smallerWindows } from "./native.ts";

const RESULT_TOKENS = 9000;
const [at200k = native, at100k = native] = smallerWindows;

/** Reads as many parts as told, one a request, and comes back to the first at the end. */
function recordReading(parts: number, more: Partial<ReplaySession>): ReplaySession {
  const opening = exchange([user("go")], assistant(call("Read", { file_path: "part0_of_all.ts" })));
  const reading = Array.from({ length: parts }, (_, index) =>
    exchange([results(`export const part_${index}_value = 1;`)], assistant(call("Read", { file_path: "next.ts" }))),
  );
  const ending = exchange([results("last")], assistant("It is part_0_value."));
  const session = recordReplaySession([opening, ...reading, ending], more);
  const weights = [...session.weights].map(
    ([block, tokens]) => [block, block.kind === "toolResult" ? RESULT_TOKENS : tokens] as const,
  );
  return { ...session, weights: new Map(weights) };
}

function walk(session: ReplaySession, policy: Policy): ReplayOutcome & { readonly seen: readonly WalkedRequest[] } {
  const seen: WalkedRequest[] = [];
  const onRequest = (request: WalkedRequest): void => void seen.push(request);
  return { ...walkSession({ session, needs: findNeeds(session) }, policy, { onRequest }), seen };
}

describe("a client set to a smaller window", () => {
  const large = recordReading(60, { windowTokens: 1_000_000 });

  it.each([
    [at200k, "native@200k", 167_000],
    [at100k, "native@100k", 67_000],
  ])("$1 compacts 33k before that window, on every model", (policy, name, line) => {
    expect(policy.name).toBe(name);
    const { peakTokens, compactions, isWordless } = walk(large, policy);
    expect(peakTokens).toBeLessThanOrEqual(line);
    expect(peakTokens).toBeGreaterThan(line - 2 * RESULT_TOKENS);
    expect(compactions).toBeGreaterThan(0);
    expect(isWordless).toBe(true);
    expect(walk(large, native).compactions).toBe(0);
  });

  it("is the client itself where its window is no larger", () => {
    const small = recordReading(60, { windowTokens: 200_000 });
    const { seen } = walk(small, native);
    expect(walk(small, at200k).seen).toEqual(seen);
    expect(walk(small, at100k).seen.length).toBeGreaterThan(seen.length);
  });

  it("pays for the view and a summary of the usual size, and carries just that summary on", () => {
    for (const model of ["claude-sonnet-4-5", "claude-opus-5"]) {
      const session = { ...large, steps: large.steps.map((step) => ({ ...step, model })) };
      const { seen, askedUsd } = walk(
        { ...session, tokenizer: model === "claude-opus-5" ? "dense" : "classic" },
        at200k,
      );
      const at = seen.findIndex(({ kind }) => kind === "summary");
      const [asked, next] = [seen[at], seen[at + 1]];
      expect(asked).toMatchObject({ usage: { outputTokens: 4488, cacheWrite5mTokens: 0 } });
      expect(asked?.usage.cacheReadTokens).toBeGreaterThan(167_000);
      // The base, the summary, and the last answer with its result.
      const carried = sumContextTokens(next?.usage ?? zeroUsage) - 2000 - RESULT_TOKENS - 100;
      expect(Math.abs(carried - 4488)).toBeLessThan(20);
      expect(askedUsd).toBeCloseTo(
        seen.filter(({ kind }) => kind === "summary").reduce((sum, { usd }) => sum + usd, 0),
        12,
      );
    }
  });

  it("carries the five files that were read last, each up to its limit, where its client puts them back", () => {
    const reading = Array.from({ length: 60 }, (_, index) =>
      exchange([results("word ".repeat(9000))], assistant(call("Read", { file_path: `file${index}.ts` }))),
    );
    const opening = exchange([user("go")], assistant(call("Read", { file_path: "first.ts" })));
    const session = { ...recordReplaySession([opening, ...reading], { windowTokens: 1_000_000 }), weights: new Map() };
    const carry = (restoresFiles: boolean): number => {
      const { seen } = walk({ ...session, restoresFiles }, at200k);
      const next = seen[seen.findIndex(({ kind }) => kind === "summary") + 1];
      return sumContextTokens(next?.usage ?? zeroUsage);
    };
    expect(carry(true) - carry(false)).toBeCloseTo(25_000, -2);
  });

  it("is charged apart for what its summaries may have lacked, so that both bounds can be told", () => {
    const { unheard, rereadUsd, seen, cold, requests } = walk(large, at100k);
    expect(rereadUsd).toBe(0);
    expect(cold.lost).toBe(0);
    expect(unheard.cold.lost).toBe(1);
    const apart = seen.filter(({ kind }) => kind === "unheard");
    expect(apart).toHaveLength(1);
    expect(unheard.usd).toBeCloseTo(apart[0]?.usd ?? 0, 12);
    expect(requests).toBe(seen.length - 1);
  });
});

describe("a client that compacts idle sessions", () => {
  const recordBreak = (minutes: number, share1h: number, parts = 60): ReplaySession => {
    const session = recordReading(parts, { windowTokens: 1_000_000 });
    const steps = session.steps.map((step, index) => ({
      ...step,
      share1h,
      atMs: step.atMs + (index > parts / 2 ? minutes * 60_000 : 0),
    }));
    return { ...session, steps };
  };

  it("does so before the cache of an hour expires, so that the summary reads all of it", () => {
    const { compactions, seen } = walk(recordBreak(120, 1), nativeIdle);
    expect(compactions).toBe(1);
    const asked = seen.findIndex(({ kind }) => kind === "summary");
    const { cacheReadTokens = 0, cacheWrite1hTokens } = seen[asked]?.usage ?? zeroUsage;
    expect([cacheReadTokens > 200_000, cacheWrite1hTokens]).toEqual([true, 0]);
    expect(sumContextTokens(seen[asked + 1]?.usage ?? zeroUsage)).toBeLessThan(60_000);
  });

  it.each([
    ["after a shorter break", recordBreak(50, 1)],
    ["with a cache of five minutes", recordBreak(120, 0)],
    ["below 200k tokens", recordBreak(120, 1, 30)],
  ])("does not %s", (_, session) => {
    expect(walk(session, nativeIdle).compactions).toBe(0);
  });
});

describe("a recorded summary", () => {
  it("is searched for what was needed later and stood before it alone", () => {
    const recordSession = (text: string): ReplaySession => {
      const session = recordReading(5, {});
      const [message] = recordReplaySession([exchange([user(text)], assistant("well"))]).steps[0]?.joined ?? [];
      if (!message) throw new Error("no message was built");
      return {
        ...session,
        compactions: [{ step: 4, trigger: "auto", messages: [message], summaryTokens: 50, durationMs: undefined }],
      };
    };
    expect(walk(recordSession("part_0_value counts"), native).retold).toEqual({ held: 1, missing: 0 });
    expect(walk(recordSession("all was read"), native).retold).toEqual({ held: 0, missing: 1 });
  });
});
