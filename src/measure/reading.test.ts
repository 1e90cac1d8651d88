/** If red: a guess is shown as a measured load, or an old measurement after a compaction. */
import { describe, expect, it } from "vitest";
import {
  answer,
  called,
  compacted,
  injected,
  prompt,
  request,
  result,
  said,
  usage,
} from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { predictTokens, seedCalibration } from "./calibration.ts";
import { weighArrival, weighOutput } from "./load.ts";
import { createMeter, type MeterState } from "./meter.ts";
import { takeReading } from "./reading.ts";

function measure(...events: readonly SessionEvent[]): MeterState {
  const meter = createMeter();
  for (const event of events) meter.feed(event);
  return meter.state();
}

const seed = seedCalibration("classic");
const WORDS = "a line that says something\n".repeat(50);

describe("the ladder, from its best rung down", () => {
  const events = [prompt("fix it"), answer("s1", usage({ input: 3, read: 80_000, write5m: 2000, output: 90 }))];

  it("takes what the client measured before anything else", () => {
    const client = { usedTokens: 91_234, windowTokens: 200_000 };
    expect(takeReading(measure(...events), client)).toMatchObject({
      source: "client",
      confidence: "exact",
      usedTokens: 91_234,
      lowTokens: 91_234,
      highTokens: 91_234,
    });
    expect(takeReading(measure(...events, compacted()), client).source).toBe("client");
    expect(takeReading(measure(), client).usedTokens).toBe(91_234);
  });

  it("takes a client that has not measured yet for one that says nothing", () => {
    expect(takeReading(measure(...events), { usedTokens: 0, windowTokens: 200_000 }).source).toBe("usage");
  });

  it("then takes what the last request was billed for, its answer not included", () => {
    expect(takeReading(measure(...events))).toMatchObject({
      source: "usage",
      confidence: "exact",
      usedTokens: 82_003,
      lowTokens: 82_003,
      highTokens: 82_003,
      note: "usage of the last request",
    });
  });

  it("counts the lines of one answer once, with the usage of the last", () => {
    const state = measure(
      ...events,
      answer("s2", usage({ read: 10 }), [said("one")]),
      answer("s2", usage({ read: 83_000 }), [said("two")]),
    );
    expect(takeReading(state).usedTokens).toBe(83_000);
  });

  it("then estimates, once a compaction has voided the usage, and says so", () => {
    const reading = takeReading(measure(...events, compacted({ preTokens: 82_500 }), injected("summary", WORDS)));
    expect(reading).toMatchObject({ source: "estimate", confidence: "estimated" });
    expect(reading.note).toMatch(/^no request has followed the last compaction/);
    expect(reading.usedTokens).not.toBe(82_003);
    expect(reading.usedTokens).not.toBe(82_500);
  });

  it("[R13] shows nothing but a directional count where no usage was ever recorded", () => {
    const state = measure(prompt(WORDS), answer("s1", undefined, [called("Read", "1")]), result("Read", "1", WORDS));
    expect(takeReading(state)).toEqual({
      source: "calls",
      confidence: "directional",
      usedTokens: undefined,
      lowTokens: undefined,
      highTokens: undefined,
      nextTokens: undefined,
      note: "no usage is recorded yet; the number of tool calls is only a rough guide",
    });
  });

  it("climbs back to usage with the first request after the compaction", () => {
    const state = measure(...events, compacted(), injected("summary", WORDS), request("s2", 31_000));
    expect(takeReading(state)).toMatchObject({ source: "usage", usedTokens: 31_000 });
  });
});

describe("a size", () => {
  it("[R160] is never taken from the characters of the transcript while usage exists", () => {
    const session = (text: string, tokens: number): MeterState =>
      measure(
        prompt(text),
        answer("s1", usage({ read: tokens - 500 }), [said(text), called("Read", "1", { text })]),
        result("Read", "1", text),
        answer("s2", usage({ read: tokens }), [said(text)]),
      );
    const sizes = ["", WORDS, WORDS.repeat(100)].map((text) => takeReading(session(text, 60_000)).usedTokens);
    expect(sizes).toEqual([60_000, 60_000, 60_000]);
    expect(takeReading(session(WORDS, 61_000)).usedTokens).toBe(61_000);
  });
});

describe("after a compaction", () => {
  const before = [prompt("fix it"), request("s1", 20_000), request("s2", 160_000)];
  const base = measure(...before).baseTokens ?? 0;

  it("is at least the base and the summary, next to the files that the client puts back", () => {
    const { usedTokens, lowTokens, highTokens, nextTokens } = takeReading(
      measure(...before, compacted(), injected("summary", WORDS)),
    );
    const least = Math.round(base + predictTokens(weighArrival(injected("summary", WORDS), "classic"), seed));
    expect({ usedTokens, lowTokens, highTokens, nextTokens }).toEqual({
      usedTokens: least + 9000,
      lowTokens: least,
      highTokens: least + 30_000,
      nextTokens: least + 9000,
    });
  });

  it("takes the size of the new history from the client where it tells it", () => {
    const reported = (postTokens: number, summary = "short") =>
      takeReading(measure(...before, compacted({ postTokens }), injected("summary", summary))).lowTokens;
    expect(reported(5000)).toBe(Math.round(base + 5000));
    expect(reported(1, WORDS)).toBe(
      Math.round(base + predictTokens(weighArrival(injected("summary", WORDS), "classic"), seed)),
    );
  });

  it("takes a typical base where the first request carried a history that nobody recorded", () => {
    const resumed = takeReading(measure(request("s1", 140_000), compacted({ postTokens: 3000 })));
    expect(resumed.lowTokens).toBe(30_000);
    expect(takeReading(measure(request("s1", 60_000), compacted({ postTokens: 3000 }))).lowTokens).toBe(63_000);
  });

  it("knows nothing of the usage before, whatever it was", () => {
    const readAfter = (tokens: number) =>
      takeReading(
        measure(
          prompt("fix it"),
          request("s1", 20_000),
          compacted(),
          request("s2", 30_000),
          request("s3", tokens),
          compacted(),
        ),
      );
    expect(readAfter(160_000).usedTokens).toBe(readAfter(100_000).usedTokens);
  });
});

describe("the next request", () => {
  it("will carry the last one, its final answer and what joined since", () => {
    const joined = result("Bash", "1", WORDS);
    const { nextTokens } = takeReading(measure(answer("s1", usage({ read: 20_000, output: 700 })), joined));
    expect(nextTokens).toBe(Math.round(20_700 + predictTokens(weighArrival(joined, "classic"), seed)));
  });

  it("will carry an estimate of the answer where its count is not final", () => {
    const state = measure(answer("s1", usage({ read: 20_000, output: 1 }), [said(WORDS)], { isOutputFinal: false }));
    expect(takeReading(state).nextTokens).toBe(
      Math.round(20_000 + predictTokens(weighOutput(said(WORDS), "classic"), seed)),
    );
  });

  it("is never below what the client has measured, and is not known where nothing was sent", () => {
    const client = { usedTokens: 50_000, windowTokens: 200_000 };
    expect(takeReading(measure(request("s1", 20_000)), client).nextTokens).toBe(50_000);
    expect(takeReading(measure(), client).nextTokens).toBeUndefined();
  });
});
