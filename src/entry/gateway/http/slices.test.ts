/** If red: one heavy request holds up everybody else who uses the gateway. */
import { setImmediate as round } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSlices } from "./slices.ts";

/** A clock that moves only while work is done. */
function stage() {
  let nowMs = 0;
  const slices = createSlices(() => nowMs);
  const done: string[] = [];
  const run = (name: string, ms: number): Promise<string> =>
    slices.run(() => {
      nowMs += ms;
      done.push(name);
      return name;
    });
  return { slices, done, run };
}

describe("slices", () => {
  it("do at once what is light, without anybody waiting", () => {
    const { done, run, slices } = stage();
    void run("a", 1);
    void run("b", 1);
    expect(done).toEqual(["a", "b"]);
    expect(slices.waiting()).toBe(0);
  });

  it("have others served between two heavy pieces, and keep their order", async () => {
    const { done, run, slices } = stage();
    const all = ["a", "b", "c"].map((name) => run(name, 100));
    expect(done).toEqual(["a"]);
    expect(slices.waiting()).toBe(2);
    // Each round of the loop serves somebody else.
    const doneAfter: number[] = [];
    for (let rounds = 1; done.length < 3; rounds++) {
      const before = done.length;
      await round();
      if (done.length > before) doneAfter.push(rounds);
    }
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
    const [second = 0, third = 0] = doneAfter;
    expect(third - second).toBeGreaterThan(1);
  });

  it("count what a piece does behind a pause of its own, and begin no other before it is done", async () => {
    let nowMs = 0;
    const slices = createSlices(() => nowMs);
    const done: number[] = [];
    const work = (name: number) => async (): Promise<void> => {
      if (name > 0) await undefined;
      nowMs += 100;
      done.push(name);
    };
    const all = [0, 1, 2, 3].map((name) => slices.run(work(name)));
    while (done.length < 4) {
      const before = done.length;
      await round();
      expect(done.length - before).toBeLessThanOrEqual(1);
    }
    await Promise.all(all);
    expect(done).toEqual([0, 1, 2, 3]);
  });

  it("do several light pieces in one slice, so that many small ones do not wait for a round each", async () => {
    const { done, run } = stage();
    void run("heavy", 100);
    const light = Array.from({ length: 20 }, (_, index) => run(`${index}`, 1));
    let rounds = 0;
    for (; done.length < 21; rounds++) await round();
    await Promise.all(light);
    expect(rounds).toBeLessThan(200);
  });

  it("tell how long who comes now would wait", () => {
    const { run, slices } = stage();
    for (let index = 0; index < 11; index++) void run(`${index}`, 1_000);
    expect(slices.waiting()).toBe(10);
    expect(slices.expectedMs()).toBeGreaterThan(1_000);
  });

  it("hand on what a piece gives back or throws, and go on after it", async () => {
    const { slices } = stage();
    await expect(slices.run(() => Promise.resolve(7))).resolves.toBe(7);
    const fail = (): never => {
      throw new Error("no");
    };
    await expect(slices.run(fail)).rejects.toThrow("no");
    await expect(slices.run(() => 8)).resolves.toBe(8);
  });
});
