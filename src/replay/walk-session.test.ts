/** If red: replay shows a view larger than the window, or charges for an edit that was refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trimOldest } from "../../lab/replay/policies/trim-oldest.ts";
import { assistant, call, opaque, results, user } from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { type Exchange, exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { replaceBlock } from "../core/propose-edit.ts";
import type { WalkedRequest } from "./charge-request.ts";
import { findNeeds } from "./needs.ts";
import type { ReplayOutcome } from "./outcome.ts";
import { clearToolUses } from "./policies/clear-results.ts";
import { native } from "./policies/native.ts";
import { plimsollPolicies } from "./policies/plimsoll.ts";
import type { Policy } from "./policy.ts";
import type { ReplaySession } from "./session.ts";
import { walkSession } from "./walk-session.ts";

const WINDOW = 100_000;
/** The client compacts at so many tokens before the end of its window. */
const LINE = WINDOW - 33_000;
const RESULT_TOKENS = 9000;

/** What a client of today records next to texts: tools that were loaded, papers that were read, and what is newer than we are. */
const ODD_RESULTS = [
  ["found it", opaque("tool_reference", { tool_name: "TaskCreate" })],
  [opaque("document", { title: "plan.pdf" })],
  ["plain words"],
] as const;

function recordSession(kinds: readonly number[], isSealed = false): ReplaySession {
  const exchanges: Exchange[] = [exchange([user("go")], assistant(call("Read")))];
  for (const kind of kinds)
    exchanges.push(exchange([results([...(ODD_RESULTS[kind % ODD_RESULTS.length] ?? [])])], assistant(call("Read"))));
  if (isSealed)
    exchanges.splice(2, 0, exchange([results("a"), user(opaque("container_upload"))], assistant(call("Read"))));
  const session = recordReplaySession(exchanges, { windowTokens: WINDOW });
  const weights = new Map(
    [...session.weights].map(([block, tokens]) => [block, block.kind === "toolResult" ? RESULT_TOKENS : tokens]),
  );
  return { ...session, weights };
}

function walk(session: ReplaySession, policy: Policy): ReplayOutcome {
  return walkSession({ session, needs: findNeeds(session) }, policy, {});
}

const [plimsoll] = plimsollPolicies;
if (!plimsoll) throw new Error("there is no policy of ours");

describe("a session with parts that nobody here understands", () => {
  it.each([native, trimOldest, clearToolUses, plimsoll])(
    "$name: no view is above the window, whatever stands in it",
    (policy) => {
      fc.assert(
        fc.property(fc.array(fc.nat(2), { minLength: 10, maxLength: 40 }), fc.boolean(), (kinds, isSealed) => {
          const { peakTokens, compactions, steps } = walk(recordSession(kinds, isSealed), policy);
          expect(peakTokens).toBeLessThanOrEqual(LINE);
          // A window of 67,000 takes about six of these results between two compactions.
          expect(compactions).toBeLessThanOrEqual(Math.ceil(steps / 5));
        }),
        { numRuns: tries(20, 300) },
      );
    },
  );

  it("is compacted by the client as if there were nothing odd in it: the same price, the same number of times", () => {
    const odd = walk(recordSession(Array.from({ length: 30 }, () => 1)), native);
    const plain = walk(recordSession(Array.from({ length: 30 }, () => 2)), native);
    expect(odd.compactions).toBe(plain.compactions);
    expect(odd.sendUsd).toBeCloseTo(plain.sendUsd, 9);
  });

  it("collapses under our policy, too", () => {
    const wide = { ...recordSession(Array.from({ length: 40 }, () => 1)), windowTokens: 1_000_000 };
    expect(walk(wide, plimsoll).tokensSent).toBeLessThan(walk(wide, native).tokensSent / 2);
  });
});

describe("a policy whose edit is refused", () => {
  it("fails the session with the reason, and is not charged for what did not happen", () => {
    const stranger: Policy = {
      name: "stranger",
      about: "",
      create: () => ({
        plan({ messages }) {
          const block = messages[0]?.blocks[0];
          if (!block) return { edits: [] };
          const change = { content: { text: "x" }, by: "stranger", reason: "", handles: [] };
          const edit = { ...replaceBlock(block, change), replaces: "something else" };
          return { edits: [edit], asked: { outputTokens: 1000, blockedMs: 1 } };
        },
      }),
    };
    expect(() => walk(recordSession([2, 2]), stranger)).toThrow(/an edit of stranger was refused: targetDiffers/);
  });
});

describe("a summary that a model writes", () => {
  /** What the summary before the third request reads from the cache and writes to it, after such a pause. */
  const summariseAfter = (pauseMs: number) => {
    const session = recordSession([2, 2, 2]);
    const steps = session.steps.map((step, at) => ({ ...step, atMs: step.atMs + (at < 2 ? 0 : pauseMs) }));
    const asker: Policy = {
      name: "asker",
      about: "",
      create: () => ({
        plan: ({ step }) => ({ edits: [], ...(step === 2 && { asked: { outputTokens: 1000, blockedMs: 1 } }) }),
      }),
    };
    const asked: WalkedRequest[] = [];
    walkSession({ session: { ...session, steps }, needs: findNeeds(session) }, asker, {
      onRequest: (request) => request.kind === "summary" && asked.push(request),
    });
    return asked.map(({ usage }) => [usage.cacheReadTokens > 0, usage.cacheWrite5mTokens > 0]);
  };

  it("reads the conversation from the cache, and after a pause that outlived it pays for writing all of it again", () => {
    expect(summariseAfter(0)).toEqual([[true, false]]);
    expect(summariseAfter(10 * 60_000)).toEqual([[false, true]]);
  });
});

describe("a session at the prices of another model", () => {
  it("costs what that model's requests cost, and is decided by them", () => {
    const session = recordSession([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    const as = (model: string): ReplaySession => ({
      ...session,
      steps: session.steps.map((step) => ({ ...step, model })),
    });
    for (const policy of [native, plimsoll]) {
      const priced = walk(session, { ...policy, pricedAs: "claude-fable-5-1" });
      expect(priced.sendUsd).toBeCloseTo(walk(as("claude-fable-5-1"), policy).sendUsd, 12);
      expect(priced.sendUsd).not.toBeCloseTo(walk(session, policy).sendUsd, 2);
    }
  });

  it("costs what the model's requests cost now, not on the day of the recording", () => {
    const session = recordSession([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    const [now, then] = ["claude-sonnet-5-5", "claude-sonnet-5"].map(
      (model) => walk(session, { ...native, pricedAs: model }).readUsd,
    );
    // Sonnet 5.5 was read at the price of Sonnet 5 until 7 October 2026, and at half of it since.
    expect(now).toBeCloseTo((then ?? 0) / 2, 12);
  });
});
