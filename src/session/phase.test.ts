/** If red: planning is taken for implementing, and compactions come at bad moments. */
import { describe, expect, it } from "vitest";
import { asks, type Beat, calls, edits, follow, runs } from "../../test/support/session-story.ts";

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

  it("begins anew with what the person asks, and goes on with a mere reply", () => {
    const committed = [edits("/p/a.ts"), runs("git commit -m x"), runs("gh pr create")];
    expect(phaseAfter(...committed)).toBe("commit");
    expect(phaseAfter(...committed, asks("how does the mast stand?"), reads)).toBe("research");
    expect(phaseAfter(...committed, asks("thanks"))).toBe("commit");
    expect(phaseAfter(...committed, asks("I don't see the mast in the drawing"))).toBe("debug");
    expect(phaseAfter(edits("/p/a.ts"), asks("commit it"), runs("git status"), reads)).toBe("commit");
  });

  it("takes looking around for a part of what it is done for", () => {
    const broken = [asks("getting 500 errors on upload"), reads, edits("/p/a.ts")];
    expect(phaseAfter(...broken)).toBe("debug");
    expect(phaseAfter(...broken, asks("log in and try it out yourself"), reads)).toBe("debug");
    expect(phaseAfter(calls("ExitPlanMode", { plan: "# X" }, "approved"), reads, reads, reads)).toBe("implementation");
  });

  it("knows changes by a command, by an order to an agent, and plans by their file", () => {
    expect(phaseAfter(reads, reads, runs('ssh root@slate "rm -rf /etc/openvpn"'))).toBe("implementation");
    expect(phaseAfter(runs("grep -rn mast src 2>/dev/null"), reads)).toBe("research");
    expect(phaseAfter(reads, runs("brew info oakum"), runs("brew outdated oakum"))).toBe("research");
    expect(phaseAfter(reads, runs("brew install oakum"), runs("brew upgrade oakum"))).toBe("implementation");
    expect(phaseAfter(reads, calls("Task", { description: "Implement the mast" }, "done"))).toBe("implementation");
    expect(phaseAfter(reads, edits("/p/docs/specs/mast.md"))).toBe("planning");
  });
});
