/** If red: the totals, intervals or order of policies in a replay are wrong. */
import { describe, expect, it } from "vitest";
import { chooseLife } from "./compare-lives.ts";
import type { WalkedSession } from "./outcome.ts";
import { emptyOutcome, type ReplayOutcome, toWalk } from "./outcome.ts";
import { createReport } from "./report.ts";

function walk(more: Partial<ReplayOutcome>) {
  return toWalk({ ...emptyOutcome("any"), ...more });
}

type Walks = Readonly<Record<string, Partial<ReplayOutcome>>>;

function session(name: string, walks: Walks, more: Partial<WalkedSession> = {}): WalkedSession {
  const reported = new Map(Object.entries(walks).map(([policy, outcome]) => [policy, walk(outcome)]));
  const whose = { repository: name, client: "Claude Code", recordedUsd: 0 };
  return { name, ...whose, windowTokens: 200_000, steps: 100, walks: reported, ...more };
}

const tally = (retained: number, recoverable: number, lost: number) => ({ retained, recoverable, lost });
const policies = [
  { name: "native", about: "the agent" },
  { name: "other", about: "another" },
];
const sessions = [
  session("a", {
    native: {
      sendUsd: 10,
      tokensSent: 1000,
      peakTokens: 500,
      hot: tally(9, 0, 1),
      cold: tally(6, 2, 2),
      planMs: [1, 1],
    },
    other: {
      sendUsd: 4,
      recoveryUsd: 1,
      rereadUsd: 2,
      tokensSent: 400,
      peakTokens: 300,
      fatal: 1,
      cold: tally(1, 1, 0),
    },
  }),
  session("b", {
    native: {
      sendUsd: 30,
      tokensSent: 3000,
      peakTokens: 900,
      hot: tally(10, 0, 0),
      cold: tally(10, 0, 0),
      planMs: [9],
    },
    other: { sendUsd: 33, tokensSent: 100, peakTokens: 200, fatal: 5, cold: tally(0, 0, 7), isWordless: true },
  }),
];

describe("the report", () => {
  const report = createReport({ sessions, policies, minSteps: 60, leftOut: [{ name: "c", why: "one request only" }] });
  const find = (name: string) => report.policies.find((policy) => policy.name === name);

  it("compares a row with the row that it names", () => {
    const extras = [...policies, { name: "other+dear", about: "at other prices", beside: "other" }];
    const walks = { native: { sendUsd: 10 }, other: { sendUsd: 5 }, "other+dear": { sendUsd: 4 } };
    const reported = createReport({ sessions: [session("a", walks)], policies: extras, minSteps: 60, leftOut: [] });
    const [cheapest] = reported.policies;
    expect([cheapest?.name, cheapest?.relative.netUsd]).toEqual(["other+dear", 0.8]);
    expect(reported.groups[0]?.policies[0]?.relative.worst?.netUsd).toBe(0.8);
    expect(reported.sessions[0]?.policies.map(({ relativeNetUsd }) => relativeNetUsd)).toEqual([1, 0.5, 0.8]);
  });

  it("adds up dollars and tokens, and takes the largest peak", () => {
    expect(find("native")).toMatchObject({ netUsd: 40, sendUsd: 40, tokensSent: 4000, peakTokens: 900 });
    expect(find("other")).toMatchObject({
      netUsd: 40,
      sendUsd: 37,
      recoveryUsd: 1,
      rereadUsd: 2,
      tokensSent: 500,
      peakTokens: 300,
    });
  });

  it("tells need as shares of all that was needed", () => {
    expect(find("native")).toMatchObject({
      hotRetained: 0.95,
      hotLost: 0.05,
      coldRetained: 0.8,
      coldRecoverable: 0.1,
      coldLost: 0.1,
    });
    expect(find("native")?.editLineRecall).toBeUndefined();
  });

  it("counts no need of a session whose summary nobody recorded, though its price", () => {
    expect(find("other")).toMatchObject({
      wordlessSessions: 1,
      coldRetained: 0.5,
      coldRecoverable: 0.5,
      coldLost: 0,
      fatal: 1,
    });
    expect(report.sessions[1]?.policies[1]).toMatchObject({
      isWordless: true,
      netUsd: 33,
      coldLost: undefined,
      fatal: undefined,
    });
  });

  it("compares with native, in total and session by session", () => {
    expect(find("other")?.relative).toMatchObject({
      netUsd: 1,
      sendUsd: 37 / 40,
      tokensSent: 1 / 8,
      sessionMedian: 0.9,
      sessionP95: 1.1,
      worst: { name: "b", netUsd: 1.1 },
      dearerShare: 0.5,
    });
    expect(report.sessions.map(({ policies: [, other] }) => other?.relativeNetUsd)).toEqual([0.7, 1.1]);
  });

  it("puts an interval around every total, from the same draws for both sides of a ratio", () => {
    expect(find("native")?.intervals.netUsd).toEqual({ low: 20, high: 60 });
    expect(find("native")?.relative.netInterval).toEqual({ low: 1, high: 1 });
    expect(find("other")?.relative.netInterval).toEqual({ low: 0.7, high: 1.1 });
  });

  it("names the cheapest first, and what was left out", () => {
    const cheaper = createReport({ sessions: sessions.slice(0, 1), policies, minSteps: 60, leftOut: [] });
    expect(cheaper.policies.map(({ name }) => name)).toEqual(["other", "native"]);
    expect(report.leftOut).toEqual([{ name: "c", why: "one request only" }]);
    expect(report.steps).toBe(200);
  });

  it("tells the planning time of all requests together", () => {
    expect(find("native")?.planMsP95).toBeCloseTo(9, 0);
    expect(find("other")?.planMsP95).toBeUndefined();
  });

  it("says nothing of how sure a total is where all sessions are of one repository", () => {
    const alike = sessions.map((one) => ({ ...one, repository: "same" }));
    const [first] = createReport({ sessions: alike, policies, minSteps: 60, leftOut: [] }).policies;
    expect(first).toMatchObject({ intervals: {}, relative: { netInterval: undefined } });
  });

  it("tells windows of 200k and of 1M apart, and short sessions in no total but their own", () => {
    const usd = (native: number, other: number): Walks => ({ native: { sendUsd: native }, other: { sendUsd: other } });
    const mixed = [
      session("small", usd(10, 9)),
      session("large", usd(100, 50), { windowTokens: 1_000_000 }),
      session("short", usd(1, 1.2), { steps: 59 }),
    ];
    const {
      groups,
      policies: totals,
      ...rest
    } = createReport({ sessions: mixed, policies, minSteps: 60, leftOut: [] });
    const reported = groups.map((group) => {
      const other = group.policies.find(({ name }) => name === "other");
      return [group.name, group.sessions, group.repositories, group.requests, other?.netUsd, other?.relative.netUsd];
    });
    expect(reported).toEqual([
      ["all", 2, 2, 200, 59, 59 / 110],
      ["window200k", 1, 1, 100, 9, 0.9],
      ["window1m", 1, 1, 100, 50, 0.5],
      ["short", 1, 1, 59, 1.2, 1.2],
    ]);
    expect(totals.find(({ name }) => name === "other")?.netUsd).toBe(59);
    expect(rest.sessions.map(({ name }) => name)).toEqual(["small", "large"]);
    expect(rest.shortSessions.map(({ name }) => name)).toEqual(["short"]);
  });

  it("tells requests and tokens of every kind next to dollars", () => {
    const native = { sendUsd: 1, requests: 10, readTokens: 800, writtenTokens: 150, outputTokens: 50 };
    const other = { sendUsd: 1, requests: 12, readTokens: 300, writtenTokens: 150, outputTokens: 50 };
    const report = createReport({ sessions: [session("a", { native, other })], policies, minSteps: 60, leftOut: [] });
    const totals = report.policies.find(({ name }) => name === "other");
    expect(totals).toMatchObject({ requests: 12, tokens: 500, uncachedTokens: 200 });
    expect(totals?.relative).toMatchObject({ requests: 1.2, tokens: 0.5, uncachedTokens: 1 });
  });

  it("bounds what summaries in unknown words held: nothing, or what recorded ones held", () => {
    const unheard = { hot: tally(4, 0, 0), cold: tally(2, 0, 8), fatal: 4, usd: 20 };
    const recorded = session("a", { native: { sendUsd: 60, retold: { held: 3, missing: 1 } }, other: { sendUsd: 30 } });
    const wordless = session("b", { native: { sendUsd: 40 }, other: { sendUsd: 20, isWordless: true, unheard } });
    const { policies: totals, summaries } = createReport({
      sessions: [recorded, wordless],
      policies,
      minSteps: 60,
      leftOut: [],
    });
    expect(summaries).toEqual({ needs: 4, share: 0.75 });
    expect(totals.find(({ name }) => name === "native")?.bounds).toBeUndefined();
    expect(totals.find(({ name }) => name === "other")?.bounds).toEqual({
      heldNothing: { netUsd: 70, relativeNetUsd: 0.7, hotRetained: 1, coldRetained: 0.2, coldLost: 0.8, fatal: 4 },
      heldAsRecorded: { netUsd: 55, relativeNetUsd: 0.55, hotRetained: 1, coldRetained: 0.8, coldLost: 0.2, fatal: 1 },
    });
    const alone = createReport({ sessions: [wordless], policies, minSteps: 60, leftOut: [] }).policies[0];
    expect(alone?.bounds?.heldAsRecorded).toBeUndefined();
  });

  it("says nothing of no sessions", () => {
    const empty = createReport({ sessions: [], policies, minSteps: 60, leftOut: [] });
    expect(empty.policies[0]).toMatchObject({ netUsd: 0, relative: { netUsd: undefined }, intervals: {} });
  });
});

describe("cache lives that can be set", () => {
  const lived = (name: string, usd: readonly number[], more: Partial<ReplayOutcome> = {}) => {
    const names = ["plimsoll", "plimsoll@5m", "plimsoll@1h", "plimsoll@1h+5m"];
    return session(
      name,
      Object.fromEntries(
        names.map((policy, at) => [policy, { sendUsd: usd[at] ?? 0, writtenTokens: 100 / (at + 1), ...more }]),
      ),
    );
  };
  const report = (given: readonly WalkedSession[]) =>
    createReport({ sessions: given, policies, minSteps: 60, leftOut: [] }).cacheLives;

  it("are compared over sessions with breaks, short ones included, the cheapest first", () => {
    const three = ["a", "b", "c"].map((name) => lived(name, [10, 9, 12, 8], { pauses: 2 }));
    const reported = report([...three, { ...lived("d", [1, 1, 2, 1]), steps: 2 }]);
    expect(reported).toMatchObject({ sessions: 4, pauses: 6, recordedUsd: 31, shortUsd: 1 });
    expect(reported?.lives.map(({ life, usd, shortUsd }) => [life, usd, shortUsd])).toEqual([
      ["1h+5m", 25, 1],
      ["5m", 28, 1],
      ["1h", 38, 2],
    ]);
    expect(reported && chooseLife(reported)?.life).toBe("1h+5m");
  });

  it("are not told of where fewer than three sessions had a break, or where another client recorded them", () => {
    const two = ["a", "b"].map((name) => lived(name, [10, 9, 12, 8], { pauses: 2 }));
    expect(report([...two, lived("c", [10, 9, 12, 8])])).toBeUndefined();
    const other = { ...lived("c", [10, 9, 12, 8], { pauses: 2 }), client: "Codex" };
    expect(report([...two, other])).toBeUndefined();
  });

  it("are not proposed where short sessions would cost more, whatever the long ones save", () => {
    const long = ["a", "b", "c"].map((name) => lived(name, [10, 9, 12, 8], { pauses: 2 }));
    const short = (usd: number) => ({ ...lived("d", [1, 1, 2, usd]), steps: 2 });
    const [dear, cheap] = [1.03, 1.02].map((usd) => report([...long, short(usd)]));
    expect(dear && chooseLife(dear)).toBeUndefined();
    expect(cheap && chooseLife(cheap)?.life).toBe("1h+5m");
  });

  it("are not proposed to a subscription that would write more to the cache than the client alone", () => {
    const client = { sendUsd: 12, writtenTokens: 20 };
    const long = ["a", "b", "c"].map((name) => {
      const own = lived(name, [10, 9, 12, 8], { pauses: 2 });
      return { ...own, walks: new Map([...own.walks, ...session(name, { native: client }).walks]) };
    });
    const proposedTo = (isSubscription: boolean) =>
      createReport({ sessions: long, policies, minSteps: 60, leftOut: [], isSubscription }).installed;
    expect([false, true].map(proposedTo)).toEqual(["plimsoll@1h+5m", "plimsoll"]);
  });

  it("are what is installed, if they pay", () => {
    const long = ["a", "b", "c"].map((name) => lived(name, [10, 9, 12, 8], { pauses: 2 }));
    const reported = (sessions: readonly WalkedSession[]) =>
      createReport({ sessions, policies, minSteps: 60, leftOut: [] });
    expect(reported(long).installed).toBe("plimsoll@1h+5m");
    expect(reported(long.slice(1)).installed).toBe("plimsoll");
  });

  it("are not worth a change where what was recorded costs as much", () => {
    const reported = report(["a", "b", "c"].map((name) => lived(name, [10, 10, 12, 9.9], { pauses: 1 })));
    expect(reported && chooseLife(reported)).toBeUndefined();
  });
});
