/** If red: an entry point is priced otherwise than the policy that does the same. */
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/core/apply-edits.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import type { Policy } from "../../src/replay/policy.ts";
import { walkSession } from "../../src/replay/walk-session.ts";
import { assistant, call, results, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { LAB_POLICIES } from "./catalogue.ts";
import { type EntryPoint, walkEntryPoint } from "./entry-point.ts";

/** A policy that tells whole conversations instead of edits, as an entry point does. */
function asEntryPoint(policy: Policy): EntryPoint {
  return {
    ...policy,
    async open(briefing) {
      const planner = policy.create(briefing);
      return {
        async plan(occasion) {
          const { edits, ...rest } = planner.plan(occasion);
          return { ...rest, edits: [], view: applyEdits(occasion.messages, edits, undefined, "mayGo").messages };
        },
        close: async () => undefined,
      };
    },
  };
}

const session = recordReplaySession(
  Array.from({ length: 40 }, (_, index) => {
    const said = index === 0 ? user("go") : results(`export const part_${index}_value = 1;\n`.repeat(900));
    return exchange([said], assistant(`part_${index % 7}_value`, call("Bash", { command: `cat part${index}.ts` })));
  }),
);
const subject = { session, needs: findNeeds(session) };

describe("an entry point", () => {
  it.each(["native", "fifo", "plimsoll", "only:fold", "clear_tool_uses"])(
    "is priced as the policy %s is that does the same, to the last digit",
    async (name) => {
      const policy = LAB_POLICIES.find((candidate) => candidate.name === name);
      if (!policy) throw new Error(`there is no policy ${name}`);
      const { planMs: _, ...byEntryPoint } = await walkEntryPoint(subject, asEntryPoint(policy), {});
      const { planMs, ...byPolicy } = walkSession(subject, policy, {});
      expect(byEntryPoint).toEqual(byPolicy);
      expect(planMs).toHaveLength(40);
    },
  );

  it("is told what the answer to the request before said, and closed whatever happens", async () => {
    const heard: (number | undefined)[] = [];
    let isClosed = false;
    const entryPoint: EntryPoint = {
      name: "door:test",
      about: "",
      open: async () => ({
        async plan({ lastUsage, step }) {
          heard.push(lastUsage && lastUsage.cacheReadTokens + lastUsage.cacheWrite5mTokens);
          if (step === 2) throw new Error("broken");
          return { edits: [], left: ["not now"] };
        },
        async close() {
          isClosed = true;
        },
      }),
    };
    await expect(walkEntryPoint(subject, entryPoint, {})).rejects.toThrow("broken");
    expect([isClosed, heard]).toEqual([true, [undefined, 2100, 2400]]);
  });
});
