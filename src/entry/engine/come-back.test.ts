/** If red: a person back from a break is not asked before the expired cache is paid for, or is asked again and again. */
import { describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { answer, createWriter, prompt, toFile, toolResult, toolUse } from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseRow } from "../../hosts/claude-code/row-reader.ts";
import { askAfterBreak, showBreak } from "./come-back.ts";
import { runSlashCommand } from "./command.ts";
import { steer } from "./compaction/steer.ts";
import type { Live } from "./live.ts";
import { openLive } from "./open-live.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const STEPS = 40;

interface Session {
  readonly fake: FakeClient;
  readonly live: Live;
  /** The session so many milliseconds after its last answer. */
  waits(ms: number): void;
}

/** A session of 40 commands and 120k tokens, as the client reported it and as its transcript has it. */
async function worked(settings: JsonObject, env: Readonly<Record<string, string>> = {}): Promise<Session> {
  const fake = createFakeClient();
  for (const [name, value] of Object.entries(env)) fake.env.set(name, value);
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  let nowMs = START;
  const live = await openLive(fake.client, { ...fake.machine, nowMs: () => nowMs });
  const write = createWriter();
  const lines = [...write(prompt("Plank the deck."))];
  for (let index = 0; index < STEPS; index++) {
    const [id, content] = [`c${index}`, "plank ".repeat(1_000)];
    const call = toolUse(id, "Bash", { command: `plank ${id}` });
    const tokens = 20_000 + 2_500 * index;
    const usage = { input_tokens: 0, cache_creation_input_tokens: 2_500, cache_read_input_tokens: tokens };
    lines.push(...write(answer(`m${index}`, [call], index === 0 ? { ...usage, cache_read_input_tokens: 0 } : usage)));
    lines.push(...write(toolResult(id, content)));
    for (const [entryPoint, type, block] of [
      ["response", "assistant", call],
      ["tool-result", "user", { type: "tool_result", tool_use_id: id, content }],
    ] as const) {
      const row = parseRow({
        door: entryPoint,
        uuid: `${entryPoint}${index}`,
        origin: { tool: "Bash" },
        message: { type, content: [block] },
      });
      if (row) live.watch.row(row, START);
      if (entryPoint === "response") live.watch.measured(tokens + 2_500, "claude-opus-4-6", START);
    }
  }
  fake.files.set(live.transcript, toFile(lines));
  return {
    fake,
    live,
    waits: (ms) => {
      nowMs = START + ms;
    },
  };
}

const QUOTE = /^1\d\dk tokens are no longer cached: going on costs about \$0\.\d\d, compacted first \$0\.\d\d/;

describe("coming back after a break above an hour", () => {
  it("shows what going on costs and what it costs compacted first, and says what the next prompt does", async () => {
    const { fake, live, waits } = await worked({});
    waits(HOUR - 1);
    showBreak(fake.client, live);
    expect(fake.logs).toEqual([]);
    waits(HOUR + 1);
    showBreak(fake.client, live);
    expect(fake.logs).toEqual([expect.stringMatching(QUOTE)]);
    expect(fake.logs[0]).toContain("your next prompt asks; /plimsoll break compact always compacts first");
    expect(await runSlashCommand(fake.client, live, "")).toMatch(/1\d\dk tokens are no longer cached/);
  });

  it.each([
    [{ afterBreak: "compact" }, "your next prompt compacts first"],
    [{ afterBreak: "continue" }, "/compact compacts first"],
    [{ early: "off" }, "/compact compacts first"],
    [{ compaction: "native" }, "/compact has a model read all of it once more"],
  ])("says for %j: %s", async (settings, words) => {
    const { fake, live, waits } = await worked(settings);
    waits(2 * HOUR);
    showBreak(fake.client, live);
    expect(fake.logs).toEqual([expect.stringContaining(words)]);
  });

  it("is quoted for a session from before the plugin by its transcript, and not at all without one", async () => {
    const { fake, live, waits } = await worked({});
    waits(2 * HOUR);
    const later = await openLive(fake.client, { ...fake.machine, nowMs: live.nowMs });
    expect(later.watch.lastAnswerMs()).toBeUndefined();
    showBreak(fake.client, later);
    expect(fake.logs).toEqual([expect.stringContaining("going on costs about $")]);
    fake.files.delete(live.transcript);
    showBreak(fake.client, live);
    expect(fake.logs).toHaveLength(1);
  });
});

const look = ({ fake, live }: Session): Promise<string> =>
  steer(fake.client, live, { nowMs: live.nowMs(), isPrompt: true });

describe("the first prompt after a break", () => {
  it.each([
    ["Compact first", true, undefined],
    ["Always compact first", true, "compact"],
    ["Go on with all of it", false, undefined],
    ["something typed", false, undefined],
  ])("asks, and %j means: compact %j, agreed for good %j", async (choice, isMade, saved) => {
    const session = await worked({ policy: "balanced" });
    const { fake, live, waits } = session;
    fake.session.choice = choice;
    waits(2 * HOUR);
    expect((await look(session)) !== "").toBe(isMade);
    expect(fake.asked).toEqual([expect.stringMatching(QUOTE)]);
    const settings = JSON.parse(fake.files.get(`${fake.home}/.claude/plimsoll.json`) ?? "{}");
    expect(settings).toEqual({ policy: "balanced", ...(saved === undefined ? {} : { afterBreak: saved }) });
    expect(live.settings.afterBreak).toBe(saved ?? "ask");
  });

  it("asks nothing where the person agreed once, and compacts nothing where they go on", async () => {
    for (const [afterBreak, isMade] of [
      ["compact", true],
      ["continue", false],
    ] as const) {
      const session = await worked({ afterBreak });
      session.fake.session.choice = "Compact first";
      session.waits(2 * HOUR);
      expect((await look(session)) !== "").toBe(isMade);
      expect(session.fake.asked).toEqual([]);
    }
  });

  it("goes on where the question is dismissed, and lets the price decide where no one can be asked", async () => {
    const dismissed = await worked({}, { CLAUDE_CODE_ENTRYPOINT: "cli" });
    dismissed.waits(2 * HOUR);
    expect(await askAfterBreak(dismissed.fake.client, dismissed.live)).toBe(false);
    const headless = await worked({}, { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" });
    headless.waits(2 * HOUR);
    expect(await askAfterBreak(headless.fake.client, headless.live)).toBe(true);
  });

  it("is not asked about after a shorter break, in which the price decides", async () => {
    const session = await worked({});
    session.fake.session.choice = "Go on with all of it";
    session.waits(10 * 60_000);
    expect(await look(session)).not.toBe("");
    expect(session.fake.asked).toEqual([]);
  });
});

describe("/plimsoll break", () => {
  it("keeps the person's choice for every session, next to their other settings", async () => {
    const { fake, live } = await worked({ line: "120k" });
    expect(await runSlashCommand(fake.client, live, "break compact")).toContain(
      "compacts before it is answered (saved in",
    );
    expect(JSON.parse(fake.files.get(`${fake.home}/.claude/plimsoll.json`) ?? "")).toEqual({
      line: "120k",
      afterBreak: "compact",
    });
    expect(await runSlashCommand(fake.client, live, "break often")).toContain("one of ask, compact, continue");
  });

  it("says why it cannot be kept, and holds in this session", async () => {
    const { fake, live } = await worked({});
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, "{ torn");
    expect(await runSlashCommand(fake.client, live, "break continue")).toContain(
      "for this session only: not valid JSON",
    );
    expect(live.settings.afterBreak).toBe("continue");
  });
});
