/** If red: a small request waits seconds behind the bodies of large ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import { createPace, type Flow } from "./pace.ts";

const PIECE = 64 * 1024;

interface Body extends Flow {
  readonly name: number;
  left: number;
  isPaused: boolean;
}

/** Bodies of so many pieces each, all there at once, read as the loop does: each one that is not paused, until it is or is over. */
function stage(pieces: readonly number[]) {
  let begin: (() => void) | undefined;
  const pace = createPace((next) => {
    begin = next;
  });
  const bodies = pieces.map((left, name): Body => {
    const body: Body = {
      name,
      left,
      isPaused: false,
      pause: () => {
        body.isPaused = true;
      },
      resume: () => {
        body.isPaused = false;
      },
    };
    return body;
  });
  const read = (body: Body): number => {
    let count = 0;
    while (!body.isPaused && body.left > 0) {
      body.left--;
      count++;
      pace.came(body, PIECE);
    }
    if (body.left === 0) pace.leave(body);
    return count;
  };
  /** How many pieces were read. */
  const round = (): number => {
    const next = begin;
    begin = undefined;
    next?.();
    return bodies.reduce((sum, body) => sum + read(body), 0);
  };
  return { pace, bodies, round };
}

describe("the pace of all bodies together", () => {
  it("lets one small body through without a pause", () => {
    const { bodies, round } = stage([3]);
    expect(round()).toBe(3);
    expect(bodies[0]?.isPaused).toBe(false);
  });

  it("reads a crowd a little in each round, whoever waited longest first, and all of it in the end", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 100 }), (pieces) => {
        const { bodies, round } = stage(pieces);
        // Of everybody who has just come one piece is there before it can be paused.
        expect(round()).toBeLessThanOrEqual(8 + pieces.length);
        const all = pieces.reduce((sum, count) => sum + count, 0);
        let rounds = 0;
        for (; bodies.some(({ left }) => left > 0); rounds++) {
          const count = round();
          expect(count).toBeGreaterThan(0);
          expect(count).toBeLessThanOrEqual(16);
        }
        expect(rounds).toBeLessThanOrEqual(all);
      }),
      { numRuns: tries(100, 1000) },
    );
  });

  it("reads one piece a round while others connect, and goes on as before when nobody does", () => {
    const { pace, round } = stage(Array.from({ length: 20 }, () => 20));
    round();
    const connecting = Array.from({ length: 50 }, () => {
      pace.connected();
      return round();
    });
    expect(new Set(connecting)).toEqual(new Set([1]));
    expect(round()).toBeGreaterThan(4);
  });

  it("does not resume one that nobody reads any more", () => {
    const { pace, bodies, round } = stage([100, 100]);
    round();
    const [, second] = bodies;
    if (!second) throw new Error("there are two");
    pace.leave(second);
    for (let rounds = 0; rounds < 50; rounds++) round();
    expect(bodies.map(({ left }) => left)).toEqual([0, 99]);
  });
});
