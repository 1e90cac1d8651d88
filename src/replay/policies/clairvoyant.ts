import type { Block } from "../../core/message.ts";
import { mixWriteRate, rateModel } from "../../models/economics/rates.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { type Briefing, NOTHING_TO_DO, type Planner, type Policy } from "../policy.ts";
import type { ReplaySession } from "../session.ts";

export const clairvoyant: Policy = {
  name: "clairvoyant",
  about:
    "perfect foresight: what is never needed never enters, and the rest is dropped at the best moment once it is no longer needed",
  create: (briefing) => createOracle(briefing, findLastUses),
};

/** Until which request each block is carried; a block not in the map never enters. */
export type LastUses = ReadonlyMap<Block, number>;

export function createOracle(briefing: Briefing, choose: (briefing: Briefing) => LastUses): Planner {
  const { session } = briefing;
  const uses = choose(briefing);
  const born = new Map<Block, number>();
  for (const [step, { joined }] of session.steps.entries())
    for (const { blocks } of joined) for (const block of blocks) if (uses.has(block)) born.set(block, step);
  const drops = planDrops(toDropTask(session, uses, born));
  let standing: Block[] = [];
  return {
    plan({ step }) {
      if (drops.has(step)) standing = standing.filter((block) => (uses.get(block) ?? -1) >= step);
      for (const { blocks } of session.steps[step]?.joined ?? [])
        for (const block of blocks) if (uses.has(block)) standing.push(block);
      return { ...NOTHING_TO_DO, standing: [...standing] };
    },
  };
}

/** A need is met by the block that held it last. */
export function listUses({ session, needs }: Briefing): ReadonlyMap<Block, readonly number[]> {
  const uses = new Map<Block, number[]>();
  for (const step of session.steps.keys()) {
    for (const { atom } of needs.bySteps[step] ?? []) {
      const source = needs.sources[atom]?.findLast((candidate) => candidate.step <= step);
      if (!source) continue;
      const steps = uses.get(source.block) ?? [];
      if (steps.at(-1) !== step) steps.push(step);
      uses.set(source.block, steps);
    }
  }
  return uses;
}

function findLastUses(briefing: Briefing): LastUses {
  return new Map([...listUses(briefing)].map(([block, steps]) => [block, steps.at(-1) ?? -1]));
}

function toDropTask(session: ReplaySession, uses: LastUses, born: ReadonlyMap<Block, number>) {
  const blocks = [...born].map(([block, birth]) => ({
    birth,
    last: uses.get(block) ?? -1,
    tokens: session.weights.get(block) ?? 0,
  }));
  const steps = session.steps.map((step, index) => {
    const before = session.steps[index - 1];
    const lifeMs = (before?.share1h ?? 0) > 0.5 ? CACHE_LIFE_MS.long : CACHE_LIFE_MS.short;
    const rates = rateModel(step.model);
    return {
      isCold: before === undefined || before.model !== step.model || step.atMs - before.atMs > lifeMs,
      read: rates.read * (rates.usdPerUnit ?? 1),
      write: mixWriteRate(rates, step.share1h) * (rates.usdPerUnit ?? 1),
    };
  });
  return { blocks, steps };
}

export interface DropTask {
  readonly blocks: readonly { readonly birth: number; readonly last: number; readonly tokens: number }[];
  readonly steps: readonly { readonly isCold: boolean; readonly read: number; readonly write: number }[];
}

/**
 * The requests before which to drop everything dead, so that carrying and rewriting together cost least: a drop means that everything that
 * stays after the base is rewritten. A cold cache is rewritten anyway. Exact, by dynamic programming over the last drop; quadratic in the
 * number of requests.
 */
export function planDrops({ blocks, steps }: DropTask): ReadonlySet<number> {
  const count = steps.length;
  const joined = new Float64Array(count);
  for (const { birth, tokens } of blocks) joined[birth] = (joined[birth] ?? 0) + tokens;
  // What is alive when dropping before a request, without what joins with it.
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
