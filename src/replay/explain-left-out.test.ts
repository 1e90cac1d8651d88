/** If red: a session that replay cannot price counts in the totals, or is left out without a reason. */
import { describe, expect, it } from "vitest";
import { type DollarCheck, explainLeftOut } from "./check-dollars.ts";

const DOLLARS = { billedUsd: 0, recordedUsd: 0, simulatedUsd: 0, withMissesUsd: 0, withHitsUsd: 0 };
const COUNTS = { unexplainedMisses: 0, unexplainedHits: 0, recordedCompactions: 0, simulatedCompactions: 0 };
const NOTHING: DollarCheck = { ...DOLLARS, ...COUNTS, unfollowedDrops: 0, largestView: 0 };

const session = (name: string, client: string, [recordedUsd, simulatedUsd]: readonly [number, number]) => ({
  name,
  client,
  check: { ...NOTHING, recordedUsd, simulatedUsd, withMissesUsd: simulatedUsd, unexplainedHits: 2 },
});

describe("a session", () => {
  const known = { recordedUsd: 1, simulatedUsd: 1.3, withMissesUsd: 1.3 };
  it.each<readonly [string, Partial<DollarCheck>, string]>([
    [
      "missed the cache",
      { simulatedUsd: 0.8, withMissesUsd: 1, unexplainedMisses: 3, unfollowedDrops: 1 },
      "0.80 of what was recorded (cache misses that time stamps do not explain: 3)",
    ],
    [
      "found more in it",
      { unexplainedHits: 1 },
      "1.30 of what was recorded (1 request read more from the cache than this session could have left there)",
    ],
    [
      "shrank and compacted",
      { simulatedCompactions: 2, unfollowedDrops: 1 },
      "1.30 of what was recorded (its context shrank 1 time without a recorded compaction; compacted 2 times where 0 are recorded)",
    ],
    ["is strange", {}, "1.30 of what was recorded (not known)"],
  ])("is left out, with what is known of it: one that %s", (name, check, why) => {
    const far = { name, client: "pi", check: { ...NOTHING, ...known, ...check } };
    const near = session("near", "pi", [100, 100]);
    expect([...explainLeftOut([far, near])]).toEqual([[name, `the simulated agent costs ${why}`]]);
  });
});

describe("a total of sessions that are each near what was recorded", () => {
  const pi = [session("large", "pi", [3.4, 3.85]), session("a", "pi", [0.3, 0.29]), session("b", "pi", [0.1, 0.1])];

  it("leaves out by name what takes it more than 5 % off, and says why", () => {
    expect([...explainLeftOut(pi)]).toEqual([
      [
        "large",
        "the simulated agent costs 1.13 of what was recorded (2 requests read more from the cache than this session could have left there), and with it all sessions of pi would come to 1.12",
      ],
    ]);
  });

  it("is taken for each client alone, in either direction", () => {
    const others = [session("c", "Codex", [100, 98]), session("g", "Gemini CLI", [0.024, 0.022])];
    expect([...explainLeftOut([...others, ...pi]).keys()]).toEqual(["g", "large"]);
  });

  it("keeps every session where the errors cancel out", () => {
    expect(explainLeftOut([session("a", "pi", [1, 1.14]), session("b", "pi", [1, 0.87])]).size).toBe(0);
  });
});
