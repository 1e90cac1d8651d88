import { describe, expect, it } from "vitest";
import {
  asks,
  type Beat,
  calls,
  edits,
  follow,
  followEvents,
  runs,
  toEvents,
} from "../../test/support/session-story.ts";
import { overridePhase, PHASES } from "./phase.ts";

function phaseAfter(...beats: readonly Beat[]): string {
  return follow(...beats).phase.phase;
}

const reads = calls("Read", { file_path: "/p/a.ts" }, "x");
const fails = runs("npm test", "1 failed", { exitCode: 1 });

describe("the phase", () => {
  it("is guessed from what the last actions were for", () => {
    expect(phaseAfter()).toBe("research");
    expect(phaseAfter(reads, reads)).toBe("research");
    expect(
      phaseAfter(
        reads,
        calls("TaskCreate", { subject: "a" }, "Task #1 created successfully: a"),
        calls("ExitPlanMode", { plan: "x" }, "approved"),
      ),
    ).toBe("planning");
    expect(phaseAfter(reads, edits("/p/a.ts"), edits("/p/b.ts"))).toBe("implementation");
    expect(phaseAfter(edits("/p/a.ts"), runs("npm test", "3 passed"))).toBe("verify");
    expect(phaseAfter(edits("/p/a.ts"), fails, reads, edits("/p/a.ts"))).toBe("debug");
    expect(phaseAfter(runs("npx biome check ."), runs("npx tsc --noEmit"))).toBe("quality");
    expect(phaseAfter(edits("/p/a.ts"), runs("git commit -m x"))).toBe("commit");
  });

  it("does not change by a single look-up in the middle of the work", () => {
    expect(phaseAfter(edits("/p/a.ts"), edits("/p/b.ts"), edits("/p/c.ts"), reads)).toBe("implementation");
  });

  it("leaves a failure behind when the person asks for something else", () => {
    expect(phaseAfter(fails, asks("write the docs"), edits("/p/a.md"), edits("/p/b.md"))).toBe("implementation");
  });

  it("is what somebody who knows better says, until that is withdrawn", () => {
    const state = follow(edits("/p/a.ts"), edits("/p/b.ts"));
    const told = { ...state, phase: overridePhase(state.phase, "quality") };
    const later = followEvents(toEvents(edits("/p/c.ts")), told);
    expect([told.phase.phase, later.phase.phase]).toEqual(["quality", "quality"]);
    expect(overridePhase(later.phase, undefined)).toMatchObject({ phase: "implementation" });
    expect(PHASES).toContain("quality");
  });
});
