/** If red: many large requests at once end the gateway for lack of memory, or a small one waits behind them. */
import os from "node:os";
import v8 from "node:v8";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemoryRoom, measureProcess } from "./memory-room.ts";

function open(given: { readonly usedBytes?: number; readonly waitMs?: number } = {}) {
  const state = { heapBytes: given.usedBytes ?? 0, garbageBytes: 0, rememberedBytes: 0 };
  const room = createMemoryRoom({
    limits: { heapBytes: 125, totalBytes: 250 },
    used: () => ({ heapBytes: state.heapBytes + state.garbageBytes + state.rememberedBytes, outsideBytes: 0 }),
    collect: () => {
      state.garbageBytes = 0;
    },
    forget: () => {
      state.rememberedBytes = 0;
    },
    waitMs: given.waitMs ?? 200,
  });
  return { room, state };
}

describe("room in memory", () => {
  it("is set aside until it shows in what is used", async () => {
    const { room } = open();
    const taken = await room.find({ heapBytes: 60 });
    expect(room.has({ heapBytes: 60 })).toBe(false);
    taken?.();
    taken?.();
    expect(room.has({ heapBytes: 100 })).toBe(true);
    expect(room.has({ heapBytes: 101 })).toBe(false);
  });

  it("counts what lies outside of the heap towards all memory, and not towards the heap", () => {
    const { room } = open();
    expect(room.has({ outsideBytes: 200 })).toBe(true);
    expect(room.has({ heapBytes: 50, outsideBytes: 151 })).toBe(false);
  });

  it("outside of the heap is set aside, too, and free again once", async () => {
    const { room } = open();
    const taken = await room.find({ outsideBytes: 150 });
    expect([room.has({ outsideBytes: 51 }), room.has({ outsideBytes: 50 })]).toEqual([false, true]);
    taken?.();
    taken?.();
    expect([room.has({ outsideBytes: 201 }), room.has({ outsideBytes: 200 })]).toEqual([false, true]);
  });

  it("is not made by collecting again and again: half a second after it, and no more than a tenth of the time", async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => void clock.mockRestore());
    const done: string[] = [];
    let tookMs = 10;
    const room = createMemoryRoom({
      limits: { heapBytes: 100, totalBytes: 100 },
      used: () => ({ heapBytes: 100, outsideBytes: 0 }),
      collect: () => {
        done.push(`collect ${nowMs}`);
        nowMs += tookMs;
      },
      forget: () => void done.push("forget"),
      waitMs: 0,
    });
    for (const atMs of [0, 509, 510]) {
      nowMs = atMs;
      expect(await room.find({ heapBytes: 1 })).toBeUndefined();
    }
    // One collection alone was not enough, so from then on what can be read again goes first.
    expect(done).toEqual(["collect 0", "forget", "collect 510"]);
    tookMs = 200;
    for (const atMs of [1_020, 3_219, 3_220]) {
      nowMs = atMs;
      await room.find({ heapBytes: 1 });
    }
    expect(done.slice(3)).toEqual(["forget", "collect 1020", "forget", "collect 3220"]);
  });

  it("is waited for by no more than 256", async () => {
    const { room, state } = open({ waitMs: 100 });
    state.heapBytes = 125;
    const waiting = Array.from({ length: 256 }, () => room.find({ heapBytes: 1 }));
    expect(room.waiting()).toBe(256);
    const next = room.find({ heapBytes: 1 });
    expect(room.waiting()).toBe(256);
    expect(await next).toBeUndefined();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
    expect(room.waiting()).toBe(0);
  });

  it("is left by what is large to what is small, which passes by whoever waits", async () => {
    const { room } = open({ usedBytes: 100, waitMs: 300 });
    const large = room.find({ heapBytes: 20 });
    expect(await room.find({ heapBytes: 2 })).toBeDefined();
    expect(room.waiting()).toBe(1);
    expect(await large).toBeUndefined();
  });

  it("is made by collecting what nobody needs, and only then by forgetting what somebody may", async () => {
    const { room, state } = open({ waitMs: 2000 });
    state.garbageBytes = 90;
    state.rememberedBytes = 40;
    expect(await room.find({ heapBytes: 60 })).toBeDefined();
    expect(state).toMatchObject({ garbageBytes: 0, rememberedBytes: 40 });
    expect(await room.find({ heapBytes: 30 })).toBeDefined();
    expect(state.rememberedBytes).toBe(0);
  });

  it("is waited for, by whoever came first before the others", async () => {
    const { room } = open({ waitMs: 2000 });
    const first = await room.find({ heapBytes: 90 });
    const order: string[] = [];
    const ask = async (name: string, heapBytes: number): Promise<boolean> => {
      const taken = await room.find({ heapBytes });
      order.push(name);
      return taken !== undefined;
    };
    const asked = [ask("large", 80), ask("small", 15)];
    expect(room.waiting()).toBe(2);
    first?.();
    expect(await Promise.all(asked)).toEqual([true, true]);
    expect(order).toEqual(["large", "small"]);
    expect(room.waiting()).toBe(0);
  });

  it("is not waited for by what can never have any, nor for ever", async () => {
    const { room, state } = open({ waitMs: 50 });
    expect(await room.find({ heapBytes: 101 })).toBeUndefined();
    state.heapBytes = 100;
    expect(await room.find({ heapBytes: 30 })).toBeUndefined();
    expect(room.waiting()).toBe(0);
  });

  it("is never given to more than it holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 3, max: 60 }), { maxLength: 30 }), async (sizes) => {
        const { room } = open({ waitMs: 0 });
        const taken = await Promise.all(sizes.map((heapBytes) => room.find({ heapBytes })));
        const held = sizes.reduce((sum, size, index) => sum + (taken[index] ? size : 0), 0);
        expect(held).toBeLessThanOrEqual(100);
        for (const release of taken) release?.();
        expect(room.has({ heapBytes: 100 })).toBe(true);
      }),
    );
  });
});

describe("this process as a room", () => {
  it("may use seven tenths of the memory that it is given, and of its heap", () => {
    const heapLimit = v8.getHeapStatistics().heap_size_limit;
    const { limits, used, collect } = measureProcess(100_000_000);
    expect(limits.heapBytes).toBeCloseTo(70_000_000, 0);
    expect(limits.totalBytes).toBeCloseTo(70_000_000, 0);
    const large = measureProcess(heapLimit * 4).limits;
    expect([large.heapBytes / heapLimit, large.totalBytes / heapLimit].map((share) => share.toFixed(2))).toEqual([
      "0.70",
      "2.80",
    ]);
    const own = measureProcess().limits;
    expect(own.totalBytes).toBeLessThanOrEqual(0.7 * Math.min(os.totalmem(), 2 * heapLimit) + 1);
    expect(own.heapBytes).toBeGreaterThan(1e7);
    const before = used();
    expect(before.heapBytes).toBeGreaterThan(1e6);
    const body = Buffer.alloc(50_000_000);
    // Other buffers of this process may be freed in between.
    expect(used().outsideBytes - before.outsideBytes).toBeGreaterThan(body.length * 0.9);
    expect(() => collect()).not.toThrow();
  });
});
