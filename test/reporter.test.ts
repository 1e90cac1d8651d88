/** If red: a test run ends green although something failed, or keeps to itself what passed only when it was tried again. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const { folder } = createTemporaryFolder();
symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));

const HEAD = 'import { beforeAll, afterAll, describe, expect, it } from "vitest";\n';
const PASSES = 'it("passes", () => expect(1).toBe(1));\n';

interface Ran {
  readonly stdout: string;
  readonly lastLine: string;
  readonly status: number | null;
}

function runTests(name: string, text: string): Ran {
  const own = path.join(folder, name);
  mkdirSync(own);
  writeFileSync(path.join(own, "one.test.js"), HEAD + text);
  const reporters = ["default", path.join(ROOT, "test/reporter.ts")];
  writeFileSync(
    path.join(own, "vitest.config.mjs"),
    `export default ${JSON.stringify({ test: { reporters, retry: 1 } })};`,
  );
  const program = path.join(folder, "node_modules/vitest/vitest.mjs");
  const { stdout, status } = spawnSync(process.execPath, [program, "run"], { cwd: own, encoding: "utf8" });
  return { stdout, lastLine: stdout.trimEnd().split("\n").at(-1) ?? "", status };
}

describe("the last line of a test run agrees with its exit status", () => {
  const cases: readonly [what: string, text: string, lastLine: string, status: number][] = [
    ["a test that fails", `${PASSES}it("fails", () => expect(1).toBe(2));`, "1 passed, 1 failed, 0 skipped", 1],
    [
      "a suite that cannot start",
      `${PASSES}describe("s", () => { beforeAll(() => { throw new Error("no"); }); ${PASSES} ${PASSES} });`,
      "1 passed, 1 failed, 2 skipped",
      1,
    ],
    [
      "an error outside of all tests",
      `${PASSES}setTimeout(() => { throw new Error("no"); }); it("waits", () => new Promise((done) => setTimeout(done, 50)));`,
      "2 passed, 1 failed, 0 skipped",
      1,
    ],
    ["no test at all", "", "0 passed, 1 failed, 0 skipped", 1],
  ];
  it.each(cases)("with %s", (what, text, lastLine, status) => {
    expect(runTests(what.replaceAll(" ", "-"), text)).toMatchObject({ lastLine, status });
  });
});

it("names what passed only when it was tried again", () => {
  const { stdout, status } = runTests("flaky", `let tries = 0; ${PASSES}it("wavers", () => expect(++tries).toBe(2));`);
  expect(status).toBe(0);
  expect(stdout).toContain("passed only at the second try: one.test.js > wavers\n2 passed, 0 failed, 0 skipped");
});
