/** If red: tokens and dollars are counted twice, left out or given the wrong price in plimsoll stats. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTickingClock, runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";

const temporary = createTemporaryFolder();

function write(name: string, ...drafts: readonly JsonObject[]): string {
  const file = path.join(temporary.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, toFile(transcript(...drafts)));
  return file;
}

function asked(id: string, model: string, counts: JsonObject, more: JsonObject = {}): JsonObject {
  const line = answer(id, [toolUse(`t ${id}`, "Bash")], { input_tokens: 0, output_tokens: 0, ...counts });
  return { ...line, ...more, message: { ...(typeof line.message === "object" ? line.message : {}), model } };
}

const million = { cache_creation_input_tokens: 1_000_000 };
const reread = { cache_read_input_tokens: 1_000_000 };

/** Two projects; the second session of the first one repeats a request of the other, as a resumed session does. */
const root = path.join(temporary.folder, "all");
write(
  "all/one/a.jsonl",
  { ...prompt("x"), sessionId: "a" },
  asked("m1", "claude-opus-5", million, { sessionId: "a", timestamp: "2026-03-01T10:00:00Z" }),
  asked("m1", "claude-opus-5", million, { sessionId: "a", timestamp: "2026-03-01T10:00:01Z" }),
  asked("m2", "claude-opus-5", reread, { sessionId: "a", timestamp: "2026-03-01T23:59:59Z" }),
  ...["auto", "manual", "plugin"].map((trigger) => ({ ...boundary("l4", { trigger }), sessionId: "a" })),
);
const resumed = write(
  "all/one/b.jsonl",
  asked("m2", "claude-opus-5", reread, { sessionId: "b", timestamp: "2026-03-01T23:59:59Z" }),
  asked("m3", "claude-opus-6", million, { sessionId: "b", timestamp: "2026-03-02T10:00:00Z" }),
);
write("all/two/c.jsonl", asked("m4", "gpt-6", million, { sessionId: "c", timestamp: "not a time" }));

async function count(...words: readonly string[]) {
  const { output, exitCode, remarks } = await runPlimsoll(["stats", ...words, "--json"]);
  expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
  return JSON.parse(output);
}

describe("plimsoll stats", () => {
  it("adds up tokens and dollars, every request once though split over lines or repeated by a resumed session", async () => {
    const { totals, files, compactions } = await count(root);
    expect(files).toBe(3);
    expect(totals).toMatchObject({
      requests: 4,
      cacheWrite5mTokens: 3_000_000,
      cacheWriteTokens: 3_000_000,
      cacheReadTokens: 1_000_000,
      unpricedRequests: 1,
      priceIsAssumed: true,
    });
    expect(totals.totalUsd).toBeCloseTo(6.25 + 0.5 + 5, 9);
    expect(totals.cacheWriteUsd).toBeCloseTo(6.25 + 5, 9);
    expect(compactions).toEqual({ automatic: 1, manual: 1, other: 1 });
  });

  it.each([
    ["model", ["claude-opus-5", "claude-opus-6", "gpt-6"]],
    ["project", ["one", "two"]],
    ["day", ["2026-03-01", "2026-03-02", "undated"]],
  ])("has a row per %s, the dearest first or in the order of days", async (by, keys) => {
    const { rows } = await count(root, "--by", by);
    expect(rows.map(({ key }: { readonly key: string }) => key)).toEqual(keys);
  });

  it("leaves out what hardly costs anything where the terminal is narrow", async () => {
    const wrote = {
      input_tokens: 123_456,
      cache_creation_input_tokens: 9_480_000,
      cache_read_input_tokens: 401_790_000,
    };
    const file = write(
      "narrow/a.jsonl",
      asked("m1", "claude-sonnet-4-5-20250929", { ...wrote, output_tokens: 474_000 }),
    );
    const { output } = await runPlimsoll(["stats", file], { columns: 60, isTerminal: true });
    expect(output.split("\n").filter((line) => line.length > 60 && / {2}/.test(line))).toEqual([]);
    expect(output).toMatch(/^model +requests +read +output +cost$/m);
  });

  it("says of old clients' output and its cost that they are lower bounds", async () => {
    const old = { version: "2.1.40", timestamp: "2026-03-01T10:00:00Z" };
    const file = write(
      "old/a.jsonl",
      asked("m1", "claude-opus-5", { output_tokens: 562 }, old),
      asked("m2", "claude-sonnet-5", { output_tokens: 7 }),
    );
    const { output } = await runPlimsoll(["stats", file]);
    expect(output).toMatch(/^claude-opus-5 .* \u2265562 +\u2265\$/m);
    expect(output).toMatch(/^claude-sonnet-5 .* 7 +\$/m);
    expect(output).toMatch(/^total .* \u2265569 +\u2265\$/m);
    expect(output).toContain("\u2265 at least: older versions of the agent logged the output of 1 request too early");
    expect((await count(file)).totals.unfinalOutputRequests).toBe(1);
    const recent = write("old/b.jsonl", asked("m3", "claude-sonnet-5", { output_tokens: 7 }));
    expect((await runPlimsoll(["stats", recent])).output).not.toContain("\u2265");
  });

  it("charges fast mode and long prompts as the vendor does", async () => {
    const million = { input_tokens: 0, cache_read_input_tokens: 150_000, output_tokens: 1000 };
    const slow = write("fast/slow.jsonl", asked("m1", "claude-opus-5", million));
    const fast = write("fast/fast.jsonl", asked("m2", "claude-opus-5", { ...million, speed: "fast" }));
    const usd = async (file: string): Promise<number> => (await count(file)).totals.totalUsd;
    expect(await usd(slow)).toBeCloseTo(0.075 + 0.025, 9);
    expect(await usd(fast)).toBeCloseTo(2 * (0.075 + 0.025), 9);
    const long = { ...million, cache_read_input_tokens: 250_000 };
    const above = write("fast/long.jsonl", asked("m3", "claude-sonnet-4-5-20250929", long));
    expect(await usd(above)).toBeCloseTo((250_000 * 0.6 + 1000 * 22.5) / 1e6, 9);
  });

  it("says of dollars that a model without a price is not in them", async () => {
    const file = write(
      "unpriced/a.jsonl",
      asked("m1", "claude-opus-5", { output_tokens: 7 }),
      asked("m2", "somebody-elses-model", { output_tokens: 7 }),
    );
    const { output } = await runPlimsoll(["stats", file]);
    expect(output).toMatch(/^somebody-elses-model .* no price$/m);
    expect(output).toMatch(/^total .* 14 +\u2265\$/m);
    expect(output).toContain("\u2265 at least: 1 request used a model without a known price");
  });

  it("counts only the time that is asked for, by week and by month", async () => {
    const at = (id: string, timestamp: string) => ({ ...asked(id, "claude-opus-5", { output_tokens: 7 }), timestamp });
    const file = write(
      "period/a.jsonl",
      at("m1", "2026-01-30T23:59:59.000Z"),
      at("m2", "2026-02-01T12:00:00.000Z"),
      at("m3", "2026-02-02T00:00:00.000Z"),
    );
    const keys = async (...words: readonly string[]) =>
      (await count(file, ...words)).rows.map(({ key, requests }: { key: string; requests: number }) => [key, requests]);
    expect(await keys("--by", "month")).toEqual([
      ["2026-01", 1],
      ["2026-02", 2],
    ]);
    // A week is named by its Monday.
    expect(await keys("--by", "week")).toEqual([
      ["2026-01-26", 2],
      ["2026-02-02", 1],
    ]);
    expect(await keys("--by", "day", "--since", "2026-02", "--until", "2026-02-01")).toEqual([["2026-02-01", 1]]);
    const none = await runPlimsoll(["stats", file, "--since", "2026-03"]);
    expect(none).toMatchObject({ exitCode: 3, remarks: "plimsoll: no request is recorded in this period\n" });
  });

  it.each([
    ["first", 2],
    ["last", 1],
  ])("names a session by its own title, and not by its subagent's that is read %s", async (name, subagentSeconds) => {
    const folder = `titles-${name}/p`;
    const own = write(
      `${folder}/s.jsonl`,
      { ...prompt("mend the pump"), sessionId: "s" },
      asked("s1", "claude-opus-5", million, { sessionId: "s" }),
    );
    const line = asked("s2", "claude-opus-5", million, { sessionId: "s", isSidechain: true });
    const agent = write(
      `${folder}/s/subagents/agent-1.jsonl`,
      { ...prompt("look at the valves"), sessionId: "s", isSidechain: true },
      line,
    );
    utimesSync(own, 1.5, 1.5);
    utimesSync(agent, subagentSeconds, subagentSeconds);
    const { rows } = await count(path.join(temporary.folder, `titles-${name}`), "--by", "session");
    expect(rows).toMatchObject([{ key: "s", title: "mend the pump", requests: 2 }]);
  });

  it.each(["model", "session", "project", "month"])(
    "fits into 80 columns by %s, whatever things are called",
    async (by) => {
      const file = write(
        "wide/a-name-that-is-much-too-long-to-fit.jsonl",
        asked("m1", `claude-opus-5-${"x".repeat(90)}`, {}),
      );
      const { output } = await runPlimsoll(["stats", file, "--by", by], { isTerminal: true });
      const table = output.split("\n\n")[0]?.split("\n") ?? [];
      expect(table.length).toBeGreaterThan(2);
      for (const line of table) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it("has a row per session on demand", async () => {
    const { rows } = await count(root, "--by", "session");
    expect(new Set(rows.map(({ key }: { readonly key: string }) => key))).toEqual(new Set(["a", "b", "c"]));
  });

  it("counts cache misses by cause, with what they cost", async () => {
    const file = write(
      "misses.jsonl",
      asked("m1", "claude-opus-5", million, { timestamp: "2026-03-01T10:00:00Z" }),
      asked("m2", "claude-opus-5", million, { timestamp: "2026-03-01T10:10:00Z" }),
    );
    const { cacheMisses, toolCalls } = await count(file);
    expect(toolCalls).toBe(2);
    expect(cacheMisses.map(({ cause }: { readonly cause: string }) => cause)).toEqual([
      "idle",
      "modelSwitch",
      "compaction",
      "editedPrefix",
      "unknown",
    ]);
    expect(cacheMisses[0]).toMatchObject({ count: 1, tokens: 1_000_000 });
    expect(cacheMisses[0].usd).toBeCloseTo(6.25 - 0.5, 9);
  });

  it("counts a file once that is given twice, or next to its folder", async () => {
    expect(await count(resumed, resumed)).toEqual(await count(resumed));
    expect((await count(root, resumed)).files).toBe(3);
  });

  it("shows a table, says which prices are assumed or unknown, and of which day they are", async () => {
    const { output } = await runPlimsoll(["stats", root]);
    const lines = output.split("\n");
    expect(lines[0]).toMatch(/^model +requests +input +written +read +output +cost$/);
    expect(output).toMatch(/^claude-opus-6 .*\$5\.00 \(assumed\)$/m);
    expect(output).toMatch(/^gpt-6 .*no price$/m);
    expect(output).toMatch(/^total +4 /m);
    expect(output).toContain("compactions: 1 automatic, 1 manual, 1 of unknown cause");
    expect(output).toContain(`Prices as of ${PRICES_AS_OF}`);
  });

  it("counts lines that could not be read", async () => {
    const file = write("broken.jsonl", asked("m1", "claude-opus-5", million));
    writeFileSync(file, `${toFile(transcript(asked("m1", "claude-opus-5", million)))}{"type":"assistant","broken\n`);
    expect((await count(file)).lines).toEqual({ read: 2, notAboutUsage: 0, malformed: 1 });
    expect((await runPlimsoll(["stats", file])).output).toContain("1 malformed line skipped");
  });

  it("refuses a path that is not there, and says when nothing is recorded", async () => {
    expect(await runPlimsoll(["stats", "/nowhere"])).toMatchObject({
      exitCode: 2,
      remarks: "plimsoll: there is no file or folder /nowhere\n",
    });
    const empty = path.join(temporary.folder, "empty");
    mkdirSync(empty);
    const { exitCode, remarks } = await runPlimsoll(["stats", empty]);
    expect(exitCode).toBe(3);
    expect(remarks).toContain(`no recorded sessions in ${empty}`);
  });
});

describe("the progress", () => {
  const slow = { isInteractive: true, nowMs: createTickingClock(600) };

  it("is shown next to the output when it takes longer than a second and a person looks", async () => {
    const { remarks, output } = await runPlimsoll(["stats", root], slow);
    expect(remarks).toContain("\rReading sessions █");
    expect(remarks.endsWith("\r\u001b[K")).toBe(true);
    expect(output).not.toContain("\r");
  });

  it("is not shown when it is quick, nor when nobody looks", async () => {
    expect((await runPlimsoll(["stats", root], { ...slow, isInteractive: false })).remarks).toBe("");
    expect((await runPlimsoll(["stats", root], { ...slow, nowMs: createTickingClock(1) })).remarks).toBe("");
  });
});

describe("plimsoll stats --calibration", () => {
  const growing = (steps: number): readonly JsonObject[] => {
    const counts = (index: number) => ({
      input_tokens: 0,
      cache_read_input_tokens: 20_000 + index * 700,
      output_tokens: 100,
    });
    return Array.from({ length: steps }, (_, index) => [
      answer(`m${index}`, [toolUse(`t${index}`, "Bash")], counts(index)),
      toolResult(`t${index}`, "const value = compute(input);\n".repeat(40)),
    ]).flat();
  };

  it("says how well half of a session predicts the other half, by model and for all", async () => {
    const file = write("long.jsonl", ...growing(60));
    const judgement = await count("--calibration", file, write("short.jsonl", ...growing(10)));
    expect(judgement.sessionsTooShort).toBe(1);
    expect(judgement.damagedSessions).toBe(0);
    expect(judgement.rows.map(({ model }: { readonly model: string }) => model)).toEqual(["claude-opus-4-6", "all"]);
    const [row] = judgement.rows;
    expect(row).toMatchObject({ sessions: 1, steps: 59 });
    for (const spread of [row.alternating, row.laterHalf, row.singleStep]) expect(spread.median).toBeLessThan(0.1);
  });

  it("shows the same as a table", async () => {
    const { output } = await runPlimsoll(["stats", "--calibration", write("long.jsonl", ...growing(60))]);
    expect(output).toMatch(/^claude-opus-4-6 +1 +59 +\d+\.\d%, /m);
    expect(output).toContain("Not included: 0 sessions with fewer than 40 comparable steps.");
  });
});

describe("plimsoll stats --csv", () => {
  it.each(["day", "project", "session"])("has the rows and fields of --json, by %s", async (by) => {
    const { output } = await runPlimsoll(["stats", root, "--by", by, "--csv"]);
    const { rows } = await count(root, "--by", by);
    const [header = "", ...lines] = output.trimEnd().split("\n");
    const parsed = lines.map((line) =>
      Object.fromEntries(line.split(",").map((cell, at) => [header.split(",")[at], cell])),
    );
    const plain = (value: unknown): string => (value === null ? "" : String(value));
    const wanted = rows.map((row: JsonObject) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
    );
    expect(parsed).toEqual(wanted);
  });

  it("counts days in the zone that is asked for", async () => {
    const days = async (zone: string) =>
      (await count(root, "--by", "day", "--timezone", zone)).rows.map(({ key }: { readonly key: string }) => key);
    expect(await days("UTC")).toEqual(["2026-03-01", "2026-03-02", "undated"]);
    expect(await days("Asia/Tokyo")).toEqual(["2026-03-01", "2026-03-02", "undated"]);
    expect(await days("Pacific/Pago_Pago")).toEqual(["2026-02-28", "2026-03-01", "undated"]);
  });
});
