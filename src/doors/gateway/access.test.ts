import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAccess, parseUsers } from "./access.ts";

const TOKEN = "a-long-token-of-ada";
const HOUR_MS = 3_600_000;
const PER_MINUTE = 30;

function open(startMs = 10 * HOUR_MS) {
  let nowMs = startMs;
  const access = createAccess(parseUsers(`ada ${TOKEN} ${PER_MINUTE} 1000`), () => nowMs);
  const step = (ms: number): void => {
    nowMs += ms;
  };
  const ask = (): string => {
    const admission = access.admit(TOKEN);
    if (admission.kind === "admitted") admission.release();
    return admission.kind;
  };
  return { ask, step, admit: () => access.admit(TOKEN) };
}

describe("a limit by the minute", () => {
  it.each([
    ["set back an hour", -HOUR_MS],
    ["set forward an hour", HOUR_MS],
    ["set back to the beginning of time", -10 * HOUR_MS],
  ])("lets everybody go on whose clock was %s", (_name, jumpMs) => {
    const { ask, step } = open();
    expect(ask()).toBe("admitted");
    step(jumpMs);
    for (let request = 0; request < PER_MINUTE - 1; request++) expect(ask()).toBe("admitted");
  });

  it("says after how many seconds to come again, and holds to it, though the clock was set back", () => {
    const { ask, admit, step } = open();
    for (let request = 0; request < PER_MINUTE; request++) ask();
    step(-HOUR_MS);
    const refused = admit();
    expect(refused).toMatchObject({ kind: "refused", status: 429, retryAfterSeconds: 2 });
    step(2000);
    expect(ask()).toBe("admitted");
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
        for (let request = 0; request < PER_MINUTE; request++) expect(ask()).toBe("admitted");
        expect(ask()).toBe("refused");
      }),
    );
  });
});

describe("a limit of what is under way", () => {
  it("lets in exactly so many, and one more for each that ends, once", () => {
    const access = createAccess(parseUsers(`ada ${TOKEN} 1000 2`), () => 0);
    const [first, second] = [access.admit(TOKEN), access.admit(TOKEN)];
    expect([first.kind, second.kind, access.admit(TOKEN).kind]).toEqual(["admitted", "admitted", "refused"]);
    if (first.kind === "admitted") for (const release of [first.release, first.release]) release();
    expect([access.admit(TOKEN).kind, access.admit(TOKEN).kind]).toEqual(["admitted", "refused"]);
  });
});

describe("users who are replaced", () => {
  it("come and go at once, and who stays has used what they have used", () => {
    const access = createAccess(parseUsers(`ada ${TOKEN} 2\neve the-token-of-eve-who-leaves`), () => 0);
    expect(access.admit(TOKEN).kind).toBe("admitted");
    access.replace(parseUsers(`ada ${TOKEN} 2\nbob the-token-of-bob-who-comes`));
    expect(access.admit("the-token-of-eve-who-leaves").kind).toBe("refused");
    expect(access.admit("the-token-of-bob-who-comes").kind).toBe("admitted");
    expect([access.admit(TOKEN).kind, access.admit(TOKEN).kind]).toEqual(["admitted", "refused"]);
  });
});
