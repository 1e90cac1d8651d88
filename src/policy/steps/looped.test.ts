/** If red: a list of work is compacted before its state is saved. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import type { Level } from "../../measure/level.ts";
import { type LoopProgress, renderContinueHere } from "../advice/continue-here.ts";
import { chain, type PolicyStep, stay } from "../command.ts";
import { INITIAL_POLICY, type LoopLook, type PolicyState } from "../policy-state.ts";
import { followLook, loopResumed, loopSaved, remembered, renderResumeLine } from "./looped.ts";

type LoopInput = (state: PolicyState) => PolicyStep;

const progress: LoopProgress = {
  phase: "4",
  task: 4,
  tasks: 7,
  completed: ["one", "two", "three"],
  remaining: ["five", "six", "seven"],
  decisions: ["money is kept in cents"],
  blockers: [],
  wipFiles: ["src/refund.ts"],
};
const busy: LoopLook = {
  level: "RED",
  progress,
  isAtBoundary: false,
  completedTasks: [1, 2, 3],
  planFile: ".plimsoll/plan-shop-phase4.md",
};
const look =
  (nowMs: number, more: Partial<LoopLook> = {}): LoopInput =>
  (state) =>
    followLook(state, nowMs, { ...busy, ...more });
const boundary = (nowMs: number): LoopInput => look(nowMs, { isAtBoundary: true });
const flushed =
  (what: "state" | "memory", isDone = true): LoopInput =>
  (state) => {
    const why = isDone ? undefined : "the disk is full";
    return what === "state" ? loopSaved(state, why) : remembered(state, { why, model: () => "", canCompact: true });
  };

const run = (inputs: readonly LoopInput[]): PolicyStep => inputs.reduce(chain, stay(INITIAL_POLICY));

const kinds = (inputs: readonly LoopInput[]): readonly string[] =>
  run(inputs).commands.map((command) => {
    if (command.kind !== "continueHere") return command.kind;
    return command.text === "" ? "take up" : "pause";
  });

describe("at a boundary", () => {
  it("[R73, R116] flushes the state, then the memory, and only then compacts", () => {
    const inputs = [boundary(0), flushed("state"), flushed("memory")];
    expect(kinds(inputs.slice(0, 1))).toEqual(["save"]);
    expect(kinds(inputs.slice(0, 2))).toEqual(["save", "remember"]);
    expect(kinds(inputs)).toEqual(["save", "remember", "compact"]);
  });

  it("[R116] does not take the memory's word for the state's", () => {
    expect(kinds([boundary(0), flushed("memory")])).toEqual(["save"]);
  });

  it("[R116] does not compact where a flush failed: it writes down where the work stands", () => {
    expect(kinds([boundary(0), flushed("state", false)])).toEqual(["save", "pause"]);
    expect(kinds([boundary(0), flushed("state"), flushed("memory", false)])).toEqual(["save", "remember", "pause"]);
  });

  it("[R73] brings the phase back after the compaction", () => {
    const { state } = run([boundary(0), flushed("state"), flushed("memory")]);
    expect(loopResumed(state)).toMatchObject({
      line: "Resuming Phase 4. Tasks [1-3] complete. Currently on task 4. Plan file: .plimsoll/plan-shop-phase4.md",
      step: { state: { loop: { kind: "idle" } } },
    });
  });
});

it("[R73] names finished tasks by their ranges, and a gap between them as what it is: work that is not done", () => {
  const line = renderResumeLine({ ...busy, completedTasks: [9, 1, 2, 3, 3, 5, 7, 8] });
  expect(line).toContain("Tasks [1-3, 5, 7-9] complete.");
});

describe("without a boundary", () => {
  it("[R74] looks for one for thirty seconds", () => {
    expect(kinds([look(1000), look(30_999)])).toEqual([]);
    expect(kinds([look(1000), look(30_999), boundary(31_500)])).toEqual(["save"]);
  });

  it("[R74] writes down where the work stands after thirty seconds, and pauses", () => {
    expect(run([look(1000), look(31_000)])).toEqual({
      state: { ...INITIAL_POLICY, loop: { kind: "paused", look: busy } },
      commands: [
        {
          kind: "continueHere",
          text: renderContinueHere(progress),
          reason: "no clean boundary was found within 30 seconds",
        },
      ],
    });
  });

  it("[R74] deletes the file once the work is resumed", () => {
    const { state } = run([look(0), look(30_000)]);
    const { commands } = loopResumed(state).step;
    expect(commands).toEqual([{ kind: "continueHere", text: "", reason: "" }]);
  });

  it("[R74] pauses once, renews the file with every item, and compacts at the next clean place", () => {
    expect(kinds([look(0), look(30_000), look(60_000)])).toEqual(["pause"]);
    const later = { ...progress, remaining: progress.remaining.slice(1) };
    expect(run([look(0), look(30_000), look(60_000, { progress: later })]).commands.at(-1)).toEqual({
      kind: "continueHere",
      text: renderContinueHere(later),
      reason: "",
    });
    expect(kinds([look(0), look(30_000), boundary(60_000)])).toEqual(["pause", "take up", "save"]);
  });

  it("[R74] starts the wait anew when the clock was set back or the load has fallen", () => {
    expect(kinds([look(50_000), look(10_000), look(39_999)])).toEqual([]);
    expect(kinds([look(50_000), look(10_000), look(40_000)])).toEqual(["pause"]);
    expect(kinds([look(0), look(1000, { level: "ORANGE" }), look(30_000)])).toEqual([]);
  });
});

describe("the skip", () => {
  it.each(["GREEN", "YELLOW", "ORANGE"] as const)("[R75] leaves a phase alone at %s", (level) => {
    expect(kinds([look(0, { level, isAtBoundary: true }), look(60_000, { level })])).toEqual([]);
  });

  it("[R75] leaves a phase alone that has fewer than three tasks to go", () => {
    const short = { ...progress, remaining: ["six", "seven"] };
    expect(kinds([look(0, { progress: short, isAtBoundary: true })])).toEqual([]);
  });
});

describe("whatever happens", () => {
  const anyInput: fc.Arbitrary<LoopInput> = fc.oneof(
    fc
      .record({
        nowMs: fc.nat(100_000),
        level: fc.constantFrom<Level>("ORANGE", "RED", "RED"),
        isAtBoundary: fc.boolean(),
      })
      .map(({ nowMs, ...more }) => look(nowMs, more)),
    fc.constantFrom(flushed("state"), flushed("memory"), flushed("state", false)),
  );

  it("[R116] no compaction comes without the flushes before it, and nothing is ever committed", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 60 }), (inputs) => {
        const row = kinds(inputs);
        for (const [index, kind] of row.entries()) {
          if (kind === "compact") expect(row[index - 1]).toBe("remember");
          if (kind === "remember") expect(row[index - 1]).toBe("save");
        }
        expect(row.join()).not.toContain("commit");
      }),
      { numRuns: tries(40, 500) },
    );
  });
});

const point = { progress, completedTasks: [1, 2, 3], planFile: ".plimsoll/plan-auth-phase4.md" };

it("[R73] has exactly the format that a resuming agent looks for", () => {
  expect(renderResumeLine(point)).toBe(
    "Resuming Phase 4. Tasks [1-3] complete. Currently on task 4. Plan file: .plimsoll/plan-auth-phase4.md",
  );
});

it.each([
  [[], "none"],
  [[1], "1"],
  [[2, 1], "1-2"],
  [[1, 2, 3, 5, 7, 8, 8], "1-3, 5, 7-8"],
])("[R73] names the completed tasks %j as [%s]", (completedTasks, range) => {
  expect(renderResumeLine({ ...point, completedTasks })).toContain(`Tasks [${range}] complete.`);
});

it("[R73] stays one line whatever the plan is called", () => {
  expect(renderResumeLine({ ...point, planFile: "a\nb.md" }).split("\n")).toHaveLength(1);
});
