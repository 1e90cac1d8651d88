import { describe, expect, it } from "vitest";
import { createFakeEngine, type FakeEngine } from "../../test/support/fake-engine.ts";
import { parseRow } from "../hosts/claude-code/row-reader.ts";
import { isBoundary, raise, setLine } from "./line.ts";
import { type Live, openLive } from "./live.ts";

const WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";
const PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
const START = Date.UTC(2026, 0, 1);

/** A session whose requests have weighed so much, a minute apart. */
async function live(fake: FakeEngine, ...contexts: readonly number[]): Promise<Live> {
  const opened = await openLive(fake.engine);
  for (const [index, tokens] of contexts.entries()) {
    const atMs = START + index * 60_000;
    for (const [door, type] of [
      ["prompt", "user"],
      ["response", "assistant"],
    ] as const) {
      const row = parseRow({
        door,
        uuid: `${door}${index}`,
        message: { type, content: [{ type: "text", text: `${index}` }] },
      });
      if (row) opened.watch.row(row, atMs);
    }
    opened.watch.measured(tokens, "claude-opus-5", atMs);
  }
  return opened;
}
const growing = (to: number): readonly number[] =>
  Array.from({ length: 10 }, (_, index) => 20_000 + ((to - 20_000) * index) / 9);
const soon = START + 10 * 60_000;

function settings(fake: FakeEngine, text: object): FakeEngine {
  fake.files.set("/home/dev/.claude/plimsoll.json", JSON.stringify(text));
  return fake;
}

describe("the line", () => {
  it("is lowered below what the window holds when a compaction is due, so that the next request brings it about", async () => {
    const fake = createFakeEngine();
    const decision = await setLine(fake.engine, await live(fake, ...growing(120_000)), false, soon);
    expect(decision).toMatchObject({ isDue: true });
    expect(fake.env.get(WINDOW)).toBe("100000");
    expect(fake.env.get(PERCENT)).toBe("80");
  });

  it("lies a tenth below the load where that is less than the most that can be set", async () => {
    const fake = createFakeEngine();
    const opened = await live(fake, ...growing(62_000));
    // An hour later nothing of it is cached any more.
    expect(await setLine(fake.engine, opened, false, soon + 3_600_000)).toMatchObject({ isDue: true });
    const percent = Number(fake.env.get(PERCENT));
    expect(percent).toBe(69);
    expect((percent / 100) * 80_000).toBeLessThan(62_000);
  });

  it.each([
    [undefined, undefined],
    ["180000", "92"],
    ["180000", undefined],
  ])("is put back to the person's own %j and %j when nothing is due any more", async (window, percent) => {
    const fake = createFakeEngine();
    if (window !== undefined) fake.env.set(WINDOW, window);
    if (percent !== undefined) fake.env.set(PERCENT, percent);
    const opened = await live(fake, ...growing(120_000));
    await setLine(fake.engine, opened, false, soon);
    expect(fake.env.get(WINDOW)).toBe("100000");
    await raise(fake.engine, opened);
    expect([fake.env.get(WINDOW), fake.env.get(PERCENT)]).toEqual([window, percent]);
  });

  it("is not touched where it was never lowered, whatever the person changes meanwhile", async () => {
    const fake = createFakeEngine();
    const opened = await live(fake, ...growing(50_000));
    fake.env.set(WINDOW, "150000");
    expect(await setLine(fake.engine, opened, true, soon)).toMatchObject({ isDue: false });
    await raise(fake.engine, opened);
    expect(fake.env.get(WINDOW)).toBe("150000");
    expect(fake.env.has(PERCENT)).toBe(false);
  });

  it("is raised again by the next look that finds nothing due", async () => {
    const fake = createFakeEngine();
    const opened = await live(fake, ...growing(85_000));
    expect(await setLine(fake.engine, opened, true, soon)).toMatchObject({ isDue: true });
    expect(await setLine(fake.engine, opened, false, soon)).toMatchObject({ isDue: false });
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it.each([{ compaction: "native" }, { early: false }])("stays where it is with the setting %j", async (given) => {
    const fake = settings(createFakeEngine(), given);
    const opened = await live(fake, ...growing(150_000));
    expect(await setLine(fake.engine, opened, true, soon)).toBeUndefined();
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it("stays where it is while no load is known", async () => {
    const fake = createFakeEngine();
    expect(await setLine(fake.engine, await live(fake), true, soon)).toBeUndefined();
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it.each([
    ["", 4, false],
    ["", 6, true],
    ["1", 6, false],
    ["1", 59, false],
    ["1", 61, true],
  ])(
    "with an hour's cache %j takes the prefix for cold %d minutes after the last answer: %s",
    async (hour, minutes, isCold) => {
      const fake = createFakeEngine();
      fake.env.set("ENABLE_PROMPT_CACHING_1H", hour);
      const opened = await live(fake, ...growing(62_000));
      const decision = await setLine(fake.engine, opened, false, START + 9 * 60_000 + minutes * 60_000);
      expect(decision?.isDue).toBe(isCold);
    },
  );
});

describe("a boundary of the work", () => {
  it.each([
    ["TaskUpdate", { status: "completed" }],
    ["Bash", { command: "git commit -m 'paint'" }],
    ["Bash", { command: "npm test && git  push origin main" }],
    ["Bash", { command: "git -C ../hull merge next" }],
  ])("is %s with %j", (tool, input) => {
    expect(isBoundary(tool, input)).toBe(true);
  });

  it.each([
    ["TaskUpdate", { status: "in_progress" }],
    ["TaskUpdate", {}],
    ["TaskCreate", { status: "completed" }],
    ["Bash", { command: "git log --grep commit" }],
    ["Bash", { command: "git status" }],
    ["Bash", { command: "echo digit commit" }],
    ["Read", { command: "git commit" }],
    ["Bash", {}],
  ])("is not %s with %j", (tool, input) => {
    expect(isBoundary(tool, input)).toBe(false);
  });
});
