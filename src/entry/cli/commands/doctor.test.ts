/** If red: a broken installation is called sound, or a person is not shown what to repair. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { putAgreed } from "../../../../test/support/agree.ts";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { nameFallback } from "../../../files/write-journal.ts";

const temporary = createTemporaryFolder();
const NOW_MS = Date.UTC(2026, 10, 15);
const MINUTE_MS = 60_000;
const ROOT = path.resolve(import.meta.dirname, "../../../..");

function createHome(): string {
  const home = temporary.name("-home");
  mkdirSync(path.join(home, "project", ".plimsoll"), { recursive: true });
  mkdirSync(path.join(home, ".claude"));
  mkdirSync(path.join(home, "tmp"));
  return home;
}

/** A program that answers with one line. */
function createProgram(home: string, name: string, line: string): string {
  const file = path.join(home, name);
  writeFileSync(file, `#!/bin/sh\necho "${line}"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A line of a journal. */
function action(detail: Readonly<Record<string, string | number>>, minutesAgo = 10): string {
  const frame = { atMs: NOW_MS - minutesAgo * MINUTE_MS, door: "hook", event: "PostToolUse", client: "2.1.197" };
  return `${JSON.stringify({ ...frame, ...detail })}\n`;
}

function writeJournal(home: string, session: string, ...lines: readonly string[]): string {
  const folder = path.join(home, ".claude", "data", "plimsoll", "sessions", session);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "deeds-hook.jsonl");
  writeFileSync(file, lines.join(""));
  return file;
}

const run = (home: string, ...words: readonly string[]) =>
  runPlimsoll(words, {
    environment: { HOME: home, PATH: home, TMPDIR: path.join(home, "tmp") },
    directory: path.join(home, "project"),
    nowMs: () => NOW_MS,
  });

/** Its problems as `what`, and what else it says. */
async function diagnose(home: string) {
  const { output, exitCode } = await run(home, "doctor", "--json");
  const answer = JSON.parse(output);
  const problems: readonly { readonly what: string; readonly fix: string }[] = answer.problems;
  expect(problems.every(({ fix }) => fix.length > 10)).toBe(true);
  return { ...answer, exitCode, problems: problems.map(({ what }) => what) };
}

/** An installed world in which nothing is wrong. */
async function createHealthy(version = "2.1.197"): Promise<string> {
  const home = createHome();
  createProgram(home, "claude", `${version} (Claude Code)`);
  createProgram(home, "node", "v20.11.0");
  await run(home, "install", "--yes");
  return home;
}

describe("plimsoll doctor", () => {
  it("says how to install where nothing is installed, and calls it no fault", async () => {
    const { output, exitCode } = await run(createHome(), "doctor");
    expect(exitCode).toBe(0);
    expect(output).toContain("plimsoll install");
  });

  it("finds nothing wrong in a sound installation", async () => {
    const home = await createHealthy();
    writeJournal(home, "s1", action({ kind: "ran", ms: 40 }));
    const seen = await diagnose(home);
    expect(seen).toMatchObject({ exitCode: 0, isHealthy: true, problems: [], plugins: ["plimsoll-classic@plimsoll"] });
    expect(seen).toMatchObject({ client: { version: "2.1.197" }, node: "20.11.0", folder: ROOT });
    expect(seen.unseen).toContain("PreCompact");
    expect(seen.unseen).not.toContain("PostToolUse");
  });

  it("tells each entry point and event apart: runs, median, 95th percentile, client, last seen", async () => {
    const home = createHome();
    const times = Array.from({ length: 20 }, (_, index) => action({ kind: "ran", ms: index + 1 }, 30 - index));
    writeJournal(home, "s1", ...times, "{torn\n");
    writeJournal(
      home,
      "s2",
      action({ kind: "ran", ms: 3, door: "module", event: "session.append", client: "2.1.325" }),
    );
    const { doors: entryPoints, sessions, skippedLines } = await diagnose(home);
    expect({ sessions, skippedLines }).toEqual({ sessions: 2, skippedLines: 1 });
    expect(entryPoints).toMatchObject([
      { door: "module", event: "session.append", runs: 1, medianMs: 3, p95Ms: 3, client: "2.1.325", isAlive: true },
      { door: "hook", event: "PostToolUse", runs: 20, medianMs: 10.5, p95Ms: 20, client: "2.1.197", isAlive: true },
    ]);
    expect((await run(home, "doctor")).output).toMatch(
      /hook PostToolUse +yes +20 +11 ms +20 ms +- +- +- +11 minutes ago/,
    );
  });

  it("counts what really ran: a module notes what it did, and a compaction is a run with its time", async () => {
    const home = createHome();
    const compacted = (minutesAgo: number, why: string) =>
      action(
        {
          ...{
            kind: "compacted",
            by: "plimsoll",
            trigger: "auto",
            tokensBefore: 9,
            tokensAfter: 3,
            ms: minutesAgo,
            why,
          },
          ...{ door: "module", event: "session.compact", client: "2.1.325" },
        },
        minutesAgo,
      );
    const module = path.join(home, ".claude", "data", "plimsoll", "sessions", "s1");
    mkdirSync(module, { recursive: true });
    const lines = [8, 7, 6, 5, 4, 3, 2].map((minutes) => compacted(minutes, "the cache is cold"));
    const fold = action({
      kind: "folded",
      callId: "c",
      tool: "Bash",
      handle: "h",
      characters: 9,
      shownCharacters: 3,
      savedTokens: 2,
      door: "module",
      event: "session.append",
    });
    writeFileSync(path.join(module, "deeds-module.jsonl"), [fold, ...lines, compacted(1, "")].join(""));
    const { doors: entryPoints, notes, problems } = await diagnose(home);
    expect(entryPoints).toMatchObject([
      { event: "session.compact", isAlive: true, runs: 8, medianMs: 4.5, p95Ms: 8 },
      { event: "session.append", isAlive: true, runs: 1, medianMs: null },
    ]);
    expect(notes).toContain(
      '8 compactions: 8 by Plimsoll (7 of them early, because of the setting "early" or "line"), 0 by the agent.',
    );
    expect(problems).toEqual([]);
  });

  it("says what becomes of the person's own PreCompact hooks, and under which setting they are the client's", async () => {
    const home = createHome();
    const hooks = { PreCompact: [{ hooks: [{ type: "command", command: "backup" }] }] };
    const settings = { enabledPlugins: { "plimsoll@plimsoll": true }, hooks };
    writeFileSync(path.join(home, ".claude", "settings.json"), JSON.stringify(settings));
    expect((await diagnose(home)).notes.join()).toMatch(
      /Your PreCompact hooks in \S+settings.json run before Plimsoll compacts/,
    );
    const declined = {
      kind: "declined",
      what: "PreCompact hooks",
      why: "made a summary",
      door: "module",
      event: "session.compact",
    };
    writeJournal(home, "s1", action(declined));
    expect((await diagnose(home)).notes.join()).toMatch(/do not run.*set "compaction": "native"/);
    writeFileSync(path.join(home, ".claude", "plimsoll.json"), '{"compaction": "native"}');
    expect((await diagnose(home)).notes.join()).not.toContain("PreCompact");
  });

  it("tells of failures and ignored answers in the words of the last one, and of nothing that is long past", async () => {
    const home = createHome();
    writeJournal(
      home,
      "s1",
      action({ kind: "failed", why: "first" }, 30 * 24 * 60),
      action({ kind: "failed", why: "no such folder" }, 5),
      action({ kind: "ignored", what: "fold", why: "the output came back whole" }),
      action({ kind: "failed", why: "long ago", event: "Stop" }, 30 * 24 * 60),
      action({ kind: "declined", what: "all", why: "the module is alive" }),
    );
    const { problems, exitCode, doors: entryPoints } = await diagnose(home);
    expect(exitCode).toBe(1);
    expect(problems).toEqual([
      "hook PostToolUse failed 2 times; the last error was: no such folder",
      "the agent ignored an answer from hook PostToolUse once; the last reason was: fold: the output came back whole",
    ]);
    expect(entryPoints[1]).toMatchObject({
      isAlive: false,
      declined: 1,
      lastDeclined: { why: "all: the module is alive" },
    });
  });

  it("tells of Codex: what is installed there, whether its hooks ran, and what cannot be done", async () => {
    const home = createHome();
    expect((await diagnose(home)).agents).toEqual([]);
    createProgram(home, "codex", "codex-cli 0.166.0");
    const [found] = (await diagnose(home)).agents;
    expect(found).toMatchObject({ title: "Codex", program: { version: "0.166.0" }, isInstalled: false, runs: null });
    expect(found.impossible.length).toBeGreaterThan(0);

    const copy = path.join(home, ".codex/plugins/cache/plimsoll/plimsoll-classic/0.1.0");
    for (const part of ["codex", "dist"])
      cpSync(path.join(ROOT, "plugin-classic", part), path.join(copy, part), { recursive: true });
    const tables = `[marketplaces.plimsoll]\nsource = "${ROOT}"\n[plugins."plimsoll-classic@plimsoll"]\nenabled = true\n`;
    writeFileSync(path.join(home, ".codex/config.toml"), tables);
    expect(await diagnose(home)).toMatchObject({ problems: [], agents: [{ isInstalled: true, runs: { count: 0 } }] });

    mkdirSync(path.join(home, ".codex/sessions"));
    writeFileSync(path.join(home, ".codex/sessions/rollout-1.jsonl"), "{}\n");
    expect((await diagnose(home)).problems).toEqual([
      "the plugin is switched on in Codex, but no session has run its hooks",
    ]);
    writeJournal(home, "s1", action({ kind: "ran", ms: 40, door: "codex", client: "0.166.0" }));
    expect(await diagnose(home)).toMatchObject({ problems: [], agents: [{ runs: { count: 1 } }] });
    expect((await run(home, "doctor")).output).toMatch(/hooks +1 run, last 10 minutes ago\n {2}limits/);
  });

  it("finds notes that could only be written to the temporary folder", async () => {
    const home = createHome();
    const folder = path.join(home, "tmp", `plimsoll-${process.getuid?.() ?? 0}`);
    mkdirSync(folder);
    writeFileSync(path.join(folder, nameFallback("/home/another")), action({ kind: "failed", why: "another's" }));
    expect((await diagnose(home)).problems).toEqual([]);
    writeFileSync(path.join(folder, nameFallback(home)), action({ kind: "failed", why: "disk full" }));
    expect((await diagnose(home)).problems).toEqual([
      expect.stringContaining("1 note of your sessions could not be written"),
    ]);
  });

  it("finds the switches that keep every hook from running, and settings that are no JSON", async () => {
    const home = createHome();
    writeFileSync(path.join(home, ".claude", "settings.json"), '{"disableAllHooks": true}');
    mkdirSync(path.join(home, "project", ".claude"));
    writeFileSync(path.join(home, "project", ".claude", "settings.local.json"), "{,}");
    expect((await diagnose(home)).problems).toEqual([
      expect.stringContaining("settings.local.json is not valid JSON"),
      expect.stringContaining("disableAllHooks"),
    ]);
  });

  it("shows how often originals were fetched back, once that was counted", async () => {
    const home = createHome();
    const show = async (): Promise<string> =>
      (await runPlimsoll(["doctor"], { environment: { HOME: home }, directory: path.join(home, "project") })).output;
    expect(await show()).not.toMatch(/^recalls /m);
    mkdirSync(path.join(home, ".claude/data/plimsoll"), { recursive: true });
    const projects = { "/rig": { compactions: 4, recalls: 2 } };
    writeFileSync(path.join(home, ".claude/data/plimsoll/recalls.json"), JSON.stringify({ projects }));
    expect(await show()).toMatch(/^recalls +2 after 4 compactions \(0\.5 each\); from 10 compactions on/m);
  });

  it("names what it does not understand in Plimsoll's own settings", async () => {
    const home = createHome();
    writeFileSync(path.join(home, ".claude", "plimsoll.json"), '{"fold": "yes", "on": false}');
    writeFileSync(path.join(home, "project", ".plimsoll", "settings.json"), "{");
    expect((await diagnose(home)).problems.join()).toContain("settings.json: the file waits for your agreement");
    putAgreed(path.join(home, "project"), ".plimsoll/settings.json", "{", path.join(home, ".claude"));
    const { problems, notes } = await diagnose(home);
    expect(problems).toEqual([
      expect.stringMatching(/plimsoll\.json: fold: write true or false/),
      expect.stringMatching(/settings\.json: not valid JSON/),
    ]);
    expect(notes.join()).toContain("switched off");
  });

  it("says how much memory each running engine takes, and counts nothing else as one", async () => {
    const home = await createHealthy("2.1.325");
    createProgram(
      home,
      "ps",
      " 4711 98304 /usr/bin/node /p/engine/engine.cjs\n 4712 500 vim /p/engine/engine.cjs.orig",
    );
    const { output } = await run(home, "doctor");
    expect(output).toContain("process 4711, 101 MB of memory");
    expect(output).not.toContain("4712");
  });

  it("says that a client too old for the module is too old for it", async () => {
    const home = await createHealthy("2.1.325");
    createProgram(home, "claude", "2.1.197");
    expect((await diagnose(home)).problems).toContain(
      "Claude Code 2.1.197 does not load the module that is switched on",
    );
  });

  it("says that both plugins do nothing twice", async () => {
    const home = await createHealthy("2.1.325");
    const file = path.join(home, ".claude", "settings.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"plimsoll@', '"plimsoll-classic@plimsoll": true, "plimsoll@'),
    );
    const { notes, exitCode } = await diagnose(home);
    expect(notes.join()).toContain("nothing is done twice");
    expect(exitCode).toBe(0);
  });

  it("names the client's clean-up setting, its default where it is not set, and how many files Plimsoll remembers", async () => {
    const home = await createHealthy();
    expect(await diagnose(home)).toMatchObject({ history: { cleanupPeriodDays: 30, goneFiles: 0 } });
    const file = path.join(home, ".claude", "settings.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), cleanupPeriodDays: 99 }));
    const { notes, history } = await diagnose(home);
    expect(history.cleanupPeriodDays).toBe(99);
    expect(notes.join()).toContain('deletes session files after 99 days ("cleanupPeriodDays"');
  });

  it.each([
    ["v16.20.0", "node 16.20.0 is too old for the command hooks"],
    ["", "the command hooks need Node, which is not on PATH"],
  ])("looks at the node that the hooks run with: %j", async (line, problem) => {
    const home = await createHealthy();
    createProgram(home, "node", line);
    expect((await diagnose(home)).problems).toContain(problem);
  });

  it.each([
    ["v18.20.4", /needs Node 20 or later, and .*node is 18\.20\.4/],
    [undefined, /needs Node, and .*node does not run/],
  ])("looks at the node that install wrote down for the engine: %j", async (line, problem) => {
    const home = await createHealthy("2.1.325");
    const note = path.join(home, ".claude/data/plimsoll/node");
    expect(readFileSync(note, "utf8")).toBe(`${process.execPath}\n`);
    expect((await diagnose(home)).problems).toEqual([]);
    if (line !== undefined) createProgram(home, "node", line);
    writeFileSync(note, `${line === undefined ? "/gone/node" : path.join(home, "node")}\n`);
    expect((await diagnose(home)).problems).toEqual([expect.stringMatching(problem)]);
    await run(home, "install", "--yes");
    expect(readFileSync(note, "utf8")).toBe(`${process.execPath}\n`);
    await run(home, "uninstall", "--keep", "--yes");
    expect(existsSync(note)).toBe(false);
  });

  it("finds a package that has moved away", async () => {
    const home = await createHealthy();
    const file = path.join(home, ".claude", "settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(JSON.stringify(ROOT), '"/gone"'));
    expect((await diagnose(home)).problems.join()).toContain("/gone/plugin-classic/dist/hook.cjs is missing");
  });

  it("finds that no session has run it since it was installed", async () => {
    const home = await createHealthy();
    const transcript = path.join(home, ".claude", "projects", "-x", "s.jsonl");
    mkdirSync(path.dirname(transcript), { recursive: true });
    writeFileSync(transcript, "{}\n");
    const later = NOW_MS / 1000 + 3600;
    utimesSync(transcript, later, later);
    expect((await diagnose(home)).problems.join()).toContain("no session has run it since the installation");
  });

  it("finds a data folder that nothing can be kept in", async () => {
    const home = createHome();
    mkdirSync(path.join(home, ".claude", "data"));
    writeFileSync(path.join(home, ".claude", "data", "plimsoll"), "a file");
    expect((await diagnose(home)).problems.join()).toMatch(/cannot store anything in .*is not a folder/);
  });

  it("reads no more than the end of the newest twenty sessions", async () => {
    const home = createHome();
    for (let count = 1; count <= 25; count++) {
      const file = writeJournal(home, `s${count}`, action({ kind: "ran", ms: count }).repeat(count === 25 ? 5000 : 1));
      utimesSync(file, count, count);
    }
    const { sessions, doors: entryPoints } = await diagnose(home);
    expect(sessions).toBe(20);
    expect(entryPoints[0].runs).toBeGreaterThan(1000);
    expect(entryPoints[0].runs).toBeLessThan(3500);
  });

  it("lets no journal steer the terminal", async () => {
    const home = createHome();
    writeJournal(home, "s1", action({ kind: "failed", why: "\u001b[31mred\nwrong: made up" }));
    const { output } = await run(home, "doctor");
    expect(output).not.toContain("\u001b");
    expect(output.split("\n").filter((line) => line.startsWith("wrong: made up"))).toEqual([]);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const json = readFileSync(path.join(ROOT, "docs/reference/json.md"), "utf8");
    const section = json.split("## `plimsoll doctor --json`")[1]?.split("\n## ")[0] ?? "";
    const { output } = await run(createHome(), "doctor", "--json");
    expect(Object.keys(JSON.parse(output))).toEqual(/`\{ ([^}]*) \}`/.exec(section)?.[1]?.split(/,\s+/));
  });
});
