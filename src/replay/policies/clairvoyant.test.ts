/** If red: the theoretical best is not the best, and every comparison with it is wrong. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { type DropTask, planDrops } from "./clairvoyant.ts";

/** What a task costs when everything dead is dropped before just these requests; whatever is cold is one of them. */
function price({ blocks, steps }: DropTask, drops: ReadonlySet<number>): number {
  let standing = new Set<DropTask["blocks"][number]>();
  let units = 0;
  for (const [index, { isCold, read, write }] of steps.entries()) {
    const isDrop = index === 0 || isCold || drops.has(index);
    if (isDrop) standing = new Set([...standing].filter(({ last }) => last >= index));
    for (const { tokens } of standing) units += tokens * (isDrop ? write : read);
    for (const block of blocks) {
      if (block.birth !== index) continue;
      standing.add(block);
      units += block.tokens * write;
    }
  }
  return units;
}

function priceBest(task: DropTask): number {
  let best = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 2 ** task.steps.length; mask++) {
    const drops = new Set([...task.steps.keys()].filter((index) => mask & (1 << index)));
    best = Math.min(best, price(task, drops));
  }
  return best;
}

const steps = fc.array(
  fc.record({ isCold: fc.boolean(), read: fc.constantFrom(1, 2), write: fc.constantFrom(4, 12, 20) }),
  { minLength: 1, maxLength: 8 },
);
const arbitraryTask: fc.Arbitrary<DropTask> = steps.chain((some) =>
  fc.record({
    steps: fc.constant(some),
    blocks: fc.array(
      fc.record({
        birth: fc.nat(some.length - 1),
        last: fc.nat(some.length - 1),
        tokens: fc.integer({ min: 1, max: 50 }),
      }),
      { maxLength: 8 },
    ),
  }),
);

it("finds drops that cost no more than the best of all there are", () => {
  fc.assert(
    fc.property(arbitraryTask, (task) => {
      expect(price(task, planDrops(task))).toBe(priceBest(task));
    }),
    { numRuns: tries(40, 300) },
  );
});

it("drops what is dead as soon as carrying it costs more than writing the rest anew", () => {
  const warm = { isCold: false, read: 1, write: 12 };
  const blocks = [
    { birth: 0, last: 0, tokens: 100 },
    { birth: 0, last: 20, tokens: 1 },
  ];
  const task = (count: number): DropTask => ({ blocks, steps: new Array(count).fill(warm) });
  expect([...planDrops(task(5))]).toEqual([1]);
  expect([...planDrops({ blocks: [{ birth: 0, last: 5, tokens: 1 }], steps: new Array(5).fill(warm) })]).toEqual([]);
});
