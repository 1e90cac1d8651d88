/** If red: the status line shows a wrong load, level or limit. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer } from "../../../../test/support/transcript-lines.ts";
import type { Hook } from "../hook.ts";
import { assessLoad } from "../load/assess-load.ts";
import { drawStatus, paintStatus } from "./draw-status.ts";

const statusline: Hook = (context) => ({ text: paintStatus(drawStatus(context), context) });

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));

const usage = (tokens: number) => ({
  input_tokens: 120,
  output_tokens: 77,
  cache_creation_input_tokens: 800,
  cache_read_input_tokens: tokens - 920,
});
const status = (tokens: number | null, more = {}) => ({
  model: { id: "claude-opus-4-6", display_name: "Opus" },
  version: "2.1.197",
  context_window: { context_window_size: 200_000, current_usage: tokens === null ? null : usage(tokens) },
  ...more,
});

async function draw(stage: HookStage, raw: ReturnType<typeof status>): Promise<string> {
  const { text = "" } = await stage.fire(statusline, "statusline", raw);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

describe("drawStatus", () => {
  it("draws the load against the line where the client compacts, the level by colour and by word", async () => {
    expect(await draw(open(), status(70_920))).toBe("▲ GREEN 42 % of load line · 96k to compact");
    const { text = "" } = await open().fire(statusline, "statusline", status(155_000));
    expect(text).toBe("\u001b[31m▲ RED 93 % of load line\u001b[0m · 12k to compact");
  });

  it("tells pace, cache, money and folds from what it and the hooks wrote down, without a transcript", async () => {
    const stage = open();
    const action = (savedTokens: number) => `{"atMs":1,"event":"x","kind":"folded","savedTokens":${savedTokens}}\n`;
    writeFileSync(path.join(stage.folder, "deeds-hook.jsonl"), action(120_000));
    writeFileSync(path.join(stage.folder, "deeds-module.jsonl"), action(12_000));
    const prompt_cache = { warm: true, caching_observed: true, expires_at: Date.UTC(2026, 0, 1) / 1000 + 252 };
    const cost = { total_cost_usd: 1.834 };
    rmSync(stage.transcript);
    expect(await draw(stage, status(60_000))).toBe("▲ GREEN 36 % of load line · 107k to compact · folded 132k");
    expect(await draw(stage, status(60_000))).not.toContain("req");
    appendFileSync(
      path.join(stage.folder, "deeds-hook.jsonl"),
      `${action(80_000)}torn {"kind":"folded","savedTokens":1`,
    );
    expect(await draw(stage, status(64_000, { cost, prompt_cache }))).toBe(
      "▲ GREEN 38 % of line · 103k left · ≈ 25 req · cache 4:12 · $1.83 · folded 212k",
    );
    expect(await draw(stage, status(64_000, { prompt_cache: { ...prompt_cache, warm: false } }))).toContain(
      "cache cold",
    );
  });

  it("takes what the hooks last saw where the client has nothing to tell yet", async () => {
    const stage = open();
    stage.write(answer("m1", ["Working."], { cache_read_input_tokens: 150_000 }));
    await stage.fire((context) => {
      assessLoad(context);
      return {};
    }, "PostToolUse");
    expect(await draw(stage, status(null))).toContain("▲ ORANGE 90 % of load line");
  });

  it("[R13] shows no size where none was measured, nor the zeros after a compaction", async () => {
    expect(await draw(open(), status(null))).toBe("▲ GREEN 0 tool calls · size not known yet");
    const zeros = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const compacted = { ...status(null), context_window: { context_window_size: 200_000, current_usage: zeros } };
    const { text = "" } = await open().fire(statusline, "statusline", compacted);
    expect(text).toContain("size not known yet");
    expect(await open().fire(statusline, "statusline", {})).toHaveProperty("text");
  });

  it("[R149] keeps rate limits and window for others, and names a limit from 70 % on", async () => {
    const stage = open();
    const rate_limits = { five_hour: { used_percentage: 82.4 }, seven_day: { used_percentage: 41 } };
    expect(await draw(stage, status(70_920, { rate_limits }))).toContain(" · 5 h limit 82 % · ");
    expect(JSON.parse(readFileSync(path.join(stage.folder, "reading.json"), "utf8"))).toMatchObject({
      model: "claude-opus-4-6",
      context_window: { context_window_size: 200_000 },
      rate_limits,
    });
  });

  it("writes down each time that a limit has moved, and no more often", async () => {
    const stage = open();
    const file = path.join(stage.folder, "limits.jsonl");
    const used = async (percent?: number): Promise<void> => {
      const rate_limits = percent === undefined ? undefined : { five_hour: { used_percentage: percent, resets_at: 9 } };
      await draw(stage, status(70_920, rate_limits ? { rate_limits } : {}));
    };
    await used();
    expect(existsSync(file)).toBe(false);
    for (const percent of [4, 4, 5, 5, 6]) await used(percent);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).rate_limits.five_hour.used_percentage)).toEqual([4, 5, 6]);
  });

  it("says of such a limit when it begins anew, or when it is used up at this pace where that comes first", async () => {
    const stage = open();
    const inHours = (hours: number): number => Date.UTC(2026, 0, 1) / 1000 + hours * 3600;
    const drawn = async (used_percentage: number, hours: number): Promise<string> =>
      draw(stage, status(70_920, { rate_limits: { five_hour: { used_percentage, resets_at: inHours(hours) } } }));
    expect(await drawn(75, 1)).toContain(" · 5 h limit 75 %, resets in 1:00 · ");
    // 80 % in one hour: the rest in a quarter of one.
    expect(await drawn(80, 4)).toContain(" · 5 h limit 80 %, full in 0:15 · ");
    expect(await drawn(80, -1)).toContain(" · 5 h limit 80 % · ");
  });

  it("tells the hooks how large the window is", async () => {
    const stage = open();
    stage.write(answer("m1", ["Working."], { cache_read_input_tokens: 150_000 }));
    const levelOf = async () => {
      let level = "";
      await stage.fire((context) => {
        level = assessLoad(context).level;
        return {};
      }, "PostToolUse");
      return level;
    };
    expect(await levelOf()).toBe("ORANGE");
    await stage.fire(statusline, "statusline", {
      model: { id: "claude-opus-4-6" },
      context_window: { context_window_size: 1_000_000, current_usage: usage(150_000) },
    });
    expect(await levelOf()).toBe("GREEN");
  });
});
