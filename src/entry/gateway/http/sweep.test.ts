/** If red: the gateway's memory grows with each body that it has read. */
import { constants, PerformanceObserver } from "node:perf_hooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSweep } from "./memory-room.ts";

const MB = 1024 * 1024;

describe("sweeping", () => {
  it("happens once for many bodies, soon after enough was read", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let swept = 0;
    const sweep = createSweep(() => swept++);
    for (let body = 0; body < 39; body++) sweep.read(0.1 * MB);
    vi.advanceTimersByTime(40);
    expect(swept).toBe(0);
    for (let body = 0; body < 5; body++) sweep.read(5 * MB);
    expect(swept).toBe(0);
    vi.advanceTimersByTime(60);
    expect(swept).toBe(1);
    sweep.read(3 * MB);
    vi.advanceTimersByTime(40);
    expect(swept).toBe(1);
  });

  it("collects what is young, and nothing else", async () => {
    const forced: unknown[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const detail: unknown = "detail" in entry ? entry.detail : undefined;
        // The engine collects for reasons of its own, too.
        if (isCollection(detail) && detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED)
          forced.push(detail.kind);
      }
    });
    observer.observe({ entryTypes: ["gc"] });
    createSweep().read(5 * MB);
    await expect.poll(() => forced).not.toEqual([]);
    observer.disconnect();
    expect(forced).toEqual([constants.NODE_PERFORMANCE_GC_MINOR]);
  });
});

function isCollection(detail: unknown): detail is { readonly kind: unknown; readonly flags: unknown } {
  return typeof detail === "object" && detail !== null && "kind" in detail && "flags" in detail;
}
