import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { stepDensity } from "../density/step-density.ts";
import { emptyRedState, followRed, type RedEvent, type RedInput, type RedState } from "./follow-red.ts";

const at = (percent: number, toolCalls: number, compactions = 0): RedInput => ({
  kind: "measured",
  health: measure(percent, toolCalls, compactions),
});

function measure(percent: number, toolCalls: number, compactions = 0): Health {
  const client = { usedTokens: percent * 2000, windowTokens: 200_000 };
  return { ...assessHealth({ ...emptyMeter, toolCalls }, { client, profile: "percent" }), compactions };
}

const saved: RedInput = { kind: "saveConfirmed" };
const failed: RedInput = { kind: "saveFailed", why: "the disk is full" };

/** Where the person lets a full window switch terse writing on. */
const AUTO = { isDensityAuto: true };

function follow(
  inputs: readonly RedInput[],
  state: RedState = emptyRedState,
  options: { readonly isDensityAuto?: boolean } = AUTO,
): readonly RedEvent[] {
  let current = state;
  return inputs.flatMap((input) => {
    const step = followRed(current, input, options);
    current = step.state;
    return step.events;
  });
}

/** The log a person would read: one word per event. The rules for terse answers are the density's own affair. */
function log(inputs: readonly RedInput[], state?: RedState): readonly string[] {
  return follow(inputs, state).flatMap((event) => {
    if (event.kind === "inject") return [];
    if (event.kind === "density") return [`${event.event.mode}:${event.event.source}`];
    return [event.kind === "advice" ? event.advice.text : event.kind];
  });
}

const CRITICAL = "Context CRITICAL (90%). State saved to .plimsoll/. Run /compact now.";

describe("where nobody has asked for terse answers", () => {
  it("[R29] [R30] says nothing of them, at ORANGE or at RED, before a compaction or after", () => {
    const inputs = [at(72, 10), at(90, 20), saved, at(72, 30), at(90, 40), saved];
    const kinds = follow(inputs, emptyRedState, {}).map(({ kind }) => kind);
    expect(kinds).toContain("advice");
    expect(kinds.filter((kind) => kind === "density" || kind === "inject")).toEqual([]);
  });
});

describe("at ORANGE", () => {
  it("[R29] asks once for terse answers, for the session, on behalf of ORANGE", () => {
    const events = follow([at(72, 10), at(72, 40), at(73, 70), at(60, 71), at(75, 90)]);
    expect(events.filter(({ kind }) => kind === "density")).toEqual([
      {
        kind: "density",
        event: { type: "output.density.set", mode: "caveman", scope: "session", source: "context-orange" },
      },
    ]);
  });

  it("saves nothing and calls nothing critical", () => {
    expect(log([at(72, 10)])).toEqual([
      "caveman:context-orange",
      "Context at 72%. Recommend /compact at next phase boundary (after current module completes).",
    ]);
  });
});

describe("at RED", () => {
  it("[R8, R30, R32] asks for the save first, and says CRITICAL only after it is confirmed", () => {
    expect(log([at(90, 10)])).toEqual(["saveState"]);
    expect(log([at(90, 10), saved])).toEqual(["saveState", "stateSaved", "caveman:context-red", CRITICAL]);
  });

  it("[R30] does not ask for terse answers again where ORANGE did", () => {
    expect(log([at(72, 10), at(90, 20), saved]).filter((line) => line.startsWith("caveman"))).toEqual([
      "caveman:context-orange",
    ]);
  });

  it("does not ask for terse answers against the person's word", () => {
    const { state: density } = stepDensity(emptyRedState.density, {
      kind: "prompt",
      text: "stop caveman",
      startsTask: false,
    });
    expect(log([at(90, 10), saved], { ...emptyRedState, density })).toEqual(["saveState", "stateSaved", CRITICAL]);
  });

  it("asks for one save at a time, and again when none was confirmed within five calls", () => {
    expect(log([at(90, 10), at(90, 11), at(90, 14)])).toEqual(["saveState"]);
    expect(log([at(90, 10), at(90, 15)])).toEqual(["saveState", "saveState"]);
  });

  it("saves afresh before it says CRITICAL again", () => {
    const again = log([at(90, 10), saved, at(90, 20), at(90, 30), saved]);
    expect(again).toEqual([
      "saveState",
      "stateSaved",
      "caveman:context-red",
      CRITICAL,
      "saveState",
      "stateSaved",
      CRITICAL,
    ]);
  });

  it("says so where saving failed, claims no save, and tries again", () => {
    const events = log([at(90, 10), failed, at(90, 12), at(90, 15), saved]);
    expect(events).toEqual([
      "saveState",
      "caveman:context-red",
      "Context CRITICAL (90%). State NOT saved: the disk is full. Note what matters before you run /compact.",
      "saveState",
      "stateSaved",
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
  const anyInput: fc.Arbitrary<RedInput> = fc.oneof(
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
        let asked = 0;
        let confirmed = 0;
        let used = 0;
        for (const event of follow(inputs)) {
          if (event.kind === "saveState") asked++;
          if (event.kind === "stateSaved") confirmed++;
          const claims = event.kind === "advice" && event.advice.text.includes("State saved");
          if (claims) used++;
          expect(confirmed).toBeLessThanOrEqual(asked);
          expect(used).toBeLessThanOrEqual(confirmed);
        }
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("keeps a state that survives being written down", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 20 }), fc.array(anyInput, { maxLength: 20 }), (before, after) => {
        let state = emptyRedState;
        for (const input of before) state = followRed(state, input).state;
        const restored: RedState = JSON.parse(JSON.stringify(state));
        expect(follow(after, restored)).toEqual(follow(after, state));
      }),
    );
  });
});
