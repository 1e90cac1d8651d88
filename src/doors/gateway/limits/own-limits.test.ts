import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOwnLimits } from "./own-limits.ts";

const HOUR_MS = 3_600_000;
const PER_MINUTE = 30;

function open(startMs = 10 * HOUR_MS) {
  let nowMs = startMs;
  const limits = createOwnLimits(() => nowMs);
  const admit = () => limits.enter({ name: "ada", requestsPerMinute: PER_MINUTE, concurrent: 1000 });
  const step = (ms: number): void => {
    nowMs += ms;
  };
  const ask = (): string => {
    const entry = admit();
    if (entry.kind === "entered") entry.leave();
    return entry.kind;
  };
  return { ask, step, admit };
}

describe("a limit by the minute", () => {
  it.each([
    ["set back an hour", -HOUR_MS],
    ["set forward an hour", HOUR_MS],
    ["set back to the beginning of time", -10 * HOUR_MS],
  ])("lets everybody go on whose clock was %s", (_name, jumpMs) => {
    const { ask, step } = open();
    expect(ask()).toBe("entered");
    step(jumpMs);
    for (let request = 0; request < PER_MINUTE - 1; request++) expect(ask()).toBe("entered");
  });

  it("says after how many seconds to come again, and holds to it, though the clock was set back", () => {
    const { ask, admit, step } = open();
    for (let request = 0; request < PER_MINUTE; request++) ask();
    step(-HOUR_MS);
    const refused = admit();
    expect(refused).toMatchObject({ kind: "refused", why: "requests", retryAfterSeconds: 2 });
    step(2000);
    expect(ask()).toBe("entered");
  });

  it("gives every minute what it allows, wherever a clock jumps in between", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), { maxLength: 20 }), (jumps) => {
        const { ask, step } = open();
        for (const jump of jumps) {
          step(jump);
          ask();
        }
        // A minute that passes as minutes do fills the bucket, whatever the clock did before.
        ask();
        step(60_000);
        for (let request = 0; request < PER_MINUTE; request++) expect(ask()).toBe("entered");
        expect(ask()).toBe("refused");
      }),
    );
  });
});

describe("a limit of what is under way", () => {
  it("lets in exactly so many, and one more for each that ends, once", () => {
    const limits = createOwnLimits(() => 0);
    const enter = () => limits.enter({ name: "ada", requestsPerMinute: 1000, concurrent: 2 });
    const [first, second] = [enter(), enter()];
    expect([first.kind, second.kind, enter().kind]).toEqual(["entered", "entered", "refused"]);
    if (first.kind === "entered") for (const leave of [first.leave, first.leave]) leave();
    expect([enter().kind, enter().kind]).toEqual(["entered", "refused"]);
  });

  it("counts nothing that was refused elsewhere", () => {
    const limits = createOwnLimits(() => 0);
    const enter = () => limits.enter({ name: "ada", requestsPerMinute: 1, concurrent: 1 });
    const refused = enter();
    if (refused.kind === "entered") for (const undo of [refused.undo, refused.undo]) undo();
    expect([enter().kind, enter().kind]).toEqual(["entered", "refused"]);
  });
});
