/** If red: the window is called critical before the state is saved. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { followLoad, type LoadInput } from "../../../test/support/follow-load.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import type { PolicyCommand } from "../command.ts";
import { INITIAL_POLICY, type PolicyState } from "../policy-state.ts";
import { hearPrompt } from "./said.ts";

const at = (percent: number, toolCalls: number, compactions = 0): LoadInput => ({
  health: measure(percent, toolCalls, compactions),
});

function measure(percent: number, toolCalls: number, compactions = 0): Health {
  const client = { usedTokens: percent * 2000, windowTokens: 200_000 };
  return { ...assessHealth({ ...emptyMeter, toolCalls }, { client, profile: "percent" }), compactions };
}

const saved: LoadInput = { why: undefined };
const failed: LoadInput = { why: "the disk is full" };

/** Where the person lets a full window switch terse writing on. */
const follow = (inputs: readonly LoadInput[], state?: PolicyState): readonly PolicyCommand[] =>
  followLoad(inputs, state, { density: "auto" }).commands;

/** One word per command. The rules for terse answers are the density's own affair. */
function log(inputs: readonly LoadInput[], state?: PolicyState): readonly string[] {
  return follow(inputs, state).flatMap((command) => {
    if (command.kind === "save") return ["save"];
    if (command.kind === "tell") return /^Context .*/m.exec(command.text) ?? [];
    if (command.kind !== "note" || command.action.kind !== "signal") return [];
    return [`${command.action.signal.mode}:${command.action.signal.source}`];
  });
}

const CRITICAL = "Context CRITICAL (90%). State saved to .plimsoll/. Run /compact now.";

describe("where nobody has asked for terse answers", () => {
  it("[R29] [R30] says nothing of them, at ORANGE or at RED, before a compaction or after", () => {
    const inputs = [at(72, 10), at(90, 20), saved, at(72, 30), at(90, 40), saved];
    const { commands } = followLoad(inputs);
    expect(commands.filter(({ kind }) => kind === "tell")).toHaveLength(3);
    expect(JSON.stringify(commands)).not.toMatch(/aveman|"signal"/);
  });
});

describe("at ORANGE", () => {
  it("[R29] asks once for terse answers, for the session, on behalf of ORANGE", () => {
    const commands = follow([at(72, 10), at(72, 40), at(73, 70), at(60, 71), at(75, 90)]);
    const actions = commands.flatMap((command) => (command.kind === "note" ? [command.action] : []));
    expect(actions.filter(({ kind }) => kind === "signal")).toEqual([
      {
        kind: "signal",
        signal: { type: "output.density.set", mode: "caveman", scope: "session", source: "context-orange" },
      },
    ]);
  });

  it("saves nothing and calls nothing critical", () => {
    expect(log([at(72, 10)])).toEqual([
      "Context at 72%. Recommend /compact at next phase boundary (after current module completes).",
      "caveman:context-orange",
    ]);
  });
});

describe("at RED", () => {
  it("[R8, R30, R32] asks for the save first, and says CRITICAL only after it is confirmed", () => {
    expect(log([at(90, 10)])).toEqual(["save"]);
    expect(log([at(90, 10), saved])).toEqual(["save", CRITICAL, "caveman:context-red"]);
  });

  it("[R30] does not ask for terse answers again where ORANGE did", () => {
    expect(log([at(72, 10), at(90, 20), saved]).filter((line) => line.startsWith("caveman"))).toEqual([
      "caveman:context-orange",
    ]);
  });

  it("does not ask for terse answers against the person's word", () => {
    const { state } = hearPrompt(INITIAL_POLICY, "stop caveman", () => undefined);
    expect(log([at(90, 10), saved], state)).toEqual(["save", CRITICAL]);
  });

  it("asks for one save at a time, and again when none was confirmed within five calls", () => {
    expect(log([at(90, 10), at(90, 11), at(90, 14)])).toEqual(["save"]);
    expect(log([at(90, 10), at(90, 15)])).toEqual(["save", "save"]);
  });

  it("saves afresh before it says CRITICAL again", () => {
    const again = log([at(90, 10), saved, at(90, 20), at(90, 30), saved]);
    expect(again).toEqual(["save", CRITICAL, "caveman:context-red", "save", CRITICAL]);
  });

  it("says so where saving failed, claims no save, and tries again", () => {
    const events = log([at(90, 10), failed, at(90, 12), at(90, 15), saved]);
    expect(events).toEqual([
      "save",
      "Context CRITICAL (90%). State NOT saved: the disk is full. Note what matters before you run /compact.",
      "caveman:context-red",
      "save",
      CRITICAL,
    ]);
  });

  it("takes back the terse answers once a compaction has led to GREEN", () => {
    expect(log([at(90, 10), saved, at(20, 11, 1)]).at(-1)).toBe("normal:context-green");
  });

  it("believes no confirmation of a save that nobody asked for", () => {
    expect(log([saved, failed])).toEqual([]);
  });
});

describe("whatever happens", () => {
  const anyInput: fc.Arbitrary<LoadInput> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(200), fc.nat(3)).map((all) => at(...all)),
    },
    { weight: 3, arbitrary: fc.constant(saved) },
    { weight: 1, arbitrary: fc.constant(failed) },
  );

  it("[R32] each claim of a save follows a save of its own", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 50 }), (inputs) => {
        let state: PolicyState = INITIAL_POLICY;
        let isAsked = false;
        for (const input of inputs) {
          const step = followLoad([input], state, { density: "auto" });
          const isClaimed = step.commands.some((each) => each.kind === "tell" && each.text.includes("State saved"));
          if (isClaimed) expect([input, isAsked]).toEqual([saved, true]);
          if (input === saved || input === failed) isAsked = false;
          isAsked ||= step.commands.some(({ kind }) => kind === "save");
          state = step.state;
        }
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("keeps a state that survives being written down", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 20 }), fc.array(anyInput, { maxLength: 20 }), (before, after) => {
        const { state } = followLoad(before);
        const restored: PolicyState = JSON.parse(JSON.stringify(state));
        expect(follow(after, restored)).toEqual(follow(after, state));
      }),
    );
  });
});
