/** If red: replay compacts where the client would not, and an entry point is priced wrongly. */
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Message } from "../../src/core/message.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import type { ReplayOutcome } from "../../src/replay/outcome.ts";
import { native } from "../../src/replay/policies/native.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { walkSession } from "../../src/replay/walk-session.ts";
import { assistant, call, conversation, results, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { createClientCompaction } from "./client-compaction.ts";
import { type EntryPoint, walkEntryPoint } from "./entry-point.ts";

const RESULT_TOKENS = 9000;

function recordSession(requests: number, compactions: ReplaySession["compactions"] = []): ReplaySession {
  const opening = exchange([user("go")], assistant(call("Read", { file_path: "part0_of_all.ts" })));
  const reading = Array.from({ length: requests - 1 }, (_, index) =>
    exchange([results(`export const part_${index}_value = 1;`)], assistant(call("Read", { file_path: "next.ts" }))),
  );
  const session = recordReplaySession([opening, ...reading], { compactions });
  const weights = [...session.weights].map(
    ([block, tokens]) => [block, block.kind === "toolResult" ? RESULT_TOKENS : tokens] as const,
  );
  return { ...session, weights: new Map(weights) };
}

/** Leaves everything to the client, after it has taken out so many results. */
function createEntryPoint(dropped: number): EntryPoint {
  return {
    name: "door:test",
    about: "",
    async open(briefing) {
      const client = createClientCompaction(briefing);
      let history: readonly Message[] = [];
      return {
        async plan(occasion) {
          const joined = occasion.messages.slice(occasion.sentMessages).map((message) => ({
            ...message,
            blocks:
              occasion.step <= dropped ? message.blocks.filter(({ kind }) => kind !== "toolResult") : message.blocks,
          }));
          history = [...history, ...joined];
          const tokens = history.reduce((sum, message) => sum + occasion.countTokens(message), 0);
          const own = client.plan({ ...occasion, messages: history, tokens });
          history = applyEdits(history, own.edits, undefined, "mayGo").messages;
          return { ...own, edits: [], view: history };
        },
        close: async () => undefined,
      };
    },
  };
}

async function compare(session: ReplaySession, dropped: number) {
  const subject = { session, needs: findNeeds(session) };
  const reported = ({ planMs: _, ...outcome }: ReplayOutcome) => outcome;
  const compactedAt: number[] = [];
  const onRequest = ({ kind }: { kind: string }, step: number): void => {
    if (kind === "summary") compactedAt.push(step);
  };
  const byEntryPoint = reported(await walkEntryPoint(subject, createEntryPoint(dropped), { onRequest }));
  return { byEntryPoint, byClient: reported(walkSession(subject, native, {})), compactedAt };
}

const [summary] = conversation(user("all was read so far"));
const recorded = (step: number, trigger: string): ReplaySession["compactions"][number] => ({
  step,
  trigger,
  messages: summary ? [summary] : [],
  summaryTokens: 50,
  durationMs: undefined,
});

describe("a client behind an entry point", () => {
  it.each([
    ["that never compacted", recordSession(8), 0],
    ["that compacts at its usual line", recordSession(60), 3],
    ["that was recorded compacting", recordSession(60, [recorded(9, "auto"), recorded(40, "auto")]), 3],
    ["that a person had compacted", recordSession(30, [recorded(4, "manual"), recorded(12, "manual")]), 3],
  ])("%s does what it did, to the last digit, where the entry point changes nothing", async (_, session, least) => {
    const { byEntryPoint, byClient } = await compare(session, 0);
    expect(byEntryPoint).toEqual(byClient);
    expect(byClient.compactions).toBeGreaterThanOrEqual(least - 1);
  });

  it("compacts by itself once it carries what it carried when it was recorded, and as often as a person asks", async () => {
    expect((await compare(recordSession(20, [recorded(9, "auto")]), 0)).compactedAt).toEqual([9]);
    expect((await compare(recordSession(20, [recorded(9, "auto")]), 5)).compactedAt).toEqual([14]);
    expect((await compare(recordSession(20, [recorded(9, "manual")]), 5)).compactedAt).toEqual([9]);
  });

  it("has no words for a summary that comes at another request than the recorded one", async () => {
    expect((await compare(recordSession(20, [recorded(9, "auto")]), 0)).byEntryPoint.isWordless).toBe(false);
    expect((await compare(recordSession(20, [recorded(9, "auto")]), 5)).byEntryPoint.isWordless).toBe(true);
  });
});
