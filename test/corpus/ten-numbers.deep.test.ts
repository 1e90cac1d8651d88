/** If red: figures of plimsoll stats differ from a plain count of the session files. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CORPUS, hasCorpus } from "../../lab/bench/corpus.ts";

const SCRIPT = fileURLToPath(new URL("../../lab/bench/ten-numbers.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/plimsoll.cjs", import.meta.url));

describe.skipIf(!hasCorpus)("ten numbers", () => {
  it("are the same when a program that shares no code with ours counts them", () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, CORPUS, PROGRAM], { encoding: "utf8" });
    expect(stderr).toBe("");
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => !line.startsWith("same "))).toEqual([]);
    expect(status).toBe(0);
  });
});
