/** If red: many large requests at once end the gateway for lack of memory, or a small one waits behind them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryRoom } from "./memory-room.ts";

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
