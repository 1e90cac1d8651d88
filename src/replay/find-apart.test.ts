import { describe, expect, it } from "vitest";
import type { DollarCheck } from "./check-dollars.ts";
import { explainDistance, explainTotals } from "./find-apart.ts";

const DOLLARS = { billedUsd: 0, recordedUsd: 0, simulatedUsd: 0, withMissesUsd: 0, withHitsUsd: 0 };
const COUNTS = { unexplainedMisses: 0, unexplainedHits: 0, recordedCompactions: 0, simulatedCompactions: 0 };
const NOTHING: DollarCheck = { ...DOLLARS, ...COUNTS, unfollowedDrops: 0, largestView: 0 };

const session = (name: string, client: string, [recordedUsd, simulatedUsd]: readonly [number, number]) => ({
  name,
  client,
  check: { ...NOTHING, recordedUsd, simulatedUsd, withMissesUsd: simulatedUsd, unexplainedHits: 2 },
});

describe("a total of sessions that are each near what was recorded", () => {
  const pi = [session("large", "pi", [3.4, 3.85]), session("a", "pi", [0.3, 0.29]), session("b", "pi", [0.1, 0.1])];

  it("leaves out by name what takes it more than 5 % off, and says why", () => {
    expect(pi.map(({ check }) => explainDistance(check))).toEqual([undefined, undefined, undefined]);
    expect([...explainTotals(pi)]).toEqual([
      [
        "large",
        "the simulated client costs 1.13 of what was recorded (2 requests read more from the cache than this session could have left there), and with it all sessions of pi would come to 1.12",
      ],
    ]);
  });

  it("is taken for each client alone, in either direction", () => {
    const others = [session("c", "Codex", [100, 98]), session("g", "Gemini CLI", [0.024, 0.022])];
    expect([...explainTotals([...others, ...pi]).keys()]).toEqual(["g", "large"]);
  });

  it("keeps every session where the errors cancel out", () => {
    expect(explainTotals([session("a", "pi", [1, 1.14]), session("b", "pi", [1, 0.87])]).size).toBe(0);
  });
});
