/** If red: tool calls, large reads or the size of a session are counted wrongly. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvents } from "../../test/support/arbitrary-events.ts";
import { deepFreeze } from "../../test/support/build.ts";
import {
  answer,
  CLASSIC,
  called,
  clearedInPlace,
  compacted,
  DENSE,
  injected,
  prompt,
  request,
  result,
  said,
  usage,
} from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { estimateTextTokens } from "../models/tokens.ts";
import type { Observation } from "./calibration.ts";
import { emptyLoad, sumLoads, weighArrival, weighOutput } from "./load.ts";
import { createMeter, emptyMeter, type MeterState, observeGrowth } from "./meter.ts";
import { createRecording } from "./recording.ts";

function measure(...events: readonly SessionEvent[]): MeterState {
  const meter = createMeter();
  for (const event of events) meter.feed(event);
  return meter.state();
}

describe("tool calls", () => {
  it("[R12] are all counted, whatever the tool, from the first answer on", () => {
    const tools = ["Read", "Bash", "Edit", "Task", "TodoWrite", "mcp__docs__search", "SomethingNew"];
    const events = tools.map((tool, index) =>
      answer(`s${index}`, usage({ read: 20_000 + index }), [called(tool, tool)]),
    );
    const { toolCalls, callsByTool } = measure(...events);
    expect(toolCalls).toBe(tools.length);
    expect(callsByTool).toEqual(Object.fromEntries(tools.map((tool) => [tool, 1])));
  });

  it("[R12] made in parallel are counted each, in one line or in several", () => {
    const counted = usage({ read: 20_000 });
    const { toolCalls, steps } = measure(
      answer("s1", counted, [said("both"), called("Read", "1"), called("Read", "2")]),
      answer("s1", counted, [called("Grep", "3")]),
      result("Read", "1", "x"),
      answer("s1", counted, [called("Grep", "4")]),
    );
    expect(toolCalls).toBe(4);
    expect(steps).toBe(1);
  });

  it("[R12] are counted after a compaction, after a model switch and after a clearing as before", () => {
    const { toolCalls } = measure(
      answer("s1", usage({ read: 60_000 }), [called("Read", "1")]),
      compacted(),
      answer("s2", usage({ read: 30_000 }), [called("Read", "2")]),
      answer("s3", usage({ read: 31_000 }), [called("Read", "3")], { model: DENSE }),
      clearedInPlace(20_000),
      answer("s4", usage({ read: 10_000 }), [called("Read", "4")], { model: DENSE }),
    );
    expect(toolCalls).toBe(4);
  });

  it("[R12] are counted where no usage is recorded", () => {
    const state = measure(prompt("hello"), answer("s1", undefined, [called("Read", "1"), called("Bash", "2")]));
    expect(state).toMatchObject({ toolCalls: 2, callsByTool: { Read: 1, Bash: 1 }, steps: 0, current: undefined });
  });

  it("are counted by name also where a name means something to JavaScript", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
    const { callsByTool } = measure(
      answer(
        "s1",
        usage({ read: 1 }),
        [...names, ...names].map((tool) => called(tool, "")),
      ),
    );
    expect(Object.entries(callsByTool)).toEqual(names.map((name) => [name, 2]));
  });

  it("of more tools than anyone has are counted together", () => {
    const calls = Array.from({ length: 1000 }, (_, index) => called(`tool ${index}`, `${index}`));
    const { callsByTool, toolCalls } = measure(answer("s1", usage({ read: 1 }), calls));
    expect(toolCalls).toBe(1000);
    expect(Object.values(callsByTool).reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(Object.keys(callsByTool).length).toBeLessThanOrEqual(201);
    expect(callsByTool.other).toBe(800);
  });

  it("[R12] are as many as the session has, whatever else happens in it", () => {
    fc.assert(
      fc.property(arbitraryEvents(), (events) => {
        const calls = events
          .flatMap((event) => (event.kind === "output" ? event.blocks : []))
          .filter((block) => block.kind === "toolCall");
        const { toolCalls, callsByTool } = measure(...events);
        expect(toolCalls).toBe(calls.length);
        expect(Object.values(callsByTool).reduce((sum, count) => sum + count, 0)).toBe(calls.length);
      }),
    );
  });
});

describe("large reads", () => {
  const numbered = (lines: number): string => Array.from({ length: lines }, (_, index) => `${index + 1}\tx`).join("\n");
  const read = (text: string) => measure(result("Read", "1", text)).largeReads;

  it("[R17] are Read results of more than 500 lines", () => {
    expect(read(numbered(500))).toBe(0);
    expect(read(numbered(501))).toBe(1);
  });

  it("[R17] count lines and not line feeds: a last one adds nothing", () => {
    expect(read(`${numbered(500)}\n`)).toBe(0);
    expect(read(`${numbered(501)}\n`)).toBe(1);
    expect(read("")).toBe(0);
  });

  it("[R17] are results of Read alone, and no errors", () => {
    const long = numbered(900);
    expect(measure(result("Bash", "1", long), prompt(long)).largeReads).toBe(0);
    expect(measure(result("Read", "1", long, { isError: true })).largeReads).toBe(0);
  });

  it("[R17] stay counted for the rest of the session, across a compaction", () => {
    const { largeReads } = measure(result("Read", "1", numbered(501)), compacted(), result("Read", "2", numbered(501)));
    expect(largeReads).toBe(2);
  });
});

describe("the last request", () => {
  it("is told by the last line of its answer, with the most output tokens any line told", () => {
    const { current, steps } = measure(
      answer("s1", usage({ read: 10, output: 90 }), [], { isOutputFinal: false }),
      answer("s1", usage({ read: 20_000, output: 7 }), [], { isOutputFinal: true }),
    );
    expect(steps).toBe(1);
    expect(current).toMatchObject({ isOutputFinal: true, usage: usage({ read: 20_000, output: 90 }) });
  });

  it("is what the cache remembers and the largest request is judged by, in its last line's count", () => {
    const { cached, largestContextTokens } = measure(
      answer("s1", usage({ read: 10 })),
      answer("s1", usage({ read: 190_000 })),
    );
    expect(cached?.usage).toEqual(usage({ read: 190_000 }));
    expect(largestContextTokens).toBe(190_000);
  });

  it("keeps its usage when a later line tells none", () => {
    expect(measure(request("s1", 20_000), answer("s1", undefined)).current?.usage.cacheReadTokens).toBe(20_000);
  });

  it("takes with it what waited", () => {
    const waited = measure(prompt("hello"), request("s1", 20_000), result("Bash", "1", "x"));
    expect(waited.waiting).toEqual(weighArrival(result("Bash", "1", "x"), "classic"));
    expect(measure(prompt("hello"), request("s1", 20_000)).waiting).toEqual(emptyLoad);
  });

  it("of one model says nothing about the largest request of another", () => {
    const switched = measure(
      request("s1", 300_000, { model: DENSE }),
      compacted(),
      request("s2", 40_000, { model: CLASSIC }),
    );
    expect(switched.largestContextTokens).toBe(40_000);
    expect(measure(request("s1", 190_000), request("s2", 40_000)).largestContextTokens).toBe(190_000);
  });
});

describe("a compaction", () => {
  it("[R130] is a mark in the state: the old request is void, the summary waits to be the new history", () => {
    const boundary = compacted({ trigger: "manual", preTokens: 120_000 });
    const summary = injected("summary", "what happened");
    const state = measure(request("s1", 120_000), prompt("never sent"), boundary, summary);
    expect(state).toMatchObject({ current: undefined, compactions: 1, lastCompaction: boundary });
    expect(state.waiting).toEqual(weighArrival(summary, "classic"));
    expect(state.cached?.usage.cacheReadTokens).toBe(120_000);
  });

  it("is implied once by the summary of old clients, which wrote no boundary", () => {
    const { compactions, current, lastCompaction } = measure(
      request("s1", 150_000),
      injected("summary", "first half", { origin: "u9" }),
      injected("summary", "second half"),
    );
    expect({ compactions, current }).toEqual({ compactions: 1, current: undefined });
    expect(lastCompaction).toMatchObject({ origin: "u9", trigger: "unknown" });
  });

  it("is not counted twice when a boundary and a summary tell of it", () => {
    expect(measure(request("s1", 1), compacted(), injected("summary", "x")).compactions).toBe(1);
  });

  it("is not undone by a line of an answer that was given before it", () => {
    const { current, toolCalls } = measure(
      answer("s1", usage({ read: 160_000 }), [called("Read", "1")]),
      compacted(),
      answer("s1", usage({ read: 160_000 }), [called("Read", "2")]),
    );
    expect(current).toBeUndefined();
    expect(toolCalls).toBe(2);
  });

  it("teaches the line only if it was automatic and told its size", () => {
    const { autoPreTokens } = measure(
      compacted({ trigger: "auto", preTokens: 155_000 }),
      compacted({ trigger: "manual", preTokens: 90_000 }),
      compacted({ trigger: "auto" }),
      compacted({ trigger: "auto", preTokens: 156_000 }),
    );
    expect(autoPreTokens).toEqual([155_000, 156_000]);
  });
});

describe("what is learned", () => {
  it("is the base of the first request: what it carried beyond what was recorded", () => {
    const { baseTokens } = measure(prompt("hello there"), request("s1", 20_000), request("s2", 90_000));
    expect(baseTokens).toBeCloseTo(20_000 - estimateTextTokens("hello there", "classic"), 6);
    expect(measure(prompt("x ".repeat(9000)), request("s1", 10)).baseTokens).toBe(0);
  });

  it("is the growth from request to request, none across models, boundaries and clearings", () => {
    const { recentGrowth } = measure(
      request("s1", 20_000),
      request("s2", 21_000),
      request("s3", 20_500),
      request("s4", 19_000),
      request("s5", 30_000, { model: DENSE }),
      request("s6", 30_010, { model: DENSE }),
      compacted(),
      request("s7", 40_000, { model: DENSE }),
    );
    expect(recentGrowth).toEqual([1000, -500, 10]);
  });

  it("is the same as a look back over the whole recording teaches", () => {
    const tidy = arbitraryEvents(15).filter((events) => isReportedInOrder(events));
    fc.assert(
      fc.property(tidy, (events) => {
        const growthOf = (observations: readonly Observation[]) => observations.map(({ growthTokens }) => growthTokens);
        const lookedBack = observeGrowth(createRecording(events));
        expect(growthOf(measure(...events).observations)).toEqual(growthOf(lookedBack));
      }),
    );
  });

  it("is every cache miss, with the compaction that caused it", () => {
    const { misses } = measure(
      answer("s1", usage({ write5m: 50_000 }), [], { atMs: 0 }),
      answer("s2", usage({ write5m: 50_100 }), [], { atMs: 400_000 }),
      compacted(),
      answer("s3", usage({ read: 10_000, write5m: 20_000 }), [], { atMs: 401_000 }),
      answer("s4", usage({ read: 30_000, write5m: 100 }), [], { atMs: 402_000 }),
    );
    expect(misses.map(({ stepId, cause, missedTokens }) => [stepId, cause, missedTokens])).toEqual([
      ["s2", "idle", 50_000],
      ["s3", "compaction", 20_000],
    ]);
  });
});

/** Whether every answer tells its usage at once, so that a meter and a look back see the same steps. */
function isReportedInOrder(events: readonly SessionEvent[]): boolean {
  return events.every((event) => event.kind !== "output" || event.usage !== undefined);
}

describe("the state", () => {
  it("comes out the same when it is stored as JSON between any two events", () => {
    fc.assert(
      fc.property(arbitraryEvents(), (events) => {
        let stored = JSON.stringify(emptyMeter);
        for (const event of events) {
          const meter = createMeter(JSON.parse(stored) as MeterState);
          meter.feed(event);
          stored = JSON.stringify(meter.state());
        }
        expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(measure(...events))));
      }),
    );
  });

  it("is never changed once it was handed out", () => {
    fc.assert(
      fc.property(arbitraryEvents(), (events) => {
        const meter = createMeter(deepFreeze(structuredClone(emptyMeter)));
        for (const event of deepFreeze(events)) {
          deepFreeze(meter.state());
          meter.feed(event);
        }
      }),
    );
  });

  it("is untouched by a clearing in place, which the next usage will tell anyway", () => {
    const state = measure(request("s1", 20_000));
    expect(measure(request("s1", 20_000), clearedInPlace(5000))).toEqual(state);
  });

  it("stays small however long the session is", () => {
    const sizeAfter = (rounds: number): number => {
      const meter = createMeter();
      for (let index = 0; index < rounds; index++) {
        meter.feed(prompt("go on"));
        const model = index % 7 === 0 ? DENSE : CLASSIC;
        const used = usage({ write5m: 100_000 + (index % 1000) * 10, output: 100 });
        meter.feed(
          answer(`step ${index % 1000}`, used, [called(`tool ${index}`, `${index}`)], { model, atMs: index % 1000 }),
        );
        if (index % 10 === 9) meter.feed(compacted({ preTokens: 155_000 }));
      }
      return JSON.stringify(meter.state()).length;
    };
    const size = sizeAfter(2000);
    expect(size).toBeLessThan(64_000);
    expect(Math.abs(sizeAfter(6000) - size)).toBeLessThan(1000);
  });
});

function observe(...events: readonly SessionEvent[]) {
  return observeGrowth(createRecording(events));
}

describe("observeGrowth", () => {
  it("sets what joined against the growth that is left when the final answer is taken off", () => {
    const arrived = result("Bash", "1", "some output");
    const observed = observe(
      answer("s1", usage({ read: 10_000, output: 300 }), [called("Bash", "1")], { model: DENSE }),
      arrived,
      request("s2", 10_500, { model: DENSE }),
    );
    expect(observed).toEqual([{ step: 1, model: DENSE, growthTokens: 200, load: weighArrival(arrived, "dense") }]);
  });

  it("weighs the answer too where its count is not final", () => {
    const made = called("Bash", "1");
    const arrived = result("Bash", "1", "some output");
    const [observed] = observe(
      answer("s1", usage({ read: 10_000, output: 1 }), [made], { isOutputFinal: false }),
      arrived,
      request("s2", 10_500),
    );
    expect(observed).toMatchObject({
      growthTokens: 500,
      load: sumLoads([weighOutput(made, "classic"), weighArrival(arrived, "classic")]),
    });
  });

  it("learns nothing across a compaction, another model, a step without usage or a clearing", () => {
    expect(observe(request("s1", 10_000), compacted(), request("s2", 11_000))).toEqual([]);
    expect(observe(request("s1", 10_000), request("s2", 11_000, { model: DENSE }))).toEqual([]);
    expect(observe(request("s1", 10_000), answer("s2", undefined), request("s3", 11_000))).toEqual([]);
    expect(observe(request("s1", 10_000), request("s2", 9_499))).toEqual([]);
    expect(observe(request("s1", 10_000), request("s2", 9_500))).toHaveLength(1);
  });

  it("learns nothing from a single request, nor from none", () => {
    expect(observe(prompt("hello"), request("s1", 10_000))).toEqual([]);
    expect(observe()).toEqual([]);
  });
});
