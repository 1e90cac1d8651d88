/** If red: a progress bar gets into the output, flickers, or stays on the screen. */
import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "../../../../test/support/fake-terminal.ts";
import { createProgress } from "./progress.ts";

/** A terminal with a clock that a test sets. */
function createStage(isInteractive = true) {
  const clock = { nowMs: 5_000_000 };
  const terminal = createFakeTerminal({ isInteractive, nowMs: () => clock.nowMs });
  return { clock, terminal, progress: createProgress(terminal, "Reading") };
}

describe("a progress bar", () => {
  it("does not appear in the first half second, nor when it is over by then", () => {
    const { clock, terminal, progress } = createStage();
    clock.nowMs += 499;
    progress.advance(1, 2);
    progress.finish();
    expect(terminal.remarks()).toBe("");
  });

  it("appears after half a second, next to the output and not in it", () => {
    const { clock, terminal, progress } = createStage();
    clock.nowMs += 500;
    progress.advance(1, 4);
    expect(terminal.remarks()).toBe(`\rReading ${"█".repeat(6)}${"░".repeat(18)} 25 %`);
    expect(terminal.output()).toBe("");
  });

  it("is drawn again at most ten times a second", () => {
    const { clock, terminal, progress } = createStage();
    clock.nowMs += 1000;
    for (let step = 0; step < 100; step++) {
      progress.advance(step, 100);
      clock.nowMs += 10;
    }
    expect(terminal.remarks().split("\r").length - 1).toBe(10);
  });

  it("takes itself away when it is finished", () => {
    const { clock, terminal, progress } = createStage();
    clock.nowMs += 2000;
    progress.advance(1, 1);
    progress.finish();
    expect(terminal.remarks().endsWith("100 %\r\u001b[K")).toBe(true);
  });

  it("never appears where nobody looks", () => {
    const { clock, terminal, progress } = createStage(false);
    clock.nowMs += 60_000;
    progress.advance(1, 2);
    progress.finish();
    expect(terminal.remarks()).toBe("");
  });

  it("stays within its bounds, whatever it is told", () => {
    const { clock, terminal, progress } = createStage();
    for (const [done, total] of [
      [0, 0],
      [9, 3],
    ] as const) {
      clock.nowMs += 1000;
      progress.advance(done, total);
    }
    expect(terminal.remarks()).toBe(`\rReading ${"░".repeat(24)} 0 %\rReading ${"█".repeat(24)} 100 %`);
  });
});
