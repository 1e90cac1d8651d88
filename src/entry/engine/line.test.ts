/** If red: the client compacts later than it pays, or the person's own compaction settings are not given back. */
import { describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseRow } from "../../hosts/claude-code/row-reader.ts";
import type { CollapseVerdict } from "../../layers/ledger/decide-collapse.ts";
import { renderVerdict, weighPrice } from "../../policy/collapse-due.ts";
import type { ClientPort } from "./client-port.ts";
import { hearDone, restSteering, steer } from "./compaction/steer.ts";
import { describeCarried, lookDue, raise, settingsOf } from "./line.ts";
import type { Live } from "./live.ts";
import { openLive } from "./open-live.ts";
import { parseEngineLimits } from "./say.ts";

const WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";
const PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** A command with a result of so many characters, one of them a minute, and what the request before it carried. */
function step(live: Live, index: number, characters: number, tokens: number): void {
  const append = (door: string, type: string, block: JsonObject): void => {
    const row = parseRow({
      door,
      uuid: `${door}${index}`,
      origin: { tool: "Bash" },
      message: { type, content: [block] },
    });
    if (row) live.watch.row(row, START + index * MINUTE);
  };
  const id = `c${index}`;
  append("response", "assistant", { type: "tool_use", id, name: "Bash", input: { command: `paint ${id}` } });
  live.watch.measured(tokens, "claude-opus-5", START + index * MINUTE);
  const content = "plank ".repeat(characters / 6);
  append("tool-result", "user", { type: "tool_result", tool_use_id: id, content });
}

/** The command of an earlier step once more. */
function stepAgain(live: Live, index: number, of: number): void {
  const id = `again${index}`;
  for (const [entryPoint, type, block] of [
    ["response", "assistant", { type: "tool_use", id, name: "Bash", input: { command: `paint c${of}` } }],
    ["tool-result", "user", { type: "tool_result", tool_use_id: id, content: "plank ".repeat(2_000) }],
  ] as const) {
    const row = parseRow({
      door: entryPoint,
      uuid: `${entryPoint}${id}`,
      origin: { tool: "Bash" },
      message: { type, content: [block] },
    });
    if (row) live.watch.row(row, START + index * MINUTE);
    if (entryPoint === "response") live.watch.measured(30_000 + index * 4_000, "claude-opus-5", START + index * MINUTE);
  }
}

/** A session of so many steps. */
async function worked(fake: FakeClient, steps: number, characters = 6_000, tokens = 120_000): Promise<Live> {
  const live = await openLive(fake.client, fake.machine);
  for (let index = 0; index < steps; index++)
    step(live, index, characters, 20_000 + ((tokens - 20_000) * index) / Math.max(1, steps - 1));
  return live;
}
const soon = (steps: number): number => START + steps * MINUTE;

/** What is done at a tool's result, and what the price says of it. */
async function setLine($: ClientPort, live: Live, nowMs: number): Promise<CollapseVerdict | undefined> {
  const why = await steer($, live, { nowMs, isPrompt: false });
  const carried = describeCarried(live, nowMs);
  const verdict = carried && weighPrice(carried, settingsOf(live));
  expect(why !== "").toBe(verdict?.isDue === true);
  return verdict;
}

/** The steps of an hour's session before a compaction pays, with the cache life that its transcript shows. */
async function countSteps(written: "ephemeral_1h_input_tokens" | "ephemeral_5m_input_tokens"): Promise<number> {
  const fake = createFakeClient();
  const usage = { cache_creation_input_tokens: 9_000, cache_creation: { [written]: 9_000 } };
  const readEnd = (): string => JSON.stringify({ type: "assistant", message: { usage } });
  const live = await openLive(fake.client, { ...fake.machine, readEnd });
  for (let index = 0; index < 60; index++) {
    step(live, index, 6_000, 20_000 + 1_500 * index);
    if ((await steer(fake.client, live, { nowMs: soon(index), isPrompt: false })) !== "") return index;
  }
  return 60;
}

it("prices a rewrite by the cache life that the transcript shows: an hour's is written at 2, not at 1.25", async () => {
  const short = await countSteps("ephemeral_5m_input_tokens");
  const long = await countSteps("ephemeral_1h_input_tokens");
  expect(short).toBeGreaterThan(5);
  expect(long).toBeGreaterThan(short);
});

function settings(given: JsonObject): FakeClient {
  const fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(given));
  return fake;
}

/** A line of the client's transcript, behind words that look like one. */
function answerWith(life: string): string {
  const written = {
    ephemeral_5m_input_tokens: life === "5m" ? 900 : 0,
    ephemeral_1h_input_tokens: life === "1h" ? 900 : 0,
  };
  const usage = { input_tokens: 3, cache_creation_input_tokens: 900, cache_creation: written, output_tokens: 5 };
  const answer = JSON.stringify({ type: "assistant", message: { usage } });
  const other = { ephemeral_5m_input_tokens: 900 - written.ephemeral_5m_input_tokens, ephemeral_1h_input_tokens: 900 };
  const spoof = { type: "user", message: { usage: { cache_creation_input_tokens: 900, cache_creation: other } } };
  return `${answer}\n${JSON.stringify(spoof)}\n{"cache_creation": torn\n`;
}

describe("the line", () => {
  it("is lowered as soon as carrying the old exchanges has cost what the rewriting costs, and not before", async () => {
    const fake = createFakeClient();
    const live = await openLive(fake.client, fake.machine);
    const verdicts: (CollapseVerdict | undefined)[] = [];
    for (let index = 0; index < 60 && !verdicts.at(-1)?.isDue; index++) {
      step(live, index, 6_000, 20_000 + index * 2_000);
      verdicts.push(await setLine(fake.client, live, soon(index)));
      expect(fake.env.has(WINDOW)).toBe(verdicts.at(-1)?.isDue);
    }
    const [before, due] = verdicts.slice(-2);
    expect(due).toMatchObject({ isDue: true, why: "paid" });
    expect(due?.carriedUnits).toBeGreaterThanOrEqual(due?.costUnits ?? 0);
    expect(before).toMatchObject({ isDue: false, why: "tooEarly" });
    const waited = verdicts.filter((verdict) => verdict?.why === "notYet").at(-1);
    expect(waited?.carriedUnits).toBeLessThan(waited?.costUnits ?? 0);
    expect(verdicts.slice(0, 11).map((verdict) => verdict?.why)).toEqual(Array(10).fill("tooLittle").concat("notYet"));
  });

  it("counts as many recalls as the person's own sessions have needed, once there are ten compactions", async () => {
    const decide = async (recalls: number): Promise<number | undefined> => {
      const fake = createFakeClient();
      const projects = { "/another/project": { compactions: 10, recalls } };
      fake.files.set(`${fake.home}/.claude/data/plimsoll/recalls.json`, JSON.stringify({ projects }));
      const live = await worked(fake, 30);
      const carried = describeCarried(live, soon(30));
      expect(carried?.occasion.recallsPerCompaction).toBe(recalls / 10);
      return carried && weighPrice(carried, settingsOf(live))?.costUnits;
    };
    expect(await decide(470)).toBeGreaterThan(2 * ((await decide(0)) ?? Number.POSITIVE_INFINITY));
  });

  it("weighs by what a subscription was seen to count, where that is to be saved, and every token alike until then", async () => {
    const costs = async (given: JsonObject, learned?: JsonObject): Promise<number | undefined> => {
      const fake = settings(given);
      if (learned) fake.files.set(`${fake.home}/.claude/data/plimsoll/weights.json`, JSON.stringify(learned));
      const live = await worked(fake, 30);
      const carried = describeCarried(live, soon(30));
      return carried && weighPrice(carried, settingsOf(live))?.costUnits;
    };
    const sure = { isSure: true, weights: { read: 0.5, write: 1, output: 4 } };
    const [dollars = 0, alike = 0, learned = 0] = [
      await costs({}),
      await costs({ objective: "tokens" }),
      await costs({ objective: "tokens" }, sure),
    ];
    expect(new Set([dollars, alike, learned]).size).toBe(3);
    expect(await costs({}, sure)).toBe(dollars);
    expect(await costs({ objective: "tokens" }, { ...sure, isSure: false })).toBe(alike);
  });

  it("[R192] saves what a limit counts while the account is near it, where readings have shown what that is", async () => {
    const costs = async (usedPercent: number, isSure: boolean): Promise<number | undefined> => {
      const fake = settings({});
      const weights = { isSure, weights: { read: 0.5, write: 1, output: 4 } };
      fake.files.set(`${fake.home}/.claude/data/plimsoll/weights.json`, JSON.stringify(weights));
      const live = await worked(fake, 30);
      live.limits = parseEngineLimits({ rateLimits: [{ kind: "five_hour", percentUsed: usedPercent }] });
      const carried = describeCarried(live, soon(30));
      return carried && weighPrice(carried, settingsOf(live))?.costUnits;
    };
    const far = await costs(69, true);
    expect(await costs(70, true)).not.toBe(far);
    expect(await costs(95, false)).toBe(far);
  });

  it("is lowered later for the cautious than for the balanced", async () => {
    const due = async (policy: string): Promise<boolean | undefined> => {
      const fake = settings({ policy });
      return (await setLine(fake.client, await worked(fake, 30), soon(30)))?.isDue;
    };
    expect([await due("thrifty"), await due("balanced"), await due("cautious")]).toEqual([true, true, false]);
  });

  it("lies below what the window holds, so that the next request brings a compaction about", async () => {
    const fake = createFakeClient();
    expect(await setLine(fake.client, await worked(fake, 40), soon(40))).toMatchObject({ isDue: true });
    expect([fake.env.get(WINDOW), fake.env.get(PERCENT)]).toEqual(["100000", "80"]);
  });

  it("lies a tenth below the load where that is less than the most that can be set", async () => {
    const fake = createFakeClient();
    const live = await worked(fake, 40, 6_000, 60_000);
    expect(await setLine(fake.client, live, soon(40))).toMatchObject({ isDue: true });
    const share = Number(fake.env.get(PERCENT)) / 100;
    expect(share * 80_000).toBeLessThanOrEqual((live.watch.contextTokens() ?? 0) * 0.9);
    expect(share * 80_000).toBeGreaterThan((live.watch.contextTokens() ?? 0) * 0.88);
  });

  it.each([
    [undefined, undefined],
    ["180000", "92"],
    ["180000", undefined],
  ])("is put back to the person's own %j and %j", async (window, percent) => {
    const fake = createFakeClient();
    if (window !== undefined) fake.env.set(WINDOW, window);
    if (percent !== undefined) fake.env.set(PERCENT, percent);
    const live = await worked(fake, 40);
    await setLine(fake.client, live, soon(40));
    expect(fake.env.get(WINDOW)).toBe("100000");
    raise(fake.client, live);
    expect([fake.env.get(WINDOW), fake.env.get(PERCENT)]).toEqual([window, percent]);
  });

  it("is not touched where it was never lowered, whatever the person changes meanwhile", async () => {
    const fake = createFakeClient();
    const live = await worked(fake, 6);
    fake.env.set(WINDOW, "150000");
    expect(await setLine(fake.client, live, soon(6))).toMatchObject({ isDue: false, why: "tooLittle" });
    raise(fake.client, live);
    expect(fake.env.get(WINDOW)).toBe("150000");
    expect(fake.env.has(PERCENT)).toBe(false);
  });

  it("is raised again by the next look that finds nothing due", async () => {
    const fake = createFakeClient();
    const live = await worked(fake, 40);
    expect(await setLine(fake.client, live, soon(40))).toMatchObject({ isDue: true });
    live.watch.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
    expect(await setLine(fake.client, live, soon(40))).toMatchObject({ isDue: false });
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it.each([{ compaction: "native" }, { early: false }])("stays where it is with the setting %j", async (given) => {
    const fake = settings(given);
    expect(await setLine(fake.client, await worked(fake, 40), soon(40))).toBeUndefined();
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it("stays where it is while no load is known", async () => {
    const fake = createFakeClient();
    expect(await setLine(fake.client, await openLive(fake.client, fake.machine), soon(1))).toBeUndefined();
    expect(fake.env.has(WINDOW)).toBe(false);
  });

  it.each([
    ["5m", "", 4, "notYet"],
    ["5m", "", 6, "cold"],
    ["5m", "1", 6, "cold"],
    ["1h", "", 6, "notYet"],
    ["1h", "", 59, "notYet"],
    ["1h", "1", 59, "notYet"],
    ["1h", "", 61, "cold"],
    ["", "", 4, "notYet"],
    ["", "", 6, "notYet"],
    ["", "", 61, "cold"],
  ])(
    "where the answers wrote for %j and the variable says %j, finds %d minutes later: %s",
    async (life, hour, minutes, why) => {
      const fake = createFakeClient();
      fake.env.set("ENABLE_PROMPT_CACHING_1H", hour);
      const live = await worked(fake, 17);
      if (life !== "") fake.files.set(live.transcript, answerWith(life));
      const nowMs = START + (16 + minutes) * MINUTE;
      const brought = await steer(fake.client, live, { nowMs, isPrompt: true });
      const carried = describeCarried(live, nowMs);
      expect(carried && weighPrice(carried, settingsOf(live))).toMatchObject(
        why === "cold" ? { why, isDue: true } : { isDue: false },
      );
      expect([brought !== "", fake.env.has(WINDOW)]).toEqual([why === "cold", why === "cold"]);
    },
  );

  it.each([
    [{ CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m", CLAUDE_CODE_PROMPT_CACHE_TTL: "1h" }, {}, "cold"],
    [{ CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m" }, { promptCacheTtl: "1h" }, "cold"],
    [{}, { promptCacheTtl: "5m" }, "cold"],
    [{ ENABLE_PROMPT_CACHING_1H: "1" }, { promptCacheTtl: "5m" }, "cold"],
    [{ FORCE_PROMPT_CACHING_5M: "1", CLAUDE_CODE_PROMPT_CACHE_TTL: "1h" }, {}, "cold"],
    [{ CLAUDE_CODE_PROMPT_CACHE_TTL: "1h" }, { promptCacheTtl: "5m" }, "notYet"],
    [{ CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "1h" }, { promptCacheTtl: "5m" }, "cold"],
    [{ FORCE_PROMPT_CACHING_5M: "0" }, { promptCacheTtl: "1h" }, "notYet"],
  ])("with the variables %j and the settings %j, finds six minutes later: %s", async (variables, client, why) => {
    const fake = createFakeClient();
    for (const [name, value] of Object.entries(variables)) fake.env.set(name, value);
    fake.files.set(`${fake.home}/.claude/settings.json`, JSON.stringify(client));
    const live = await worked(fake, 17);
    // The first answer writes the base, too: what is set goes before what it looks like.
    fake.files.set(live.transcript, answerWith(why === "cold" ? "1h" : "5m"));
    const brought = await steer(fake.client, live, { nowMs: START + 22 * MINUTE, isPrompt: true });
    expect(brought !== "").toBe(why === "cold");
  });

  it("asks for more to have been carried where what is written for an hour costs twice the input", async () => {
    const costs = async (hour: string): Promise<number> => {
      const fake = createFakeClient();
      fake.env.set("ENABLE_PROMPT_CACHING_1H", hour);
      return (await setLine(fake.client, await worked(fake, 20), soon(20)))?.costUnits ?? 0;
    };
    expect(await costs("1")).toBeGreaterThan(await costs(""));
  });
});

describe("a line of one's own", () => {
  const steerAt = (fake: FakeClient, live: Live, steps: number): Promise<string> =>
    steer(fake.client, live, { nowMs: soon(steps), isPrompt: false });

  it.each(["price", "off", "remind", "ask"])(
    "brings a compaction about when the load reaches it, early: %j",
    async (early) => {
      const fake = settings({ line: "90k", early });
      const live = await worked(fake, 7, 30_000, 89_000);
      expect(lookDue(live, soon(7))?.kind).not.toBe("line");
      step(live, 7, 6, 91_000);
      expect(await steerAt(fake, live, 8)).toBe("your line of 90.0k is reached");
      expect(fake.env.get(WINDOW)).toBe("100000");
    },
  );

  it("is heeded in a window of a million, where nothing else is near", async () => {
    const fake = settings({ line: 200_000, early: "off" });
    const live = await worked(fake, 40, 30_000, 205_000);
    expect(live.watch.health().windowTokens).toBeGreaterThan(900_000);
    expect(live.watch.health()).toMatchObject({ compactionPointTokens: 200_000, level: "RED" });
    expect(await steerAt(fake, live, 40)).toContain("your line of 200k");
    expect(Number(fake.env.get(PERCENT))).toBeLessThanOrEqual(80);
  });

  it("that lies below what must stay is named once, and nothing is compacted again and again", async () => {
    const fake = settings({ line: 40_000, early: "off" });
    const live = await worked(fake, 4, 60_000, 70_000);
    for (let look = 0; look < 5; look++) expect(await steerAt(fake, live, 4)).toBe("");
    expect(fake.env.has(WINDOW)).toBe(false);
    expect(fake.logs).toEqual([
      expect.stringMatching(/^not compacting: about \S+ tokens must stay, too many for your line of 40.0k\. /),
    ]);
  });

  it("waits four requests after a compaction: the client ends a turn that compacts again and again", async () => {
    const fake = settings({ line: 60_000, early: "off" });
    const live = await worked(fake, 12, 6_000, 70_000);
    restSteering(live);
    const whys: string[] = [];
    for (let index = 12; index < 17; index++) {
      step(live, index, 6, 70_000 + index);
      whys.push(await steerAt(fake, live, index));
    }
    expect(whys).toEqual(["", "", "", expect.stringContaining("60.0k"), expect.stringContaining("60.0k")]);
  });
});

describe("what is done when a compaction pays", () => {
  const look = (fake: FakeClient, live: Live, isPrompt: boolean): Promise<string> =>
    steer(fake.client, live, { nowMs: soon(40), isPrompt });

  it("remind: says so once, does nothing, and says it again after the next compaction", async () => {
    const fake = settings({ early: "remind" });
    const live = await worked(fake, 40);
    for (const isPrompt of [false, true, false]) expect(await look(fake, live, isPrompt)).toBe("");
    expect(fake.env.has(WINDOW)).toBe(false);
    expect(fake.logs).toEqual([
      expect.stringMatching(/^a compaction would pay off now at 120k tokens: .* · run \/compact/),
    ]);
    restSteering(live);
    await look(fake, live, false);
    expect(fake.logs).toHaveLength(2);
  });

  it("ask: asks when the person has spoken, never in the middle of a turn, and does what they choose", async () => {
    const fake = settings({ early: "ask" });
    fake.session.choice = "Compact now";
    const live = await worked(fake, 40);
    expect(await look(fake, live, false)).toBe("");
    expect(fake.asked).toEqual([]);
    expect(fake.logs).toEqual([expect.stringContaining("asked at your next prompt")]);
    expect(await look(fake, live, true)).toContain("has cost as much");
    expect(fake.asked).toEqual([
      expect.stringMatching(/^Compact now at 120k tokens, before this prompt is answered\? Reason: resending/),
    ]);
    expect(fake.env.get(WINDOW)).toBe("100000");
  });

  it.each(["Not now", "something typed"])(
    "ask: takes %j for a no, and asks again only after the next compaction",
    async (choice) => {
      const fake = settings({ early: "ask" });
      fake.session.choice = choice;
      const live = await worked(fake, 40);
      for (let times = 0; times < 3; times++) expect(await look(fake, live, true)).toBe("");
      expect(fake.asked).toHaveLength(1);
      expect(fake.env.has(WINDOW)).toBe(false);
      restSteering(live);
      await look(fake, live, true);
      expect(fake.asked).toHaveLength(2);
    },
  );

  it("ask: never again in this session, if the person says so", async () => {
    const fake = settings({ early: "ask" });
    fake.session.choice = "Not in this session";
    const live = await worked(fake, 40);
    await look(fake, live, true);
    restSteering(live);
    expect(await look(fake, live, true)).toBe("");
    expect(fake.asked).toHaveLength(1);
  });

  it("ask: says it instead where nobody can be asked", async () => {
    const fake = settings({ early: "ask" });
    const live = await worked(fake, 40);
    expect(await look(fake, live, true)).toBe("");
    expect(fake.logs).toEqual([expect.stringContaining("run /compact")]);
  });
});

describe("the model says that a piece of work is done", () => {
  it("and the window is compacted before the next request where that pays soon, once", async () => {
    const fake = settings({});
    const live = await worked(fake, 14, 12_000);
    expect(hearDone(fake.client, live)).toBe("The window is compacted before your next request. Go on.");
    const why = await steer(fake.client, live, { nowMs: soon(14), isPrompt: false });
    expect(why).toMatch(/^a piece of work is done, and compacting pays for itself within \d requests$/);
    expect(fake.env.get(WINDOW)).toBe("100000");
    restSteering(live);
    expect(hearDone(fake.client, live)).toContain("Not compacted: the last compaction was 0 requests ago");
  });

  it.each([
    [{}, 5, "more requests to pay for rewriting the cache"],
    [{ early: "off" }, 14, "your settings leave that to the client"],
    [{ mayAsk: false }, 14, "your settings leave that to the client"],
  ])("and is told why not, as the person is: %j after %d steps", async (given, steps, why) => {
    const fake = settings(given);
    const live = await worked(fake, steps, 12_000);
    expect(hearDone(fake.client, live)).toContain(why);
    expect(fake.logs).toEqual([expect.stringContaining(why)]);
    expect(live.steering.asked).toBeUndefined();
  });

  it("and the person is reminded where they compact by themselves", async () => {
    const fake = settings({ early: "remind" });
    const live = await worked(fake, 14, 12_000);
    expect(hearDone(fake.client, live)).toBe("The user was told. Go on.");
    expect(fake.logs).toEqual([expect.stringContaining("run /compact")]);
  });

  it("and no third compaction follows two that only had the same looked up again, which the person is told once", async () => {
    const fake = settings({});
    const live = await worked(fake, 14, 12_000);
    const subjects = live.watch.happened().trail.calls.map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(14);
    // The same calls once more after each of two compactions.
    for (let round = 1; round <= 2; round++) {
      restSteering(live);
      for (let index = 0; index < 14; index++) stepAgain(live, 14 * round + index, index);
    }
    expect(hearDone(fake.client, live)).toContain("Not compacted");
    expect(await steer(fake.client, live, { nowMs: soon(60), isPrompt: false })).toBe("");
    expect(fake.logs.filter((line) => line.startsWith("no more early compactions in this session"))).toHaveLength(1);
  });
});

describe("the reason of a compaction in words", () => {
  const verdict = { gainTokens: 23_400, carriedUnits: 9, costUnits: 8, breakEvenRequests: 4 } as const;

  it("names what is won, where the cache is cold and where carrying has cost enough", () => {
    expect(renderVerdict({ ...verdict, isDue: true, why: "cold" })).toBe(
      "the cache has expired, so compacting now saves writing and resending 23k tokens",
    );
    expect(renderVerdict({ ...verdict, isDue: true, why: "paid" })).toBe(
      "resending 23k tokens of old messages has cost as much as rewriting the cache would",
    );
  });
});
