/** If red: the page shows other costs than the command line, or does not notice sessions that change. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { writeHomes } from "../../../test/support/host-homes.ts";
import { moveToEnd } from "../../../test/support/move-to-end.ts";
import { answerPolicy, answerReplay } from "../../../test/support/replay-answer.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, createWriter, prompt, toFile, toolResult, toolUse } from "../../../test/support/transcript-lines.ts";
import { locateAll } from "../../hosts/catalogue.ts";
import { locateSession, SESSION_FILES } from "../../policy/actions/data-paths.ts";
import { type ActionDetail, renderAction } from "../../policy/actions/own-action.ts";
import { dropReplayProgress, keepLastReplay, keepReplayProgress } from "../../recorded/last-replay.ts";
import { nameKey } from "./catalogue.ts";
import { createEngine, type DashboardEngine, type EngineOptions } from "./engine.ts";
import type { SessionsList, SpendReport } from "./wire.ts";

const temporary = createTemporaryFolder();
const FIXTURES = path.resolve(import.meta.dirname, "../../../test/fixtures/claude-code/2.1.325");
const COMPACTED = readFileSync(path.join(FIXTURES, "compact-auto.jsonl"), "utf8");

function createHome() {
  const home = temporary.name("-home");
  const folder = path.join(home, ".claude", "projects", "-work-demo");
  mkdirSync(folder, { recursive: true });
  // At the start of a minute, so that none passes in a test that waits for seconds.
  let nowMs = Math.ceil(Date.now() / 60_000) * 60_000;
  let clockMs = 0;
  const roots = [path.join(home, ".claude", "projects")];
  const open = (options: Partial<EngineOptions> = {}): DashboardEngine =>
    createEngine({
      ...{ environment: { HOME: home }, directory: home, roots, accountsOnly: [], replay: undefined },
      nowMs: () => nowMs,
      clockMs: () => clockMs,
      ...options,
    });
  return {
    home,
    open,
    nowMs: () => nowMs,
    fileOf: (name: string) => path.join(folder, `${name}.jsonl`),
    /** As old as its last request, or as a copy is: of this moment, whatever is in it. */
    write: (name: string, text: string, { agoMs = 0, isCopied = false } = {}) => {
      const file = path.join(folder, `${name}.jsonl`);
      writeFileSync(file, isCopied ? text : moveToEnd(text, nowMs - agoMs));
      if (agoMs > 0) utimesSync(file, (nowMs - agoMs) / 1000, (nowMs - agoMs) / 1000);
    },
    wait: (ms: number) => {
      nowMs += ms;
      clockMs += ms;
    },
    setClock: (byMs: number) => {
      nowMs += byMs;
    },
    note: (session: string, ...actions: readonly ActionDetail[]) => {
      const place = locateSession(path.join(home, ".claude"), session) ?? "";
      mkdirSync(place, { recursive: true });
      const frame = { atMs: nowMs, door: "hook", event: "PostToolUse", client: "" } as const;
      appendFileSync(
        path.join(place, SESSION_FILES.hookActions),
        actions.map((action) => renderAction({ ...frame, ...action })).join(""),
      );
    },
  };
}

/** Lists what there is, then tells of what runs. */
function begin(engine: DashboardEngine) {
  engine.advance(0);
  return engine.advance(0);
}

/** Everything there is to do, however long it takes. */
function settle(engine: DashboardEngine) {
  for (let round = 0; round < 100; round++) {
    const advance = engine.advance(1000);
    if (!advance.hasMore) return advance;
  }
  throw new Error("the engine never settles");
}

const writeSession = (...more: readonly string[]): string => {
  const line = createWriter();
  return toFile([
    ...line(
      prompt("mend the pump"),
      answer("m1", [toolUse("t1", "Bash")], { cache_read_input_tokens: 20_000 }),
      toolResult("t1", "dry\n".repeat(40)),
      answer("m2", ["done"], { cache_read_input_tokens: 21_000 }),
    ),
    ...more,
  ]);
};

function readRows(answer: unknown): SessionsList {
  return JSON.parse(JSON.stringify(answer));
}

function readTotal(answer: unknown): SpendReport {
  return JSON.parse(JSON.stringify(answer));
}

describe("the engine", () => {
  it("knows all that the last run has learned before it reads anything", () => {
    const home = createHome();
    for (const name of ["a", "b", "c"]) home.write(name, writeSession(), { agoMs: 60_000 });
    const first = home.open();
    expect(first.advance(0).progress.phase).toBe("accounts");
    settle(first);
    first.save();
    const printed = JSON.stringify(first.ask({ view: "spend" }));
    const second = home.open();
    expect(second.advance(0)).toMatchObject({ progress: { phase: "ready" }, now: undefined });
    expect(JSON.stringify(second.ask({ view: "spend" }))).toBe(printed);
    home.write("b", writeSession(...writeSession().split("\n")), { agoMs: 30_000 });
    expect(home.open().advance(0).progress.phase).toBe("accounts");
  });

  it("tells the same dollars as the command stats", async () => {
    const home = createHome();
    home.write("a", writeSession());
    home.write("b", COMPACTED);
    home.write("c", COMPACTED);
    const engine = home.open();
    settle(engine);
    const printed = await runPlimsoll(["stats", "--json"], { environment: { HOME: home.home } });
    const { totals } = JSON.parse(printed.output);
    // The page adds up by days, so around midnight the last digit of a sum is another.
    const [totalUsd, cacheReadUsd] = [totals.totalUsd, totals.cacheReadUsd].map((usd) => expect.closeTo(usd, 9));
    expect(engine.ask({ view: "spend" })).toMatchObject({
      total: { requests: totals.requests, totalUsd, cacheReadUsd },
    });
  });

  it("goes on looking where the clock is set back", () => {
    const home = createHome();
    const engine = home.open();
    settle(engine);
    home.setClock(-3_600_000);
    home.write("a", writeSession());
    home.wait(3000);
    expect(settle(engine)).toMatchObject({ progress: { files: 1 } });
  });

  it("names a session by its person's first words where it has no title", () => {
    const home = createHome();
    home.write("a", writeSession());
    const engine = home.open();
    settle(engine);
    expect(engine.ask({ view: "sessions" })).toMatchObject({
      rows: [{ title: "mend the pump", requests: 2, isRunning: true }],
    });
  });

  it("tells of what runs before it reads the rest, and again only when that has changed", () => {
    const home = createHome();
    home.write("a", writeSession());
    const engine = home.open();
    expect(begin(engine).now?.sessions).toMatchObject([{ title: "mend the pump", isRunning: true, requests: 2 }]);
    settle(engine);
    // What to do about it follows, once.
    expect(engine.advance(0).now ?? engine.advance(0).now).toMatchObject({
      sessions: [{ advice: { sentence: expect.stringContaining("Nothing to do") } }],
    });
    home.wait(1000);
    expect(engine.advance(100).now).toBeUndefined();
    appendFileSync(
      home.fileOf("a"),
      toFile(createWriter()({ ...answer("m3", ["more"]), uuid: "l9", parentUuid: "l4" })),
    );
    home.wait(1000);
    expect(engine.advance(100).now?.sessions).toMatchObject([{ requests: 3 }]);
  });

  it("takes files that were just copied for what is in them, until one grows", () => {
    const home = createHome();
    const month = 30 * 86_400_000;
    home.write("spring", moveToEnd(writeSession(), home.nowMs() - 3 * month), { isCopied: true });
    home.write("summer", moveToEnd(COMPACTED, home.nowMs() - month), { isCopied: true });
    const engine = home.open();
    const first = begin(engine).now;
    expect(first?.sessions).toMatchObject([{ key: nameKey(home.fileOf("summer")), isRunning: false }]);
    settle(engine);
    appendFileSync(home.fileOf("spring"), `${writeSession()}\n`);
    home.wait(3000);
    expect(engine.advance(0).now?.sessions).toMatchObject([{ key: nameKey(home.fileOf("spring")), isRunning: true }]);
  });

  it("takes a file that appears for a session that runs, however old what is in it: a resumed one repeats that", () => {
    const home = createHome();
    home.write("spring", writeSession(), { agoMs: 86_400_000 });
    const engine = home.open();
    begin(engine);
    settle(engine);
    home.write("resumed", moveToEnd(COMPACTED, home.nowMs() - 30 * 86_400_000), { isCopied: true });
    home.wait(3000);
    engine.advance(0);
    settle(engine);
    home.wait(3000);
    const list = readRows(engine.ask({ view: "sessions" }));
    expect(list.rows.map(({ key, isRunning }) => [key, isRunning])).toContainEqual([
      nameKey(home.fileOf("resumed")),
      true,
    ]);
  });

  it("shows the newest session where none runs, and says so", () => {
    const home = createHome();
    home.write("old", writeSession(), { agoMs: 9 * 86_400_000 });
    home.write("older", COMPACTED, { agoMs: 90 * 86_400_000 });
    expect(begin(home.open()).now?.sessions).toMatchObject([{ title: "mend the pump", isRunning: false }]);
  });

  it("remembers what it has read, and reads again only what has changed", () => {
    const home = createHome();
    home.write("a", writeSession(), { agoMs: 3_600_000 });
    home.write("b", COMPACTED, { agoMs: 3_700_000 });
    const first = home.open();
    settle(first);
    const before = first.ask({ view: "spend" });
    const looked: string[] = [];
    home.wait(10_000);
    home.write("a", writeSession("{}"), { agoMs: 3_599_000 });
    const second = home.open({ onLook: (file) => looked.push(path.basename(file)) });
    settle(second);
    expect([...new Set(looked)]).toEqual(["a.jsonl"]);
    expect(second.ask({ view: "spend" })).toEqual(before);
  });

  it("forgets a file that went away", () => {
    const home = createHome();
    home.write("a", writeSession());
    home.write("b", COMPACTED);
    const engine = home.open();
    settle(engine);
    rmSync(home.fileOf("b"));
    home.wait(1000);
    expect(engine.advance(100)).toMatchObject({ isChanged: true, progress: { files: 1 } });
    expect(engine.ask({ view: "sessions" })).toMatchObject({ rows: { length: 1 } });
  });

  it("counts a session that cannot be described, and shows the others", () => {
    const home = createHome();
    for (const name of ["a", "b"]) home.write(name, writeSession());
    const known = home.open();
    settle(known);
    known.save();
    const engine = home.open();
    engine.advance(0);
    rmSync(home.fileOf("a"));
    const states = [engine.advance(0), engine.advance(0), engine.advance(0)];
    expect(states.at(-1)?.progress.unreadable).toBe(1);
    expect(states.flatMap(({ now }) => now?.sessions ?? []).map(({ key }) => key)).toContain(nameKey(home.fileOf("b")));
    home.wait(1000);
    expect(engine.advance(0).progress.unreadable).toBe(0);
  });

  it("reads accounts alone of a file that once cost the thread its life", () => {
    const home = createHome();
    home.write("a", writeSession());
    const engine = home.open({ accountsOnly: [home.fileOf("a")] });
    expect(begin(engine).now?.sessions).toMatchObject([{ requests: 2, health: { usedTokens: 21_003 } }]);
    expect(settle(engine).progress).toMatchObject({ phase: "ready", accountsOnly: 1 });
    expect(() => engine.ask({ view: "session", key: nameKey(home.fileOf("a")) })).toThrow(
      "too large to show in detail",
    );
    expect(engine.ask({ view: "spend" })).toMatchObject({ total: { requests: 2 } });
    expect(engine.ask({ view: "spend" })).toMatchObject({ results: [] });
  });

  it("tells what was injected from the journals", () => {
    const home = createHome();
    home.write("a", writeSession());
    home.note("a", { kind: "ran", ms: 10 }, { kind: "failed", why: "x" });
    home.note("a", {
      kind: "injected",
      what: "rules",
      why: "prompt",
      characters: 40,
      tokens: 12,
      model: "claude-opus-5",
    });
    const engine = home.open();
    settle(engine);
    expect(engine.ask({ view: "spend" })).toMatchObject({ injections: [{ what: "rules", times: 1, tokens: 12 }] });
  });

  it("describes a compaction with the receipt of its summary and the one written down live", () => {
    const home = createHome();
    home.write("b", COMPACTED);
    home.note("b", { kind: "receipt", compaction: 1, held: 3, paraphrased: 0, lost: [], landing: "landed" });
    const engine = home.open();
    settle(engine);
    expect(engine.ask({ view: "compactions", key: nameKey(home.fileOf("b")) })).toMatchObject([
      {
        number: 1,
        trigger: "auto",
        receipt: { landing: "nothing" },
        live: { door: "hook", held: 3, landing: "landed" },
      },
    ]);
  });

  it("prices each request of an old session by the list of its day, as all of them together", () => {
    const home = createHome();
    const counts = { input_tokens: 0, cache_read_input_tokens: 300_000, output_tokens: 0 };
    const line = createWriter();
    home.write("a", toFile([...line(prompt("mend the pump"), answer("m1", ["done"], counts))]), { isCopied: true });
    const engine = home.open();
    settle(engine);
    expect(engine.ask({ view: "session", key: nameKey(home.fileOf("a")) })).toMatchObject({
      totals: { usd: 0.3 },
      requests: [{ usd: 0.3 }],
    });
  });

  it("gives a block's whole text, and nothing for a request or a session that does not exist", () => {
    const home = createHome();
    home.write("a", writeSession());
    const engine = home.open();
    settle(engine);
    const key = nameKey(home.fileOf("a"));
    expect(engine.ask({ view: "request", key, request: 2 })).toMatchObject([
      { label: "Bash result", direction: "sent" },
      {},
    ]);
    expect(engine.ask({ view: "block", key, request: 2, block: 0 })).toMatchObject({ text: "dry\n".repeat(40) });
    expect(engine.ask({ view: "block", key, request: 2, block: 9 })).toBeUndefined();
    expect(engine.ask({ view: "request", key, request: 9 })).toBeUndefined();
    expect(engine.ask({ view: "session", key: "0".repeat(16) })).toBeUndefined();
    expect(engine.ask({ view: "fold", key, handle: "plimsoll:000000000000" })).toBeUndefined();
  });

  it("shows the sample as long as there is nothing else, and looks back on nobody's work", () => {
    const home = createHome();
    const engine = home.open({ sample: path.join(FIXTURES, "compact-auto.jsonl") });
    expect(settle(engine).progress).toMatchObject({ isSample: true, files: 1 });
    expect(engine.ask({ view: "look-back" })).toEqual({ told: undefined, limits: [], periods: [] });
  });

  it("advises what the first screen of the terminal advises, and looks back in its words", async () => {
    const home = createHome();
    home.write("a", writeSession());
    home.write("b", COMPACTED, { agoMs: 86_400_000 });
    const engine = home.open({ isOwn: true });
    settle(engine);
    const looks = Array.from({ length: 5 }, () => engine.advance(0).now);
    const { first, sessions } = looks.find((now) => now?.first) ?? {};
    const environment = { HOME: home.home };
    const { nowMs } = home;
    const screen = (await runPlimsoll([], { environment, nowMs, columns: 4000 })).output;
    const printed = JSON.parse((await runPlimsoll(["now", "--json"], { environment, nowMs })).output);
    expect(first?.advice?.sentence).toBe(printed.advice.sentence);
    expect(first?.advice.command).toBe(printed.advice.command);
    expect(sessions?.[0]).toMatchObject({ key: first?.key, costUsd: printed.costUsd });
    const view = engine.ask({ view: "look-back" });
    expect(view).toMatchObject({ told: { total: { kind: "total" } } });
    const said = JSON.stringify(view).match(/"(?:text|command)":"([^"]+)"/g) ?? [];
    expect(said.length).toBeGreaterThan(1);
    for (const one of said) expect(screen).toContain(JSON.parse(`{${one}}`).text ?? JSON.parse(`{${one}}`).command);
  });

  it("leads from days and weeks to the sessions behind them, whose sums are the total", () => {
    const home = createHome();
    home.write("a", writeSession());
    home.write("b", COMPACTED, { agoMs: 86_400_000 });
    const engine = home.open();
    settle(engine);
    const spend: SpendReport = JSON.parse(JSON.stringify(engine.ask({ view: "spend" })));
    const { bySession, byWeek, byDay, total } = spend;
    const { rows } = readRows(engine.ask({ view: "sessions" }));
    expect(new Set(bySession.map(({ session }) => session))).toEqual(new Set(rows.map(({ key }) => key)));
    for (const some of [bySession, byWeek, byDay])
      expect(some.reduce((sum, { totalUsd }) => sum + totalUsd, 0)).toBeCloseTo(total.totalUsd, 9);
    expect(byWeek.every(({ key }) => new Date(key).getUTCDay() === 1)).toBe(true);
  });

  it("shows of the last days exactly as many as were asked for, today among them", () => {
    const home = createHome();
    for (const days of [0, 6, 7]) home.write(`${days}`, writeSession(), { agoMs: days * 86_400_000 });
    const engine = home.open({ environment: { HOME: home.home, TZ: "UTC" } });
    settle(engine);
    const { byDay } = readTotal(engine.ask({ view: "spend", range: { last: 7, from: undefined, to: undefined } }));
    const dayOf = (ago: number): string => new Date(home.nowMs() - ago * 86_400_000).toISOString().slice(0, 10);
    expect(byDay.map(({ key }) => key)).toEqual([6, 5, 4, 3, 2, 1, 0].map(dayOf));
  });

  it("counts a session whose file is gone in what was spent, and lists only those that can be opened", () => {
    const home = createHome();
    home.write("a", writeSession(), { agoMs: 60_000 });
    home.write("b", COMPACTED, { agoMs: 60_000 });
    const before = home.open({ isOwn: true });
    settle(before);
    const { total } = readTotal(before.ask({ view: "spend" }));
    expect(readRows(before.ask({ view: "sessions" })).rows).toHaveLength(2);
    rmSync(home.fileOf("b"));
    const engine = home.open({ isOwn: true });
    settle(engine);
    expect(readTotal(engine.ask({ view: "spend" })).total.totalUsd).toBeCloseTo(total.totalUsd, 9);
    expect(readRows(engine.ask({ view: "sessions" })).rows.map(({ key }) => key)).toEqual([nameKey(home.fileOf("a"))]);
  });

  it("lists the sessions by their last request, not by their first", () => {
    const home = createHome();
    const line = createWriter();
    const went = [
      prompt("sail"),
      answer("w1", ["off"]),
      { ...answer("w2", ["there"]), timestamp: "2026-01-01T06:00:00.000Z" },
    ];
    home.write("long", toFile(line(...went)), { agoMs: 60_000 });
    home.write("short", writeSession(), { agoMs: 120_000 });
    const engine = home.open();
    settle(engine);
    const { rows } = readRows(engine.ask({ view: "sessions" }));
    expect(rows.map(({ key, lastMs }) => [key, lastMs])).toEqual([
      [nameKey(home.fileOf("long")), home.nowMs() - 60_000],
      [nameKey(home.fileOf("short")), home.nowMs() - 120_000],
    ]);
  });

  it("adds up the sessions of the look back to its total, and all of them to what was spent", () => {
    const home = createHome();
    home.write("a", writeSession());
    home.write("b", COMPACTED, { agoMs: 86_400_000 });
    home.write("again", COMPACTED, { agoMs: 86_500_000 });
    const engine = home.open();
    settle(engine);
    const { rows } = readRows(engine.ask({ view: "sessions" }));
    const { total } = readTotal(engine.ask({ view: "spend" }));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.reduce((sum, { totalUsd }) => sum + totalUsd, 0)).toBeCloseTo(total.totalUsd, 9);
  });

  it("puts a subagent with the session that started it, and its dollars into that session's", () => {
    const home = createHome();
    home.write("0b6f1a52-0000-4000-8000-000000000001", writeSession());
    const folder = home.fileOf("0b6f1a52-0000-4000-8000-000000000001").replace(/\.jsonl$/, "/subagents");
    mkdirSync(folder, { recursive: true });
    const line = createWriter();
    const reported = line(prompt("look at the valves"), answer("sub1", ["seen"], { cache_read_input_tokens: 9000 }));
    writeFileSync(path.join(folder, "agent-1.jsonl"), toFile(reported));
    const engine = home.open();
    settle(engine);
    const { rows } = readRows(engine.ask({ view: "sessions" }));
    expect(rows).toMatchObject([
      {
        title: "mend the pump",
        requests: 3,
        subagents: [{ title: "look at the valves", requests: 1, peakTokens: 9003, compactions: 0 }],
      },
    ]);
    const [own, subagent] = [rows[0]?.totalUsd ?? 0, rows[0]?.subagents[0]?.totalUsd ?? 0];
    expect(own).toBeGreaterThan(subagent);
    expect(own).toBeCloseTo(readTotal(engine.ask({ view: "spend" })).total.totalUsd, 9);
  });

  it("tells of the sessions of all clients together, each by its client's name", async () => {
    const home = temporary.name("-clients");
    mkdirSync(home);
    writeHomes(home);
    const environment = { HOME: home };
    const engine = createHome().open({ environment, roots: locateAll(environment) });
    settle(engine);
    const spend = readTotal(engine.ask({ view: "spend" }));
    const printed = await runPlimsoll(["stats", "--json"], { environment });
    const { totals } = JSON.parse(printed.output);
    expect([spend.total.requests, spend.total.totalUsd]).toEqual([totals.requests, totals.totalUsd]);
    const { rows } = readRows(engine.ask({ view: "sessions" }));
    const billed = new Set(rows.filter(({ requests }) => requests > 0).map(({ host }) => host));
    expect(billed.size).toBeGreaterThan(1);
    expect(spend.byHost.map(({ key }) => key).sort()).toEqual([...billed].sort());
    // Of what a client does not record no dollars are told as if they were all.
    expect(rows.filter(({ requests }) => requests === 0).map(({ host, isAtLeast }) => [host, isAtLeast])).toEqual([
      ["Copilot CLI", true],
    ]);
  });

  it("tells how far a replay in the background is, and that another answer is there", () => {
    const home = createHome();
    home.write("a", writeSession());
    const environment = { HOME: home.home, PLIMSOLL_BACKGROUND: "0" };
    const engine = home.open({ isOwn: true, environment });
    settle(engine);
    expect(engine.ask({ view: "what-if" })).toMatchObject({ status: "none" });
    keepReplayProgress(environment, { processId: process.pid, share: 0.4, atMs: home.nowMs() });
    home.wait(2000);
    expect(engine.advance(10, true).progress.replay).toEqual({ isRunning: true, share: 0.4 });
    dropReplayProgress(environment);
    keepLastReplay(environment, JSON.stringify(answerReplay({ policies: [answerPolicy({ name: "native" })] })));
    home.wait(2000);
    expect(engine.advance(10, true)).toMatchObject({ isChanged: true, progress: { replay: { isRunning: false } } });
    expect(engine.ask({ view: "what-if" })).toMatchObject({ status: "replayed", policies: [{ name: "native" }] });
  });
});
