import type { Resolved } from "./resolve-reading.ts";
import type { Thing } from "./things.ts";
import { excerptOf, type Missing } from "./verdict.ts";

interface Followed {
  readonly thing: Thing;
  readonly firstSeen: number;
}

export interface Follower {
  /** Takes what is no longer there out of the count, and what is new into it. */
  update(dropped: readonly Resolved[], fresh: readonly Resolved[]): void;
  /** Follows what a request brings; `isNew` where it all is, otherwise only what nobody follows yet. */
  follow(fresh: readonly Resolved[], request: number, isNew: boolean): void;
  /** What of the dropped went with this request. */
  findGone(dropped: readonly Resolved[], request: number): readonly Missing[];
  /** Lets go of what stood there. */
  release(dropped: readonly Resolved[]): void;
  /** Lets go of all that is no longer there. */
  releaseGone(): void;
  total(): { readonly followed: number; readonly inView: number; readonly behind: number; readonly released: number };
}

/**
 * The law of conservation as a count: of each content there must be as many in view or behind handles as were ever said. The
 * same words said twice are two things.
 */
export function createFollower(): Follower {
  const inView = new Map<string, number>();
  const behind = new Map<string, number>();
  const followed = new Map<string, Followed[]>();
  let total = 0;
  let released = 0;

  const supply = (key: string): number => (inView.get(key) ?? 0) + (behind.get(key) ?? 0);
  const cut = (key: string, keep: number): readonly Followed[] => {
    const all = followed.get(key) ?? [];
    // The newest are named: they are what the last change can have lost.
    return all.splice(Math.max(0, keep));
  };

  return {
    update(dropped, fresh) {
      for (const resolved of dropped) count(resolved, -1);
      for (const resolved of fresh) count(resolved, 1);
    },
    follow(fresh, firstSeen, isNew) {
      for (const thing of fresh.flatMap(({ things }) => things)) {
        const all = followed.get(thing.key) ?? [];
        followed.set(thing.key, all);
        if (!isNew && all.length > 0) continue;
        all.push({ thing, firstSeen });
        total++;
      }
    },
    findGone(dropped, goneAt) {
      const keys = new Set(dropped.flatMap((resolved) => [...resolved.inView, ...resolved.behind]));
      return [...keys].flatMap((key) => cut(key, supply(key)).map((gone) => describe(gone, goneAt)));
    },
    release(dropped) {
      for (const { key } of dropped.flatMap(({ things }) => things))
        released += cut(key, (followed.get(key)?.length ?? 0) - 1).length;
    },
    releaseGone() {
      for (const key of followed.keys()) released += cut(key, supply(key)).length;
    },
    total() {
      let seen = 0;
      let kept = 0;
      for (const [key, all] of followed) {
        kept += all.length;
        seen += Math.min(all.length, inView.get(key) ?? 0);
      }
      return { followed: total, inView: seen, behind: kept - seen, released };
    },
  };

  function count(resolved: Resolved, by: number): void {
    for (const key of resolved.inView) inView.set(key, (inView.get(key) ?? 0) + by);
    for (const key of resolved.behind) behind.set(key, (behind.get(key) ?? 0) + by);
  }
}

function describe({ thing, firstSeen }: Followed, goneAt: number): Missing {
  const { what, text, callId } = thing;
  return { what, excerpt: excerptOf(text), firstSeen, goneAt, ...(callId === undefined ? {} : { callId }) };
}
