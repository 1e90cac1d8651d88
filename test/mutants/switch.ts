import { afterEach, beforeAll, inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The one that runs; -1 for none. */
    readonly mutant: number;
  }
}

declare global {
  var isMutant: ((id: number) => boolean) | undefined;
}

/** Which mutants a test file reached: as modules were loaded, which a worker does once for all its files, and in its tests. */
export interface Reached {
  readonly onLoad: readonly number[];
  readonly inTests: readonly number[];
  /** Processor time of the file so far: what it takes by the clock says how busy the machine is. */
  readonly cpuMs: number;
}

/** A mutant that goes round for ever is noticed, too. */
const MOST_PASSES = 3_000_000;

const active = inject("mutant");
const [onLoad, inTests] = [new Set<number>(), new Set<number>()];
let reached = onLoad;
let passes = 0;
globalThis.isMutant = (id) => {
  reached.add(id);
  if (id !== active) return false;
  if (passes++ > MOST_PASSES) throw new Error("the mutant goes round for ever");
  return true;
};

const began = process.cpuUsage();
const spentMs = (): number => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};

beforeAll(() => {
  reached = inTests;
});
afterEach(({ task }) => {
  const all: Reached = { onLoad: [...onLoad], inTests: [...inTests], cpuMs: spentMs() };
  Object.assign(task.file.meta, { reached: all });
});
