import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Whole programs run what was built, which has no mutants. */
const STARTS_PROGRAMS = /node:child_process|run-program|limited-program|lab-program|packed-package|\/program\.ts/;
/** A deep test next to its source is asked: of a source that needs a database there is no other. */
const ELSEWHERE = /^test\/(?:client\/|browser\/|.*\.deep\.test\.ts$)/;

const imported = new Map<string, readonly string[]>();

function listImports(file: string): readonly string[] {
  const known = imported.get(file);
  if (known) return known;
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const targets = [...text.matchAll(/(?:from |import\()\s*"(\.[^"]+\.tsx?)"/g)];
  const found = targets.map(([, target = ""]) => path.join(path.dirname(file), target));
  imported.set(file, found);
  return found;
}

/** Everything that a file imports, itself included. */
function reach(file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  // A set is walked on while it grows.
  for (const name of reached) for (const target of listImports(name)) reached.add(target);
  return reached;
}

/** For each source file the test files that import it, whether directly or not. */
export function relateTests(sources: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const tests = ["src", "test"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
    )
    .filter((name) => name.endsWith(".test.ts") && !ELSEWHERE.test(name))
    .filter((name) => name.startsWith("src/") || !STARTS_PROGRAMS.test(readFileSync(name, "utf8")))
    .map((name) => ({ name, reached: reach(name) }));
  return new Map(
    sources.map((file) => [file, tests.filter(({ reached }) => reached.has(file)).map(({ name }) => name)]),
  );
}
