/** If red: the first screen shows an old forecast of a session, or keeps words of it on the disk. */
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const SOON = Date.UTC(2026, 0, 1, 0, 1);
const DAY_MS = 86_400_000;

function createHome() {
  const home = temporary.name("-home");
  const file = path.join(home, ".claude/projects/-work-project/one.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
  const used = { input_tokens: 0, cache_read_input_tokens: 119_000, cache_creation_input_tokens: 1000 };
  writeFileSync(file, toFile(transcript({ ...prompt("fix it"), cwd: "/work/project" }, answer("m1", ["done"], used))));
  utimesSync(file, SOON / 1000, SOON / 1000);
  const see = async (afterMs: number, variables: Readonly<Record<string, string>> = {}) => {
    const { output, exitCode } = await runPlimsoll([], {
      environment: { HOME: home, ...variables },
      nowMs: () => SOON + afterMs,
      columns: 1000,
    });
    expect(exitCode).toBe(0);
    return output;
  };
  return { home, file, see };
}

/** Whose it is can still be seen, but nothing can be read of it any more. Its size and its time are the same. */
function spoil(file: string): void {
  const { mtimeMs } = statSync(file);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/(?<=\n)[\s\S]*$/, (rest) => "x".repeat(rest.length)),
  );
  utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
}

describe("what is kept of a session for the first screen", () => {
  it.each([
    ["runs", 3000],
    ["is cold", DAY_MS / 2],
  ])("says the same without reading a session that %s and has not changed", async (_, afterMs) => {
    const { file, see } = createHome();
    const first = await see(afterMs);
    spoil(file);
    expect(await see(afterMs)).toBe(first);
  });

  it("is read anew when the cache has expired since", async () => {
    const { see } = createHome();
    expect(await see(3000)).not.toContain("no longer cached");
    expect(await see(DAY_MS / 2)).toMatch(/120k tokens are no longer cached: going on costs about \$0\.\d\d/);
  });

  it("is read anew when the agent compacts elsewhere now", async () => {
    const { see } = createHome();
    const [before, after] = [await see(3000), await see(3000, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" })];
    const [wide = 100, narrow] = [before, after].map((text) => Number(/at (\d+) % of its/.exec(text)?.[1]));
    expect(narrow).toBeGreaterThan(wide);
  });

  it("holds no words of the session", async () => {
    const { home, see } = createHome();
    await see(3000);
    const kept = readFileSync(path.join(home, ".claude/data/plimsoll/outlook-index.json"), "utf8");
    expect(kept).toContain("one.jsonl");
    expect(kept).not.toMatch(/fix it|done/);
  });
});
