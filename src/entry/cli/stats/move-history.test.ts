/** If red: costs of deleted sessions vanish from the tables, or an import counts a request twice. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, toFile, toolUse, transcript } from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createEngine } from "../../dashboard/engine.ts";

const temporary = createTemporaryFolder();
let homes = 0;

/** A home of a client with these sessions, and a program that is started in it. */
function makeHome(sessions: Readonly<Record<string, readonly JsonObject[]>>) {
  const home = path.join(temporary.folder, `home${homes++}`);
  const projects = path.join(home, "projects");
  for (const [name, lines] of Object.entries(sessions)) {
    const file = path.join(projects, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, toFile(transcript(...lines)));
  }
  const environment = { HOME: home, CLAUDE_CONFIG_DIR: home, TZ: "UTC" };
  const run = (...words: readonly string[]) =>
    runPlimsoll(words, { environment, directory: home, nowMs: () => Date.parse("2027-06-01T00:00:00Z") });
  const stats = async (...words: readonly string[]) => JSON.parse((await run("stats", "--json", ...words)).output);
  return { home, environment, run, stats, forget: (name: string) => rmSync(path.join(projects, name)) };
}

function asked(id: string, at: string, session: string, usage: JsonObject = {}): JsonObject {
  const line = answer(id, [toolUse(`t ${id}`, "Bash")], { input_tokens: 0, output_tokens: 10, ...usage });
  return { ...line, sessionId: session, timestamp: at, cwd: `/work/${session}` };
}

const million = { cache_creation_input_tokens: 1_000_000 };

const TWO = {
  "-work-a/a.jsonl": [
    { ...prompt("a secret word"), sessionId: "a", cwd: "/work/a" },
    asked("m1", "2027-05-01T10:00:00Z", "a", million),
    // After a break longer than the cache lives.
    asked("m2", "2027-05-01T20:00:00Z", "a", million),
    { ...boundary("l4", { trigger: "auto" }), sessionId: "a" },
    asked("m3", "2027-05-02T10:00:00Z", "a", million),
  ],
  "-work-b/b.jsonl": [
    { ...prompt("y"), sessionId: "b", cwd: "/work/b" },
    asked("m4", "2027-05-03T10:00:00Z", "b", million),
  ],
};

const GROUPS = ["day", "week", "month", "model", "project", "agent"] as const;

describe("the sums of session files that are gone", () => {
  it("stay in every table, by day, model and project, and stats says how many files they are of", async () => {
    const { stats, run, forget } = makeHome(TWO);
    const before = await Promise.all(GROUPS.map((by) => stats("--by", by)));
    forget("-work-a/a.jsonl");
    const after = await Promise.all(GROUPS.map((by) => stats("--by", by)));
    for (const [index, one] of after.entries()) {
      const { rows, totals, cacheMisses, compactions, toolCalls } = before[index];
      expect(one).toMatchObject({ rows, totals, cacheMisses, compactions, toolCalls, files: 2, goneFiles: 1 });
    }
    expect(before[0].totals.requests).toBe(4);
    expect((await run("stats")).output).toContain("2 files (1 deleted, their sums are kept)");
  });

  it("stay when every file is gone, in bare plimsoll's 30 days and in budgets too", async () => {
    const { stats, run, forget } = makeHome(TWO);
    const { totals } = await stats();
    const budget = JSON.parse((await run("budget", "--month", "900", "--json")).output);
    for (const name of Object.keys(TWO)) forget(name);
    expect((await stats()).totals).toEqual(totals);
    expect(JSON.parse((await run("budget", "--json")).output)).toEqual(budget);
    expect(JSON.parse((await run("now", "--json")).output).look).toMatchObject({ requests: 2, files: [] });
  });

  it("are on the page, which lists no session that cannot be opened", async () => {
    const { home, environment, stats, forget } = makeHome(TWO);
    const { totals } = await stats();
    forget("-work-a/a.jsonl");
    const engine = createEngine({
      roots: [path.join(home, "projects")],
      environment,
      directory: home,
      isOwn: true,
      accountsOnly: [],
      replay: undefined,
      nowMs: () => Date.parse("2027-06-01T00:00:00Z"),
      clockMs: () => 0,
    });
    for (let hasMore = true; hasMore; ) ({ hasMore } = engine.advance(1000));
    expect(engine.ask({ view: "spend" })).toMatchObject({ total: { requests: totals.requests } });
    expect(engine.ask({ view: "sessions" })).toMatchObject({ rows: [{ id: "b" }] });
  });

  it("count a request once when its file comes back, or a resumed session repeats it", async () => {
    const { home, stats, forget } = makeHome(TWO);
    const { totals } = await stats();
    forget("-work-a/a.jsonl");
    await stats();
    for (const name of ["-work-a/a.jsonl", "-work-a/resumed.jsonl"])
      writeFileSync(path.join(home, "projects", name), toFile(transcript(...TWO["-work-a/a.jsonl"])));
    expect((await stats()).totals.requests).toBe(totals.requests);
  });

  it("hold no word of the person, and only their owner reads them", async () => {
    const { home, stats, forget } = makeHome(TWO);
    await stats();
    forget("-work-a/a.jsonl");
    await stats();
    const kept = readFileSync(path.join(home, "data/plimsoll/history/gone.jsonl"), "utf8");
    expect(kept).toContain("m1");
    expect(kept).not.toContain("secret");
  });

  it("are not kept of folders that the clients did not write", async () => {
    const { home, run, stats } = makeHome(TWO);
    const elsewhere = path.join(home, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, "z.jsonl"), toFile(transcript(asked("z1", "2027-05-01T10:00:00Z", "z"))));
    await run("stats", elsewhere);
    rmSync(elsewhere, { recursive: true });
    expect((await stats()).totals.requests).toBe(4);
  });

  it("survive a line that was cut off, which is skipped", async () => {
    const { home, stats, forget } = makeHome(TWO);
    const { totals } = await stats();
    forget("-work-a/a.jsonl");
    await stats();
    const file = path.join(home, "data/plimsoll/history/gone.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}{"v":1,"file":{"pa`);
    forget("-work-b/b.jsonl");
    await stats();
    expect((await stats()).totals).toEqual(totals);
  });
});

describe("the sums of two machines", () => {
  it("add up without counting a request twice, however often they are imported", async () => {
    const laptop = makeHome(TWO);
    const [mine, other] = [[asked("m9", "2027-05-04T10:00:00Z", "c", million)], TWO["-work-b/b.jsonl"]];
    const desk = makeHome({ "-work-c/c.jsonl": mine, "-work-b/b.jsonl": other });
    await laptop.stats();
    laptop.forget("-work-a/a.jsonl");
    const file = path.join(temporary.folder, "laptop.jsonl");
    expect((await laptop.run("stats", "--export", file, "--machine", "laptop")).exitCode).toBe(0);
    for (let times = 0; times < 2; times++)
      expect((await desk.run("stats", "--import", file)).output).toContain("of laptop are imported");
    const { rows, totals, toolCalls, compactions } = await desk.stats("--by", "machine");
    expect([totals.requests, toolCalls, compactions.automatic]).toEqual([5, 5, 1]);
    expect(Object.fromEntries(rows.map((row: JsonObject) => [row.key, row.requests]))).toEqual({
      laptop: 3,
      "this machine": 2,
    });
  });

  it("refuse a file that is no export, a name that is none, and a machine without a file", async () => {
    const { home, run } = makeHome(TWO);
    writeFileSync(path.join(home, "not.jsonl"), "{}\n");
    const refused = [
      ["--import", "not.jsonl"],
      ["--import", "absent.jsonl"],
      ["--import", "not.jsonl", "--machine", "../up"],
      ["--machine", "desk"],
    ];
    for (const words of refused) expect((await run("stats", ...words)).exitCode).toBe(2);
  });
});

describe("a project's own name", () => {
  it("joins folders into one row, until it is forgotten", async () => {
    const { run, stats } = makeHome(TWO);
    for (const folder of ["/work/a", "/work/b"]) await run("stats", "--alias", `both=${folder}`);
    expect((await stats("--by", "project")).rows).toMatchObject([{ key: "both", requests: 4 }]);
    expect((await stats("--by", "folder")).rows).toHaveLength(2);
    await run("stats", "--alias", "=/work/b");
    expect((await stats("--by", "project")).rows).toHaveLength(2);
    expect((await run("stats", "--alias", "nothing")).exitCode).toBe(2);
  });
});

describe("a table", () => {
  it("has whole names in a pipe, and fits a terminal", async () => {
    const model = `claude-opus-5-${"x".repeat(90)}`;
    const line = asked("w1", "2027-05-01T10:00:00Z", "w");
    const message = { ...(typeof line.message === "object" ? line.message : {}), model };
    const { environment, run } = makeHome({ "-w/w.jsonl": [{ ...line, message }] });
    const words = ["stats"];
    expect((await run(...words)).output).toContain(model);
    const seen = await runPlimsoll(words, { environment, isTerminal: true, nowMs: () => Date.parse("2027-06-01") });
    expect(seen.output).not.toContain(model);
    expect((await run("stats", "--csv", "--json")).exitCode).toBe(2);
    expect(JSON.parse((await run("stats", "--by", "client", "--json")).output).by).toBe("agent");
  });
});
