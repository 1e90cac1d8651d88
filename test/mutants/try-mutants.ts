import { readFileSync } from "node:fs";
import path from "node:path";
import { groupBy } from "../../src/core/group-by.ts";
import { createRunner, type Runner } from "./ask-runners.ts";
import { relateTests } from "./related-tests.ts";
import type { Question, TestFile } from "./runner.ts";
import type { Numbered } from "./weave-mutants.ts";

export interface Placed extends Numbered {
  readonly room: string;
  readonly file: string;
}

export interface Tried extends Placed {
  readonly fate: "noticed" | "survived" | "not reached";
}

const RUNNERS = 2;
const MINUTE_MS = 60_000;
/** Test files of one mutant are asked until they have taken so much processor time, the nearest and shortest first. */
const LONGEST_CPU_MS = 12_000;
/** What such a file alone notices counts as survived, unless it is the test file of the very source. */
const LONGEST_FILE_CPU_MS = 8000;

/** Runs the tests that reach each mutant. `say` is told how far it is. */
export async function tryMutants(mutants: readonly Placed[], say: (line: string) => void): Promise<readonly Tried[]> {
  const byFile = groupBy(mutants, ({ file }) => file);
  const begin: Question = { kind: "weave", mutants: Object.fromEntries(byFile) };
  const runners = Array.from({ length: RUNNERS }, () => createRunner(begin));
  const stop = (): void =>
    runners.forEach((runner) => {
      runner.stop();
    });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      stop();
      process.exit(1);
    });
  try {
    const related = relateTests([...byFile.keys()]);
    const names = [...new Set([...related.values()].flat())];
    say(`${mutants.length} mutants in ${related.size} files, ${names.length} test files that import these`);
    const files = await runAll(runners, names);
    const red = files.filter(({ isGreen }) => !isGreen);
    if (red.length > 0) say(`left out, red without a mutant: ${red.map(({ name }) => name).join(" ")}`);
    const green = files.filter(({ isGreen }) => isGreen);
    const left = [...mutants];
    const tried: Tried[] = [];
    const work = async (runner: Runner): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const one = await tryMutant(runner, next, listTests(next, green, related.get(next.file) ?? []));
        tried.push(one);
        if (one.fate !== "noticed") say(renderSurvivor(one));
        if (tried.length % 25 === 0) say(`${tried.length} of ${mutants.length}`);
      }
    };
    await Promise.all(runners.map(work));
    return tried.sort((one, other) => one.id - other.id);
  } finally {
    stop();
  }
}

/** Without a mutant: how long each file takes, and what it reaches. A few at a time, so that no runner ends long after the others. */
async function runAll(runners: readonly Runner[], names: readonly string[]): Promise<readonly TestFile[]> {
  const left = [...names];
  const files: TestFile[] = [];
  const work = async (runner: Runner): Promise<void> => {
    while (left.length > 0) {
      const answer = await runner.ask({ kind: "run", tests: left.splice(0, 40), mutant: -1 }, 20 * MINUTE_MS);
      if (answer) files.push(...answer.ran);
    }
  };
  await Promise.all(runners.map(work));
  return files;
}

/** The test files that reach a mutant, those of its own folder first, then the shortest. */
function listTests({ id, file }: Placed, files: readonly TestFile[], related: readonly string[]): readonly TestFile[] {
  const isOnLoad = files.some(({ reached }) => reached.onLoad.includes(id));
  const rank = ({ name }: TestFile): number =>
    name === file.replace(/\.tsx?$/, ".test.ts") ? 0 : path.dirname(name) === path.dirname(file) ? 1 : 2;
  let total = 0;
  return files
    .filter(({ name, reached }) => reached.inTests.includes(id) || (isOnLoad && related.includes(name)))
    .filter((test) => rank(test) === 0 || test.reached.cpuMs <= LONGEST_FILE_CPU_MS)
    .sort((one, other) => rank(one) - rank(other) || one.reached.cpuMs - other.reached.cpuMs)
    .filter((test) => {
      total += test.reached.cpuMs;
      return rank(test) === 0 || total <= LONGEST_CPU_MS;
    });
}

async function tryMutant(runner: Runner, mutant: Placed, tests: readonly TestFile[]): Promise<Tried> {
  if (tests.length === 0) return { ...mutant, fate: "not reached" };
  const question: Question = { kind: "run", tests: tests.map(({ name }) => name), mutant: mutant.id };
  const answer = await runner.ask(question, 5 * MINUTE_MS);
  return { ...mutant, fate: answer?.isGreen === true ? "survived" : "noticed" };
}

function renderSurvivor({ file, kind, change, site, fate }: Tried): string {
  const text = readFileSync(file, "utf8");
  const line = text.slice(0, change.start).split("\n").length;
  const short = (part: string): string => part.replace(/\s+/g, " ").slice(0, 100);
  const around = short(text.slice(site.start, site.end));
  return `${fate}: ${file}:${line} ${kind}: ${around}  =>  ${short(text.slice(change.start, change.end))} -> ${short(change.text) || "nothing"}`;
}
