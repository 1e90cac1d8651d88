/** If red: a gateway starts although files that it needs are missing. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type CheckOptions, checkFiles, createCheck, renderChecks } from "./start-check.ts";

const temporary = createTemporaryFolder();
const BUDGET = { budgetMs: 50, heapBytes: 300e6, maxReadBytes: 32e6 };
const ONE_THREAD = "1 thread, which serves requests and also reads large bodies";

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
    ["whose thread does not answer", { isThreadRunning: async () => false }, `missing thread: ${ONE_THREAD}`],
    ["without a thread", { isThreadRunning: undefined }, `missing thread: ${ONE_THREAD}`],
    ["whose store fails", { store: { check: () => Promise.reject(new Error("full")) } }, "missing store: not writable"],
    [
      "with little memory",
      { budget: { ...BUDGET, heapBytes: 96e6 - 1 } },
      "missing budget: the heap has only 95 MB, but reading a body of 32 MB needs 3 times its size; a body that large is sent unchanged",
    ],
  ])("names what is missing of one %s, first", async (_, more, expected) => {
    const all = (await check()).split("\n");
    const [first, ...others] = (await check(more)).split("\n");
    expect(first).toBe(expected);
    const [, name = ""] = expected.split(" ");
    expect(others).toEqual(all.filter((line) => !line.includes(` ${name}`)));
  });

  it("finds a heap of three bodies enough, and says of one without users that it asks for no token", async () => {
    const said = await check({ budget: { ...BUDGET, heapBytes: 96e6 }, hasUsers: false });
    expect(said).toContain("ok budget: 50 ms a request, 96 MB of heap\n");
    expect(said).toContain("ok users: no token is required\n");
  });

  it("waits a second for a store that does not answer", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let said = "";
    void check({ store: { check: () => new Promise(() => undefined) } }).then((text) => {
      said = text;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(said).toBe("");
    await vi.advanceTimersByTimeAsync(1);
    expect(said).toMatch(/^missing store/);
  });

  it("names the files that are not next to the program, each once", async () => {
    const folder = temporary.name("-program");
    mkdirSync(folder);
    const said = await check({ files: checkFiles(folder), isThreadRunning: undefined });
    expect(said.split("\n").slice(0, 3)).toEqual([
      "missing thread: reading-thread.cjs is not next to the program: without it, the thread that serves requests also reads large request bodies",
      "missing licences: THIRD-PARTY-LICENSES.txt is not next to the program: ship the licences of bundled libraries with the program",
      "ok store: writable",
    ]);
    expect(said.match(/thread:/g)).toHaveLength(1);
    for (const file of ["reading-thread.cjs", "THIRD-PARTY-LICENSES.txt"]) writeFileSync(path.join(folder, file), "");
    const whole = await check({ files: checkFiles(folder) });
    expect(whole).toMatch(/^ok thread: 2 threads\n(?:.*\n)*ok licences: THIRD-PARTY-LICENSES\.txt exists\n$/);
    expect(whole).not.toContain("missing");
  });
});
