/** If red: two requests share memory and one person's words appear in another's request. */
import { describe, expect, it } from "vitest";
import { createBodyPool, gather } from "./body-pool.ts";

const LARGE = 1_000_000;

describe("a pool of bodies", () => {
  it("gives memory out again as soon as the last one who held it let go, and not before", () => {
    const pool = createBodyPool();
    const body = pool.take(LARGE);
    pool.hold(body);
    pool.release(body);
    expect(pool.take(LARGE).buffer).not.toBe(body.buffer);
    pool.release(body);
    expect(pool.take(LARGE + 1).buffer).toBe(body.buffer);
  });

  it("gives exactly as many bytes as were asked for, whatever it has", () => {
    const pool = createBodyPool();
    for (const bytes of [0, 1, 131_071, 131_072, 131_073, LARGE]) {
      const body = pool.take(bytes);
      expect(body.length).toBe(bytes);
      pool.release(body);
    }
  });

  it("does nothing for a buffer from elsewhere, nor for one that was let go already", () => {
    const pool = createBodyPool();
    const foreign = Buffer.alloc(LARGE);
    pool.hold(foreign);
    pool.release(foreign);
    const body = pool.take(LARGE);
    pool.release(body);
    pool.release(body);
    const [one, other] = [pool.take(LARGE), pool.take(LARGE)];
    expect(one.buffer).not.toBe(other.buffer);
    expect([one.buffer, other.buffer]).not.toContain(foreign.buffer);
  });

  it("gives out one body's memory and keeps what else is free", () => {
    const pool = createBodyPool();
    const [one, other] = [pool.take(LARGE), pool.take(2 * LARGE)];
    for (const body of [one, other]) pool.release(body);
    expect(pool.take(LARGE).buffer).toBe(one.buffer);
    expect(pool.take(2 * LARGE).buffer).toBe(other.buffer);
  });

  it("goes on after a body that is larger than all it may keep", () => {
    const pool = createBodyPool();
    pool.release(pool.take(40_000_000));
    const body = pool.take(LARGE);
    pool.release(body);
    expect(pool.take(LARGE).buffer).toBe(body.buffer);
  });

  it("lets go of the sizes that a growing conversation leaves behind, and not of the one it needs", () => {
    const pool = createBodyPool();
    let last = pool.take(200_000);
    let fresh = 0;
    const seen = new WeakSet<ArrayBufferLike>([last.buffer]);
    for (let bytes = 220_000; bytes < 12_000_000; bytes += 20_000) {
      const next = pool.take(bytes);
      if (!seen.has(next.buffer)) fresh++;
      seen.add(next.buffer);
      pool.release(last);
      last = next;
    }
    // Two for each size on the way; a new one for each body would be hundreds.
    expect(fresh).toBeLessThan(60);
  });

  it("keeps no more free memory than it may", () => {
    const pool = createBodyPool(4 * 2 ** 20);
    const bodies = Array.from({ length: 6 }, () => pool.take(2 ** 20));
    for (const body of bodies) pool.release(body);
    const again = Array.from({ length: 6 }, () => pool.take(2 ** 20)).filter(({ buffer }) =>
      bodies.some((body) => body.buffer === buffer),
    );
    expect(again).toHaveLength(4);
  });

  it("puts pieces together in their order", () => {
    const pieces = ["a", "", "bc", "d".repeat(200_000)].map((text) => Buffer.from(text));
    expect(gather(pieces, createBodyPool()).equals(Buffer.concat(pieces))).toBe(true);
  });
});
