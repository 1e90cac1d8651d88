import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitWeights, type LimitMove } from "./fit-weights.ts";

/** Moves of a limit that counts so much per million tokens of each kind, told in steps of so many percent. */
function tell(weights: readonly [number, number, number], grain = 0): readonly LimitMove[] {
  return Array.from({ length: 60 }, (_, index) => {
    const readTokens = 1_000_000 + ((index * 7_919) % 13) * 700_000;
    const writeTokens = 60_000 + ((index * 104_729) % 17) * 30_000;
    const outputTokens = 5_000 + ((index * 1_299_709) % 11) * 6_000;
    const percent = (readTokens * weights[0] + writeTokens * weights[1] + outputTokens * weights[2]) / 1e6;
    return {
      readTokens,
      writeTokens,
      outputTokens,
      percent: grain === 0 ? percent : Math.round(percent / grain) * grain,
    };
  });
}

describe("what a limit counts", () => {
  it("is found again, relative to a written token, whatever it is", () => {
    const weight = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(weight, fc.double({ min: 0.5, max: 20, noNaN: true }), weight, (read, write, output) => {
        const fitted = fitWeights(tell([read, write, output]));
        expect(fitted?.weights.read).toBeCloseTo(read / write, 4);
        expect(fitted?.weights.output).toBeCloseTo(output / write, 3);
        expect(fitted?.weights.write).toBe(1);
      }),
      { numRuns: 25 },
    );
  });

  it("never counts negatively, and says how far readings in whole percents leave it open", () => {
    const exact = fitWeights(tell([0.4, 4, 20]));
    const coarse = fitWeights(tell([0.4, 4, 20], 1));
    expect(exact?.isSure).toBe(true);
    expect(coarse?.uncertainty.read).toBeGreaterThan(exact?.uncertainty.read ?? 0);
    expect(Math.abs((coarse?.weights.read ?? 0) - 0.1)).toBeLessThan(2 * (coarse?.uncertainty.read ?? 0));
    const noise = tell([0, 4, 0]).map((move, index) => ({ ...move, percent: move.percent + (index % 2) * 3 }));
    expect(fitWeights(noise)?.weights.read).toBeGreaterThanOrEqual(0);
  });

  it("is not sure where the readings say nothing of it, and not told where there are few", () => {
    const blind = tell([0.4, 4, 20]).map((move, index) => ({ ...move, percent: 1 + ((index * 31) % 7) }));
    expect(fitWeights(blind)?.isSure ?? false).toBe(false);
    expect(fitWeights(tell([0.4, 4, 20]).slice(0, 29))).toBeUndefined();
    expect(fitWeights([])).toBeUndefined();
  });
});
