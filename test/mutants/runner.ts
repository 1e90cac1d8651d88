import { readFileSync } from "node:fs";
import path from "node:path";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { SETTINGS } from "../../vitest.config.ts";
import type { Reached } from "./switch.ts";
import { type Numbered, weaveMutants } from "./weave-mutants.ts";

/** What a runner is asked, one question at a time. */
export type Question =
  | { readonly kind: "weave"; readonly mutants: Readonly<Record<string, readonly Numbered[]>> }
  | { readonly kind: "run"; readonly tests: readonly string[]; readonly mutant: number };

export interface TestFile {
  readonly name: string;
  readonly isGreen: boolean;
  readonly reached: Reached;
}
export interface Answer {
  readonly ran: readonly TestFile[];
  readonly isGreen: boolean;
}

const NOTHING: Reached = { onLoad: [], inTests: [], cpuMs: 0 };
let woven: ReadonlyMap<string, readonly Numbered[]> = new Map();
let vitest: Vitest | undefined;
let specifications: readonly TestSpecification[] | undefined;

/** One Vitest for all questions: it compiles every file once, mutants and all. */
async function start(): Promise<Vitest> {
  const started = await createVitest(
    "test",
    {
      ...SETTINGS,
      // Its list of files leaves out the deep tests, some of which are the only ones of their source.
      config: false,
      include: ["src/**/*.test.ts", "test/**/*.test.ts"],
      watch: false,
      maxWorkers: 1,
      reporters: [{}],
      setupFiles: ["./test/support/fixed-chance.ts", "./test/mutants/switch.ts"],
      // What a mutant keeps from happening is not waited for as long as on a busy machine.
      expect: { poll: { timeout: 10_000 } },
      testTimeout: 60_000,
      sequence: { sequencer: AsAsked },
    },
    { plugins: [{ name: "mutants", enforce: "pre", transform: (text, id) => weave(text, id) }] },
  );
  await started.standalone();
  return started;
}

/** The nearest tests first. */
class AsAsked {
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

function weave(text: string, id: string): string | undefined {
  const mutants = woven.get(path.relative(process.cwd(), id));
  // Another plugin may have been there before.
  return mutants && text === readFileSync(id, "utf8") ? weaveMutants(text, mutants) : undefined;
}

async function answer(question: Question): Promise<Answer> {
  if (question.kind === "weave") {
    woven = new Map(Object.entries(question.mutants));
    return { ran: [], isGreen: true };
  }
  vitest ??= await start();
  return run(vitest, question);
}

async function run(running: Vitest, { tests, mutant }: Question & { kind: "run" }): Promise<Answer> {
  running.provide("mutant", mutant);
  running.config.bail = mutant < 0 ? 0 : 1;
  specifications ??= await running.globTestSpecifications();
  const known = new Map(specifications.map((one) => [path.relative(process.cwd(), one.moduleId), one]));
  const asked = tests.flatMap((name) => known.get(name) ?? []);
  const { testModules, unhandledErrors } = await running.runTestSpecifications(asked);
  // Vitest tells of earlier runs, too.
  const run = testModules.filter(({ relativeModuleId }) => tests.includes(relativeModuleId));
  const ran = run.map((module) => ({
    name: module.relativeModuleId,
    isGreen: module.ok(),
    reached: readReached(module.meta()),
  }));
  return { ran, isGreen: unhandledErrors.length === 0 && ran.every(({ isGreen }) => isGreen) };
}

function readReached(meta: object): Reached {
  return "reached" in meta ? (meta.reached as Reached) : NOTHING;
}

process.on("message", async (question: Question) => process.send?.(await answer(question)));
process.on("disconnect", () => process.exit());
