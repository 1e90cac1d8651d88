import { describe, expect, it } from "vitest";
import {
  answer,
  called,
  compacted,
  DENSE,
  prompt,
  request,
  result,
  said,
  usage,
} from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { emptyLoad, sumLoads, weighArrival, weighOutput } from "./load.ts";
import { observeGrowth, weighAnswer } from "./observe.ts";
import { createRecording } from "./recording.ts";

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

describe("weighAnswer", () => {
  const outputs = [said("some words")];
  const known = usage({ read: 1, output: 70 });

  it("carries a final count on as it was counted", () => {
    expect(weighAnswer({ usage: known, outputs, model: DENSE, isOutputFinal: true })).toEqual({
      knownTokens: 70,
      load: emptyLoad,
    });
  });

  it("weighs the words where the count is not final or was never told", () => {
    const load = weighOutput(said("some words"), "dense");
    for (const step of [
      { usage: known, isOutputFinal: false },
      { usage: undefined, isOutputFinal: true },
    ])
      expect(weighAnswer({ ...step, outputs, model: DENSE })).toEqual({ knownTokens: 0, load });
  });
});
