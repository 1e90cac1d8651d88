import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COPIED = [
  ...["src", "test", "lab", "scripts", "contexts", "skills", "docs"],
  ...["package.json", "tsconfig.json", "vitest.config.ts", "LICENSE"],
];
const LINKED = ["node_modules", "dist", "plugin", "plugin-classic"];

/** The project in a folder of its own, in which nothing but a test can see what is changed. */
const copy = path.join(createTemporaryFolder().folder, "project");
function copyProject(): void {
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  for (const name of LINKED) symlinkSync(path.join(ROOT, name), path.join(copy, name));
}

let runner: ChildProcess;
let ended: Promise<readonly unknown[]>;
beforeAll(() => {
  copyProject();
  // As deep as `npm test`, which is to notice them.
  const env = { ...process.env, PLIMSOLL_DEPTH: "" };
  runner = fork(path.join(copy, "test/planted/run-tests.mjs"), { cwd: copy, env, execArgv: [] });
  ended = once(runner, "exit").then(() => ["the runner has ended"]);
});
afterAll(() => runner.disconnect());

/** Whether all of these tests pass, with a fault in this file. */
async function passes(tests: readonly string[], faulty?: string): Promise<unknown> {
  runner.send({ faulty, tests });
  const [isPassed] = await Promise.race([once(runner, "message"), ended]);
  return isPassed;
}

describe("planted faults", () => {
  it("are nowhere in the sources: every test that must notice one passes", async () => {
    const tests = [...new Set(PLANTED_FAULTS.map(({ test }) => test))];
    expect(await passes(tests)).toBe(true);
  });

  it.each(PLANTED_FAULTS)("are noticed where $name", async ({ file, find, replace, test }) => {
    const place = path.join(copy, file);
    const source = readFileSync(place, "utf8");
    onTestFinished(() => writeFileSync(place, source));
    const [before, after, ...more] = source.split(find);
    expect([after === undefined, more.length], `"${find}" stands in ${file} exactly once`).toEqual([false, 0]);
    writeFileSync(place, `${before}${replace}${after}`);
    expect(await passes([test], file), `${test} passes with the fault`).toBe(false);
  });
});
