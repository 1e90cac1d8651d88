/** If red: a gateway starts although files that it needs are missing. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type CheckOptions, checkFiles, createCheck, renderChecks } from "./start-check.ts";

const temporary = createTemporaryFolder();
const BUDGET = { budgetMs: 50, heapBytes: 300e6, maxReadBytes: 32e6 };

async function check(more: Partial<CheckOptions> = {}): Promise<string> {
  const options = {
    store: { check: async () => undefined },
    isThreadRunning: async () => true,
    files: [],
    hasUsers: true,
    budget: BUDGET,
    ...more,
  };
  return renderChecks(await createCheck(options)());
}

describe("the check of a gateway", () => {
  it("has nothing to say against one that has everything", async () => {
    expect(await check()).toBe(
      "ok thread: 2 threads\nok store: writable\nok budget: 50 ms a request, 300 MB of heap\nok users: every user has a token\n",
    );
  });

  it.each<[string, Partial<CheckOptions>, string]>([
    ["whose thread does not answer", { isThreadRunning: async () => false }, "missing thread: 1 thread"],
    ["without a thread", { isThreadRunning: undefined }, "missing thread: 1 thread"],
    ["whose store fails", { store: { check: () => Promise.reject(new Error("full")) } }, "missing store: not writable"],
    [
      "with little memory",
      { budget: { ...BUDGET, heapBytes: 90e6 } },
      "missing budget: the heap has only 90 MB, but reading a body of 32 MB",
    ],
  ])("names what is missing of one %s, first", async (_, more, expected) => {
    expect((await check(more)).startsWith(expected)).toBe(true);
  });

  it("names the files that are not next to the program, each once", async () => {
    const folder = temporary.name("-program");
    mkdirSync(folder);
    const said = await check({ files: checkFiles(folder), isThreadRunning: undefined });
    expect(said.match(/missing thread: reading-thread\.cjs is not/g)).toHaveLength(1);
    expect(said.match(/thread:/g)).toHaveLength(1);
    expect(said).toContain("missing licences: THIRD-PARTY-LICENSES.txt");
    for (const file of ["reading-thread.cjs", "THIRD-PARTY-LICENSES.txt"]) writeFileSync(path.join(folder, file), "");
    expect(await check({ files: checkFiles(folder) })).not.toContain("missing");
  });
});
