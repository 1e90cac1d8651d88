/** If red: a cache life that the person chose is overwritten, or stays set after plimsoll uninstall. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { answerReplay } from "../../../../test/support/replay-answer.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { keepLastReplay } from "../../../recorded/last-replay.ts";
import type { ComparedLives } from "../../../replay/compare-lives.ts";

const temporary = createTemporaryFolder();

function createHome(settings: string): string {
  const home = temporary.name("-home");
  mkdirSync(path.join(home, ".claude"), { recursive: true });
  mkdirSync(path.join(home, "project"));
  writeFileSync(locate(home), settings);
  return home;
}

const locate = (home: string): string => path.join(home, ".claude", "settings.json");
const read = (home: string): string => readFileSync(locate(home), "utf8");
const parse = (home: string) => JSON.parse(read(home));
const surroundings = (home: string) => ({ environment: { HOME: home }, directory: path.join(home, "project") });
const run = (home: string, ...words: readonly string[]) => runPlimsoll(words, surroundings(home));
const SPLIT = {
  promptCacheTtl: "1h",
  subagentPromptCacheTtl: "5m",
  env: { CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m" },
};

describe("plimsoll install --cache-life", () => {
  it.each([
    ["5m", { promptCacheTtl: "5m", subagentPromptCacheTtl: "5m" }],
    ["1h", { promptCacheTtl: "1h", subagentPromptCacheTtl: "5m" }],
    ["1h+5m", SPLIT],
  ])("sets %s, shows the lines before, and uninstall gives every byte back", async (life, lines) => {
    const before = '{\n  "model": "opus"\n}\n';
    const home = createHome(before);
    const shown = await run(home, "install", "--module", "--cache-life", life, "--dry-run");
    expect(shown.output).toMatch(/\+ +"promptCacheTtl": "(?:5m|1h)"/);
    expect(read(home)).toBe(before);
    expect(await run(home, "install", "--module", "--cache-life", life, "--yes")).toMatchObject({ exitCode: 0 });
    expect(parse(home)).toMatchObject(lines);
    expect("env" in parse(home)).toBe(life === "1h+5m");
    await run(home, "uninstall", "--yes");
    expect(read(home)).toBe(before);
  });

  it("leaves what the person has set, says so, and does not take it out", async () => {
    const home = createHome('{"promptCacheTtl": "5m", "env": {"A": "1"}}');
    const { output } = await run(home, "install", "--module", "--cache-life", "1h+5m", "--yes");
    expect(output).toContain("You have set promptCacheTtl yourself: it stays as it is.");
    expect(parse(home)).toMatchObject({ promptCacheTtl: "5m", env: { A: "1", ...SPLIT.env } });
    writeFileSync(locate(home), read(home).replace('"A": "1"', '"A": "2"'));
    await run(home, "uninstall", "--yes");
    expect(parse(home)).toEqual({ promptCacheTtl: "5m", env: { A: "2" } });
  });

  it("takes only its own lines out where the person has changed one of them since", async () => {
    const home = createHome("{}");
    await run(home, "install", "--module", "--cache-life", "1h+5m", "--yes");
    writeFileSync(locate(home), read(home).replace('"promptCacheTtl": "1h"', '"promptCacheTtl": "5m"'));
    await run(home, "uninstall", "--yes");
    expect(parse(home)).toEqual({ promptCacheTtl: "5m" });
  });

  it("changes from one life to another, keeps it in an install without a word of it, and ends as it began", async () => {
    const home = createHome("{}");
    await run(home, "install", "--module", "--cache-life", "1h+5m", "--yes");
    await run(home, "install", "--module", "--cache-life", "5m", "--yes");
    expect(parse(home)).toMatchObject({ promptCacheTtl: "5m", subagentPromptCacheTtl: "5m" });
    expect(parse(home)).not.toHaveProperty("env");
    await run(home, "install", "--classic", "--yes");
    expect(parse(home)).toMatchObject({ promptCacheTtl: "5m" });
    await run(home, "uninstall", "--yes");
    expect(read(home)).toBe("{}");
  });
});

describe("the cache life that one's own sessions pay for", () => {
  const keep = (home: string, recordedUsd: number, shortUsd = 10, limits: Partial<ComparedLives> = {}): void => {
    const lives = [{ life: "1h+5m", usd: 80, shortUsd, uncachedTokens: 9e6 } as const];
    const known = { clientUncachedTokens: 10e6, isSubscription: true, ...limits };
    const cacheLives = { sessions: 12, pauses: 40, recordedUsd, shortUsd: 10, lives, ...known };
    const client = {
      client: "Claude Code",
      sessions: 12,
      billedUsd: 200,
      recordedUsd: 160,
      simulatedUsd: 160,
      ownUsd: 80,
    };
    const clients = [{ ...client, savedUsd: 80 }];
    const asked = { days: "last 30 days", files: 14, waiting: 0 };
    keepLastReplay({ HOME: home }, JSON.stringify(answerReplay({ asked, clients, cacheLives })));
  };

  it("is part of what is asked, with its dollars, and goes with plimsoll uninstall", async () => {
    const home = createHome("{}");
    keep(home, 100);
    const { output } = await run(home, "install", "--module", "--dry-run");
    expect(output).toContain(
      "Your last 30 days: with Plimsoll installed you would have saved about $80.00 of $160.00 (50 %), over 12 of 14 session files.",
    );
    expect(output).toMatch(/\$20\.00 of that comes from a prompt cache life of one hour .*--cache-life keep/);
    expect(output).toMatch(/\+ .*promptCacheTtl/);
    await run(home, "install", "--module", "--yes");
    expect(parse(home)).toMatchObject(SPLIT);
    // Run again, it stays as it is.
    await run(home, "install", "--module", "--yes");
    expect(parse(home)).toMatchObject(SPLIT);
    await run(home, "uninstall", "--yes");
    expect(read(home)).toBe("{}");
  });

  it("says what a subscription could lose by it, where that is not known to be one", async () => {
    const home = createHome("{}");
    keep(home, 100, 10, { clientUncachedTokens: 8e6, isSubscription: false });
    const { output } = await run(home, "install", "--module", "--dry-run");
    expect(output).toMatch(/On a subscription it could use up more of your limits .*9.00M instead of 8.00M tokens/);
    keep(home, 100);
    expect((await run(home, "install", "--module", "--dry-run")).output).not.toContain("On a subscription");
  });

  it.each<
    [string, string, [recordedUsd: number, shortUsd?: number, limits?: Partial<ComparedLives>], readonly string[]]
  >([
    ["a subscription could use up more of its limits", "{}", [100, 10, { clientUncachedTokens: 8e6 }], []],
    ["what is recorded is as cheap", "{}", [81], []],
    ["short sessions would pay for it", "{}", [100, 10.5], []],
    ["the person has set a life", '{"promptCacheTtl": "5m"}', [100], []],
    ["the person wants it as it is", "{}", [100], ["--cache-life", "keep"]],
  ])("is not set where %s", async (_, settings, figures, words) => {
    const home = createHome(settings);
    keep(home, ...figures);
    const { output } = await run(home, "install", "--module", "--yes", ...words);
    expect(output).not.toContain("prompt cache life");
    expect(parse(home)).not.toHaveProperty("subagentPromptCacheTtl");
  });
});
