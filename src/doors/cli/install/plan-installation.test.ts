import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createFakeTerminal, runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { answerReplay } from "../../../../test/support/replay-answer.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { keepLastReplay } from "../../../recorded/last-replay.ts";
import type { LifeCost } from "../../../replay/compare-lives.ts";
import { offerLife } from "./plan-installation.ts";

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

describe("what the last replay found", () => {
  const lives: readonly LifeCost[] = [
    { life: "1h+5m", usd: 80, uncachedTokens: 9e6 },
    { life: "5m", usd: 90, uncachedTokens: 12e6 },
    { life: "1h", usd: 110, uncachedTokens: 8e6 },
  ];
  const keep = (home: string, recordedUsd: number): void =>
    keepLastReplay(
      { HOME: home },
      JSON.stringify(answerReplay({ cacheLives: { sessions: 12, pauses: 40, recordedUsd, lives } })),
    );
  const offer = async (home: string, typed: string) => {
    const terminal = createFakeTerminal(surroundings(home));
    const asked = { command: "install", flags: new Set<string>(), values: new Map(), positionals: [] };
    const { values } = await offerLife(asked, terminal, Readable.from([typed]));
    return { life: values.get("cache-life"), remarks: terminal.remarks() };
  };

  it("is offered with its lines, and set only after a yes", async () => {
    const home = createHome("{}");
    keep(home, 100);
    const yes = await offer(home, "y\n");
    expect(yes.life).toBe("1h+5m");
    expect(yes.remarks).toContain('+ env.CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m"');
    expect(yes.remarks).toContain("$80.00 and 9.00M uncached tokens with one hour for system prompt and tools");
    expect(yes.remarks).toContain("A subscription uses the fewest uncached tokens with a cache life of one hour.");
    expect((await offer(home, "\n")).life).toBeUndefined();
  });

  it("is a note where nobody can be asked, and sets nothing", async () => {
    const home = createHome("{}");
    keep(home, 100);
    const { output } = await run(home, "install", "--module", "--yes");
    expect(output).toContain("Run: plimsoll install --cache-life 1h+5m");
    expect(parse(home)).not.toHaveProperty("promptCacheTtl");
  });

  it("is not offered where what is recorded is as cheap, or the person has set a life", async () => {
    const home = createHome("{}");
    keep(home, 81);
    expect(await offer(home, "y\n")).toEqual({ life: undefined, remarks: "" });
    const own = createHome('{"promptCacheTtl": "1h"}');
    keep(own, 100);
    expect(await offer(own, "y\n")).toEqual({ life: undefined, remarks: "" });
  });
});
