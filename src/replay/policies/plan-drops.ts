export interface DropTask {
  readonly blocks: readonly { readonly birth: number; readonly last: number; readonly tokens: number }[];
  readonly steps: readonly { readonly isCold: boolean; readonly read: number; readonly write: number }[];
}

/**
 * The requests before which everything dead is dropped, so that carrying and rewriting together cost least: a dropped block
 * means that all that stays behind the base is written anew. Whatever is cold is written anew anyway. Exact, by dynamic
 * programming over the last drop; quadratic in the number of requests.
 */
export function planDrops({ blocks, steps }: DropTask): ReadonlySet<number> {
  const count = steps.length;
  const joined = new Float64Array(count);
  for (const { birth, tokens } of blocks) joined[birth] = (joined[birth] ?? 0) + tokens;
  // What is alive when a drop is made before a request, without what joins with it.
  const alive = new Float64Array(count);
  for (const { birth, last, tokens } of blocks)
    for (let step = birth + 1; step <= Math.min(last, count - 1); step++) alive[step] = (alive[step] ?? 0) + tokens;

  const best = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(count).fill(-1);
  best[0] = 0;
  let end = { units: Number.POSITIVE_INFINITY, last: 0 };
  for (let drop = 0; drop < count; drop++) {
    const start = best[drop] ?? Number.POSITIVE_INFINITY;
    const at = steps[drop];
    if (start === Number.POSITIVE_INFINITY || !at) continue;
    let standing = (alive[drop] ?? 0) + (joined[drop] ?? 0);
    let units = start + standing * at.write;
    let step = drop + 1;
    for (; step < count; step++) {
      const now = steps[step];
      if (!now) break;
      if (units < (best[step] ?? 0)) {
        best[step] = units;
        from[step] = drop;
      }
      if (now.isCold) break;
      units += standing * now.read + (joined[step] ?? 0) * now.write;
      standing += joined[step] ?? 0;
    }
    if (step === count && units < end.units) end = { units, last: drop };
  }
  const drops = new Set<number>();
  for (let drop = end.last; drop > 0; drop = from[drop] ?? 0) drops.add(drop);
  return drops;
}
