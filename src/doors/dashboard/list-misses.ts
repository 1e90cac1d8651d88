import type { CachedRequest } from "../../measure/cache-miss.ts";
import { followCache, type WatchedMiss } from "../../measure/cache-watch.ts";
import type { Recording } from "../../measure/recording.ts";

/** Every request of a session that had to write again what was cached, in order. */
export function listMisses({ steps }: Recording): readonly WatchedMiss[] {
  const misses: WatchedMiss[] = [];
  let cached: CachedRequest | undefined;
  let window = 0;
  for (const { id: stepId, usage, model, atMs, window: ofStep } of steps) {
    if (!usage) continue;
    const followed = followCache(cached, { stepId, usage, model, atMs, followsCompaction: ofStep !== window });
    window = ofStep;
    cached = followed.cached;
    if (followed.miss) misses.push(followed.miss);
  }
  return misses;
}
