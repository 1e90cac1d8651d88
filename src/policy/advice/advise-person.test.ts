/** If red: a person is advised to do what does not pay, or does not hear what would. */
import { describe, expect, it } from "vitest";
import { advisePerson, adviseUnused, type PersonSituation, type UnusedSaving } from "./advise-person.ts";

const HOUR_MS = 3_600_000;

const CALM: PersonSituation = {
  commands: { compact: "/compact", anew: "/clear" },
  health: { level: "GREEN", usedTokens: 40_000, compactionPointTokens: 160_000, requestsToLine: 30 },
  idleMs: 60_000,
  cacheLifeMs: 5 * 60_000,
  quote: (savedTokens) => ({
    tokens: 40_000,
    goingOnUsd: 0.25,
    compactedUsd: savedTokens > 0 ? (0.25 * (40_000 - savedTokens)) / 40_000 : undefined,
  }),
  installed: "module",
  unused: undefined,
  paidTwice: undefined,
  compaction: () => ({ savedTokens: 20_000, netUsd: 0.15, requests: 20, isDue: false }),
};

const full = (level: PersonSituation["health"]["level"], usedTokens: number): PersonSituation => ({
  ...CALM,
  health: { ...CALM.health, level, usedTokens },
});

function createUnused(savedUsd: number): UnusedSaving {
  return { savedUsd, days: "last 30 days", how: "Installed in the agent", command: "plimsoll install" };
}

describe("what a person is advised", () => {
  it("is nothing where nothing is to be done, with what is left", () => {
    expect(advisePerson(CALM)).toEqual({
      sentence:
        "Nothing to do: the window is at 25 % of its compaction point, and the agent compacts in about 30 requests.",
      command: undefined,
      place: undefined,
      savesUsd: undefined,
    });
  });

  it("is a rule of thumb where only tool calls are known, and no share of anything", () => {
    const unmeasured = (level: PersonSituation["health"]["level"]): PersonSituation => ({
      ...CALM,
      commands: { compact: "/shrink", anew: "/anew" },
      health: { ...CALM.health, level, usedTokens: undefined },
      idleMs: undefined,
    });
    expect(advisePerson(unmeasured("GREEN"))).toMatchObject({
      sentence:
        "Nothing to do yet: how full the window is has not been recorded, and there were too few tool calls to worry about.",
      command: undefined,
    });
    expect(advisePerson(unmeasured("RED"))).toMatchObject({
      sentence:
        "How full the window is has not been recorded, but the number of tool calls suggests that it is nearly full: compact at the next finished step.",
      command: "/shrink",
    });
  });

  it("is to compact what finished work costs, as soon as that pays", () => {
    const due = { savedTokens: 20_000, netUsd: 0.15, requests: 20, isDue: true };
    expect(advisePerson({ ...CALM, compaction: () => due })).toMatchObject({
      sentence:
        "20.0k tokens of every request are old work. Compact now (20.0k tokens less in every request, saving about $0.15 over the next 20 requests).",
      command: "/compact",
      savesUsd: 0.15,
    });
    expect(advisePerson({ ...CALM, compaction: () => ({ ...due, netUsd: 0.001 }) }).command).toBeUndefined();
  });

  it.each([
    ["RED", 158_000, "The window is at 99 % of its compaction point: compact now"],
    ["ORANGE", 136_000, "The window is at 85 % of its compaction point: compact at the next finished step"],
  ] as const)("is to compact at %s", (level, tokens, words) => {
    const { sentence, command } = advisePerson(full(level, tokens));
    expect(sentence).toContain(words);
    expect(command).toBe("/compact");
  });

  it("tells what a compaction saves only where Plimsoll is the one who compacts", () => {
    const compaction = () => ({ savedTokens: 120_000, netUsd: 0.5, requests: 20, isDue: true });
    const red = { ...full("RED", 158_000), compaction };
    expect(advisePerson(red)).toMatchObject({
      sentence: expect.stringContaining(
        "compact now (120k tokens less in every request, saving about $0.50 over the next 20 requests).",
      ),
      savesUsd: 0.5,
    });
    expect(advisePerson({ ...red, installed: "nothing" })).toEqual({
      sentence:
        "The window is at 99 % of its compaction point: compact now. With Plimsoll installed, this would need no model (120k tokens less in every request, saving about $0.50 over the next 20 requests).",
      command: "/compact",
      place: "client",
      savesUsd: undefined,
      isUrgent: true,
    });
    const planned = () => {
      throw new Error("nobody tells it");
    };
    for (const installed of ["hooks", "elsewhere"] as const)
      expect(advisePerson({ ...red, installed, compaction: planned })).toMatchObject({
        sentence: "The window is at 99 % of its compaction point: compact now.",
        savesUsd: undefined,
      });
  });

  it("is to install where a compaction by Plimsoll would pay and the client's own is not known to", () => {
    const compaction = () => ({ savedTokens: 20_000, netUsd: 0.15, requests: 20, isDue: true });
    // Unlike after a break, cents are enough: no new session saves them, and the quick start shows it.
    expect(advisePerson({ ...CALM, compaction, installed: "nothing" })).toEqual({
      sentence:
        "20.0k tokens of every request are old work. Installed, Plimsoll compacts them when you resume the session, and saves about $0.15 over your next 20 requests.",
      command: "plimsoll install",
      place: "shell",
      savesUsd: 0.15,
    });
    expect(advisePerson({ ...CALM, compaction, installed: "hooks" }).command).toBeUndefined();
  });

  it("tells no dollars of a model that has no price", () => {
    const compaction = () => ({ savedTokens: 20_000, netUsd: undefined, requests: 20, isDue: true });
    const { sentence, savesUsd } = advisePerson({ ...full("RED", 158_000), compaction });
    expect(sentence).not.toContain("$");
    expect(savesUsd).toBeUndefined();
  });

  it("says what a pause has cost also where nothing can be compacted", () => {
    const { sentence, command } = advisePerson({ ...CALM, idleMs: HOUR_MS, compaction: () => undefined });
    expect(sentence).toBe(
      "The last request was 60 minutes ago, and 40.0k tokens are no longer cached: going on costs about $0.25; a new session pays for its system prompt and tools alone.",
    );
    expect(command).toBe("/clear");
  });

  it("says what a pause has cost before it is paid, and what a compaction takes off it", () => {
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS })).toEqual({
      sentence:
        "The last request was 60 minutes ago, and 40.0k tokens are no longer cached: going on costs about $0.25, compacted first $0.13.",
      command: "/compact",
      place: "client",
      savesUsd: 0.125,
    });
  });

  it("is to install for the dollars of the last days, not for the cents of a session after a break", () => {
    const unused = createUnused(120);
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS, installed: "nothing", unused })).toMatchObject({
      sentence: expect.stringMatching(
        / Installed in the agent, Plimsoll would have saved about \$120\.00 in your last 30 days\.$/,
      ),
      command: "plimsoll install",
      savesUsd: 120,
    });
  });

  it("is not to compact with the client's own hands where that sends what it is to save", () => {
    const quote = () => ({ tokens: 412_000, goingOnUsd: 3.3, compactedUsd: 0.3 });
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS, installed: "nothing", quote })).toEqual({
      sentence:
        "The last request was 60 minutes ago, and 412k tokens are no longer cached: going on costs about $3.30, compacted first $0.30 with Plimsoll.",
      command: "plimsoll install",
      place: "shell",
      savesUsd: 3,
    });
    // Twelve cents are no reason to install.
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS, installed: "nothing" }).command).toBe("/clear");
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS, installed: "hooks" }).command).toBe("/clear");
    expect(advisePerson({ ...CALM, idleMs: HOUR_MS, installed: "elsewhere" }).command).toBe("/clear");
  });

  it("is to begin anew where a session has lain for days", () => {
    expect(advisePerson({ ...CALM, idleMs: 72 * HOUR_MS })).toMatchObject({ command: "/clear", savesUsd: 0.25 });
  });

  it("is nothing in a session that nobody goes on with", () => {
    expect(advisePerson({ ...CALM, idleMs: 240 * 24 * HOUR_MS })).toMatchObject({
      sentence: "The last request was 240 days ago: nothing to do in the agent.",
      command: undefined,
    });
  });

  it("is to change what was paid twice, where no session wants anything", () => {
    const paidTwice = {
      again: { usd: 90.984, isAtLeast: false },
      afterBreaksUsd: 27.97,
      all: { usd: 474.41, isAtLeast: false },
      days: "last 30 days",
      command: "plimsoll stats --sort pauses",
      causes: "plimsoll stats",
    };
    const idleMs = 240 * 24 * HOUR_MS;
    expect(advisePerson({ ...CALM, idleMs, paidTwice })).toEqual({
      sentence:
        "$90.98 of $474.41 (19 %) in your last 30 days went to rebuilding the prompt cache, $27.97 of it after long breaks. After a break, start a new session (/clear) instead of going on in a large one.",
      command: "plimsoll stats --sort pauses",
      place: "shell",
      savesUsd: undefined,
    });
    // A table of breaks would show zeros, and what the other causes were only the list of them says.
    const other = { ...paidTwice, afterBreaksUsd: 0 };
    expect(advisePerson({ ...CALM, idleMs, paidTwice: other })).toMatchObject({
      sentence: expect.stringMatching(/prompt cache\. See what caused it\.$/),
      command: "plimsoll stats",
    });
    const little = { ...other, again: { usd: 4.92, isAtLeast: false } };
    expect(advisePerson({ ...CALM, idleMs, paidTwice: little }).command).toBeUndefined();
    const missing = { usd: 474.41, isAtLeast: true };
    expect(advisePerson({ ...CALM, idleMs, paidTwice: { ...paidTwice, all: missing } }).sentence).toContain(
      "$90.98 of at least $474.41 in your last 30 days went",
    );
    const again = { usd: 90.984, isAtLeast: true };
    expect(advisePerson({ ...CALM, idleMs, paidTwice: { ...paidTwice, again, all: missing } }).sentence).toMatch(
      /^At least \$90\.98 of at least \$474\.41 /,
    );
    const unused = createUnused(120);
    expect(advisePerson({ ...CALM, idleMs, paidTwice, unused }).command).toBe("plimsoll install");
    expect(
      advisePerson({ ...CALM, idleMs, paidTwice: { ...paidTwice, again: { usd: 0.4, isAtLeast: false } } }).command,
    ).toBeUndefined();
    expect(advisePerson({ ...CALM, paidTwice }).command).toBeUndefined();
  });

  it("is to resume the session where Plimsoll is installed and does not run in it yet: its /compact would be the agent's own", () => {
    const due = () => ({ savedTokens: 90_000, netUsd: 4.48, requests: 20, isDue: true });
    const reload = "claude --resume 1a2b";
    const running = { ...CALM, installed: "module", compaction: due } as const;
    expect(advisePerson(running)).toMatchObject({ command: "/compact", place: "client" });
    expect(advisePerson({ ...running, reload })).toMatchObject({
      ...{ command: reload, place: "shell", savesUsd: 4.48 },
      sentence: expect.stringContaining("Plimsoll does not run in this session yet"),
    });
    expect(advisePerson({ ...running, installed: "nothing" }).sentence).toContain("when you resume the session");
    const full90 = { ...full("RED", 158_000), installed: "module", compaction: due, reload } as const;
    expect(advisePerson(full90)).toMatchObject({ command: "/compact", savesUsd: undefined, isUrgent: true });
    // After a break, too.
    const quote = (saved: number) => ({ tokens: 400_000, goingOnUsd: 3.3, compactedUsd: saved > 0 ? 0.25 : undefined });
    const cold = {
      ...running,
      idleMs: 2 * HOUR_MS,
      quote,
    };
    expect(advisePerson(cold).command).toBe("/compact");
    expect(advisePerson({ ...cold, reload }).sentence).not.toContain("compacted first");
    expect(advisePerson(full90).sentence).not.toContain("saving about");
  });

  it("is to install what would have saved money, where nothing in the session is urgent", () => {
    const unused = createUnused(120);
    expect(advisePerson({ ...CALM, unused })).toMatchObject({ command: "plimsoll install", place: "shell" });
    expect(advisePerson({ ...CALM, idleMs: 72 * HOUR_MS, unused }).sentence).toMatch(
      /^The last request was 3 days ago.*\. Installed in the agent, Plimsoll would have saved about \$120\.00 in your last 30 days\.$/,
    );
    // It does nothing for this session, whoever else it would save money.
    const gateway = { ...unused, how: "Through its gateway", command: "plimsoll run -- codex" } as const;
    expect(advisePerson({ ...CALM, unused: gateway }).command).toBeUndefined();
    expect(adviseUnused(gateway)).toEqual({
      ...{ command: "plimsoll run -- codex", place: "shell", savesUsd: 120 },
      sentence: "Through its gateway, Plimsoll would have saved about $120.00 in your last 30 days.",
    });
    expect(advisePerson({ ...full("RED", 158_000), unused }).command).toBe("/compact");
    expect(advisePerson({ ...CALM, unused: createUnused(0.5) }).command).toBeUndefined();
  });
});
