import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Runs of a browser and a client have configs of their own, and one processor for each. */
const ELSEWHERE = /^test[\\/](?:browser|client|record)[\\/]/;

const tests = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter(
    (name) => (name.startsWith("test") || name.endsWith(".test.ts")) && name.endsWith(".ts") && !ELSEWHERE.test(name),
  );

/** Time-outs of a minute or more around whole programs, and a clock that a test sets itself. */
const GENEROUS: ReadonlySet<string> = new Set(
  [
    "src/doors/dashboard/engine.test.ts",
    "test/deploy.test.ts",
    "test/doors/any-line.test.ts",
    "test/doors/any-request.test.ts",
    "test/doors/limited-program.ts",
    "test/doors/many-connections.test.ts",
    "test/doors/memory.test.ts",
    "test/laws/long-run.test.ts",
  ].map((name) => path.normalize(name)),
);

/** Time that has passed, and time-outs that a slow machine could meet. */
const WATCHED = /performance\.now\(\)|\bhrtime\b|Date\.now\(\) - [a-z]|\btimeout: \d|^ *\}, [1-9][\d_]*\);$/m;

it("no test watches the clock: a busy machine is no fault of ours", () => {
  expect(tests.length).toBeGreaterThan(300);
  const watching = tests.filter((name) => name !== path.join("test", "clock.test.ts") && !GENEROUS.has(name));
  expect(watching.filter((name) => WATCHED.test(readFileSync(path.join(ROOT, name), "utf8")))).toEqual([]);
});
