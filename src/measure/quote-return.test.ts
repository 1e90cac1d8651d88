/** If red: a person who comes back after a break is quoted a wrong price. */
import { describe, expect, it } from "vitest";
import { answer, compacted, prompt, said, usage } from "../../test/support/session-events.ts";
import { createMeter, type MeterState } from "./meter.ts";
import { quoteReturn, renderReturn } from "./quote-return.ts";

const MODEL = { model: "claude-opus-5-5" };

function measure(...usages: readonly Parameters<typeof usage>[0][]): MeterState {
  const meter = createMeter();
  for (const [index, each] of usages.entries()) meter.feed(answer(`s${index}`, usage(each), [said("ok")], MODEL));
  return meter.state();
}

describe("the price of coming back", () => {
  it("is the whole window written once more, at the model's price and for the cache's life, and less if it is compacted first", () => {
    const short = quoteReturn(measure({ write5m: 20_000 }, { read: 20_000, write5m: 380_000 }), 360_000);
    const { tokens = 0, goingOnUsd = 0, compactedUsd = 0 } = short ?? {};
    expect(tokens).toBeGreaterThanOrEqual(400_000);
    expect(tokens).toBeLessThan(400_200);
    // Four dollars a million, and a quarter more for what is written for five minutes.
    expect(goingOnUsd).toBeCloseTo((tokens * 5) / 1e6, 6);
    expect(compactedUsd).toBeCloseTo(((tokens - 360_000) * 5) / 1e6, 6);
    const hour = quoteReturn(measure({ write1h: 20_000 }, { read: 20_000, write1h: 380_000 }));
    expect(hour?.goingOnUsd).toBeCloseTo((tokens * 8) / 1e6, 6);
    expect(hour?.compactedUsd).toBeUndefined();
  });

  it("reads what the session's requests without a cache of their own could always read", () => {
    const warm = quoteReturn(measure({ read: 18_000, write5m: 2_000 }, { read: 20_000, write5m: 100_000 }));
    const { tokens = 0, goingOnUsd } = warm ?? {};
    expect(goingOnUsd).toBeCloseTo(((tokens - 18_000) * 5 + 18_000 * 0.2) / 1e6, 6);
    const gone = quoteReturn(
      measure({ read: 18_000, write5m: 2_000 }, { read: 20_000, write5m: 100_000 }, { write5m: 121_000 }),
    );
    expect(gone?.goingOnUsd).toBeCloseTo(((gone?.tokens ?? 0) * 5) / 1e6, 6);
  });

  it("counts half of the window as read at most, where the transcript begins with a request that read nearly all of it", () => {
    const { tokens = 0, goingOnUsd } = quoteReturn(measure({ read: 195_000, write5m: 5_000 })) ?? {};
    expect(goingOnUsd).toBeCloseTo(((tokens / 2) * (5 + 0.2)) / 1e6, 6);
  });

  it("leaves out what the model thought since the last prompt, where the provider does from the next one on", () => {
    const meter = createMeter();
    const think = (step: string, context: number, thoughtTokens: number): void =>
      meter.feed(
        answer(step, { ...usage({ input: context, output: thoughtTokens }), thoughtTokens }, [], { model: "gpt-5.4" }),
      );
    meter.feed(prompt("begin"));
    think("s1", 50_000, 3_000);
    meter.feed(prompt("go on"));
    think("s2", 60_000, 4_000);
    think("s3", 70_000, 5_000);
    expect(quoteReturn(meter.state())?.tokens).toBe(70_000 - 4_000);
    meter.feed(compacted());
    think("s4", 20_000, 1_000);
    expect(quoteReturn(meter.state())?.tokens).toBe(20_000);
  });

  it("counts everything as plain input where a provider caches by itself and bills no writes", () => {
    const quote = quoteReturn(measure({ input: 100_000 }, { read: 100_000, input: 2_000 }));
    expect(quote?.goingOnUsd).toBeCloseTo(((quote?.tokens ?? 0) * 4) / 1e6, 6);
  });

  it("counts the rewrite also where the last request wrote nothing, and no longer once another provider answers", () => {
    const meter = createMeter();
    const usages = [usage({ write1h: 20_000 }), usage({ read: 20_000, write1h: 287_000 }), usage({ read: 307_000 })];
    for (const [at, each] of [...usages, usage({ read: 307_000 })].entries())
      meter.feed(answer(`s${at}`, each, [], { model: "claude-sonnet-5" }));
    const quote = quoteReturn(meter.state(), 207_000);
    // Two dollars a million, twice as much for what is written for an hour.
    expect(quote?.goingOnUsd).toBeCloseTo(1.228, 6);
    expect(quote?.compactedUsd).toBeCloseTo(0.4, 6);
    meter.feed(answer("s4", usage({ input: 307_000 }), [], { model: "gpt-5.1" }));
    expect(quoteReturn(meter.state())?.goingOnUsd).toBeCloseTo(0.38375, 6);
  });

  it("is not known before the first request, and has no dollars for a model without a price", () => {
    expect(quoteReturn(createMeter().state())).toBeUndefined();
    const meter = createMeter();
    meter.feed(answer("s1", usage({ write5m: 100_000 }), [said("ok")], { model: "homemade" }));
    const quote = quoteReturn(meter.state(), 80_000);
    expect(quote).toMatchObject({ goingOnUsd: undefined, compactedUsd: undefined });
    expect(quote && renderReturn(quote)).toBe("100k tokens are no longer cached");
  });

  it("is one line with both ways to go on", () => {
    expect(renderReturn({ tokens: 412_000, goingOnUsd: 3.3, compactedUsd: 0.25 })).toBe(
      "412k tokens are no longer cached: going on costs about $3.30, compacted first $0.25",
    );
    expect(renderReturn({ tokens: 412_000, goingOnUsd: 3.3, compactedUsd: undefined })).toBe(
      "412k tokens are no longer cached: going on costs about $3.30",
    );
  });
});
