/** If red: a test fails on a busy machine although nothing is wrong. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Runs of a browser and a client, and mutants, have configs of their own, and one processor for each. */
const ELSEWHERE = /^test[\\/](?:browser|client|record|mutants)[\\/]/;

const tests = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter(
    (name) => (name.startsWith("test") || name.endsWith(".test.ts")) && name.endsWith(".ts") && !ELSEWHERE.test(name),
  );

/** Time that has passed, and time-outs but those of `vitest.config.ts`: a slow machine could meet them. */
const WATCHED =
  /performance\.now\(\)|\bhrtime\b|Date\.now\(\) - [a-z]|AbortSignal\.timeout|\btimeout: [\dA-Z]|^ *\}, [1-9][\d_]*\);$|^ *\},\n *(?:[1-9][\d_]*|[A-Z_]*_MS),\n *\);$/m;

it("no test watches the clock: a busy machine is no fault of ours", () => {
  expect(tests.length).toBeGreaterThan(300);
  const watching = tests.filter((name) => name !== path.join("test", "clock.test.ts"));
  expect(watching.filter((name) => WATCHED.test(readFileSync(path.join(ROOT, name), "utf8")))).toEqual([]);
});
