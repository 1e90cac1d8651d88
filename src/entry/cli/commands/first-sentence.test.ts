/** If red: plimsoll alone advises a step that does not work, or repeats what the person has ignored today. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { HOME_WRITERS } from "../../../../test/support/host-homes.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../../test/support/transcript-lines.ts";
import { HOSTS } from "../../../hosts/catalogue.ts";
import { hasDatabases } from "../../../hosts/opencode/disk/sessions.ts";
import { writePlan } from "../../../recorded/budget.ts";

const temporary = createTemporaryFolder();
const START = Date.UTC(2026, 5, 1, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Home {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
}

function makeHome(): Home {
  const folder = temporary.name("-home");
  mkdirSync(path.join(folder, ".claude"), { recursive: true });
  return { folder, environment: { HOME: folder, TZ: "UTC" } };
}

/** A session whose last request, of so many tokens, was so long before `START`. */
function addSession(home: Home, id: string, tokens: number, agoMs: number): Home {
  const atMs = START - agoMs;
  const used = { input_tokens: 0, cache_read_input_tokens: tokens - 1000, cache_creation_input_tokens: 1000 };
  const timestamp = new Date(atMs).toISOString();
  const lines = [
    { ...prompt(`work of ${id}`), cwd: `/work/${id}`, sessionId: id, timestamp },
    { ...answer(`m ${id}`, ["done"], used), cwd: `/work/${id}`, sessionId: id, timestamp },
  ];
  const file = path.join(home.folder, ".claude/projects", `-work-${id}`, `${id}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, toFile(transcript(...lines)));
  utimesSync(file, atMs / 1000, atMs / 1000);
  return home;
}

function addBudget(home: Home, limitUsd: number): Home {
  const budgets = [{ span: "day", project: "", limitUsd }] as const;
  writePlan(path.join(home.folder, ".claude/data/plimsoll"), { budgets, command: "", hasBell: false, program: [] });
  return home;
}

function addLimit(home: Home, usedPercent: number): Home {
  const session = path.join(home.folder, ".claude/data/plimsoll/sessions/s");
  mkdirSync(session, { recursive: true });
  const limit = { used_percentage: usedPercent, resets_at: (START + 3_600_000) / 1000 };
  writeFileSync(path.join(session, "reading.json"), JSON.stringify({ rate_limits: { five_hour: limit } }));
  return home;
}

function addAgents(home: Home, ...names: readonly (keyof typeof HOME_WRITERS)[]): Home {
  for (const name of names) HOME_WRITERS[name](home.folder, { contextTokens: 120_000 });
  return home;
}

function addMany(home: Home, files: number, agoMs: number): Home {
  for (let index = 0; index < files; index++) addSession(home, `old-${index}`, 20_000, agoMs + index);
  return home;
}

function addPlugin(home: Home): Home {
  const settings = { enabledPlugins: { "plimsoll@plimsoll": true } };
  writeFileSync(path.join(home.folder, ".claude/settings.json"), JSON.stringify(settings));
  return home;
}

/** What a home holds, and what the first sentence must be about. */
const HOMES: readonly (readonly [what: string, make: () => Home, about: RegExp])[] = [
  ["no session", () => makeHome(), /sample/],
  ["a calm session", () => addSession(makeHome(), "calm", 20_000, MINUTE_MS), /^Nothing to do/],
  ["a session after lunch", () => addSession(makeHome(), "lunch", 120_000, 60 * MINUTE_MS), /no longer cached/],
  [
    "a session of last week",
    () => addSession(makeHome(), "week", 120_000, 3 * DAY_MS),
    /a new session pays for its system prompt and tools alone/,
  ],
  ["only what is long over", () => addSession(makeHome(), "old", 120_000, 90 * DAY_MS), /90 days ago/],
  ["a full window", () => addSession(makeHome(), "full", 164_000, MINUTE_MS), /compact now/],
  [
    "a budget that is used up",
    () => addBudget(addSession(makeHome(), "spent", 164_000, MINUTE_MS), 0.01),
    /^Budget today: used up, /,
  ],
  [
    "a limit that is nearly used",
    () => addLimit(addSession(makeHome(), "limit", 164_000, MINUTE_MS), 91),
    /^Your limit for 5 hours: 91 %/,
  ],
  [
    "a calm session after expensive days",
    () => addMany(addSession(makeHome(), "calm", 20_000, MINUTE_MS), 100, DAY_MS),
    /^Nothing to do: .* See what Plimsoll would have saved of the \$\d+\.\d\d of your last 30 days\. Run: plimsoll replay$/,
  ],
  [
    "a calm session after expensive days with Plimsoll",
    () => addPlugin(addMany(addSession(makeHome(), "calm", 20_000, MINUTE_MS), 100, DAY_MS)),
    /^Nothing to do: .* See what fills the window\. Run: plimsoll inspect /,
  ],
  ["hundreds of old files", () => addMany(makeHome(), 300, 90 * DAY_MS), /90 days ago/],
  ["Claude Code alone", () => addAgents(makeHome(), "claude-code"), /no longer cached/],
  ["Codex alone", () => addAgents(makeHome(), "codex"), /no longer cached/],
  ["pi alone", () => addAgents(makeHome(), "pi"), /no longer cached/],
  ["OpenCode alone", () => addAgents(makeHome(), "opencode"), hasDatabases() ? /no longer cached/ : /sample/],
  ["Gemini alone", () => addAgents(makeHome(), "gemini"), /does not run inside it/],
  ["three agents", () => addAgents(makeHome(), "claude-code", "codex", "pi"), /no longer cached/],
];

const see = (home: Home, laterMs = 0, isTerminal = true) => {
  const terminal = { environment: home.environment, directory: home.folder, isTerminal, columns: 1000 };
  return runPlimsoll([], { ...terminal, nowMs: () => START + laterMs });
};

/** What the first sentence ends in. */
async function findAction(home: Home, laterMs = 0) {
  const { output } = await see(home, laterMs);
  const line = output.split("\n").find((text) => / (?:Run|In the agent, run): /.test(text)) ?? output;
  const [, sentence = "", place = "", command = ""] = /^(.*) (Run|In the agent, run): (.+)$/.exec(line) ?? [];
  return { sentence, place, command, output };
}

describe("the first sentence", () => {
  it.each(HOMES)("ends in an action that works, in a home with %s", async (_, make, about) => {
    const home = make();
    const { output } = await findAction(home);
    expect(output).toMatch(new RegExp(about.source, "m"));
    // And what is shown instead where that was ignored.
    for (const laterMs of [0, 11 * MINUTE_MS, 22 * MINUTE_MS]) await carryOut(home, laterMs);
  });

  async function carryOut(home: Home, laterMs: number): Promise<void> {
    const { sentence, place, command } = await findAction(home, laterMs);
    expect(sentence.length).toBeGreaterThan(20);
    if (place !== "Run") {
      const known = HOSTS.flatMap(({ commands }) => [commands.compact, commands.anew]);
      return expect([...known, "/model"]).toContain(command);
    }
    const [program, ...words] = command.split(" ");
    expect(program).toBe("plimsoll");
    // The page stays open until it is ended.
    if (words[0] === "dashboard") return;
    const dry = words[0] === "install" ? [...words, "--dry-run", "--program", "/absent"] : words;
    const terminal = { environment: home.environment, directory: home.folder, nowMs: () => START + laterMs };
    const { exitCode, remarks } = await runPlimsoll(dry, terminal);
    expect({ command, exitCode, remarks }).toEqual({ command, exitCode: 0, remarks: "" });
  }

  it("puts a limit before a budget that is used less, and both before every session", async () => {
    const home = addLimit(addBudget(addSession(makeHome(), "all", 164_000, MINUTE_MS), 0.1), 99);
    expect((await findAction(home)).command).toBe("/model");
  });

  it("is about the running session that is worth most, and names it", async () => {
    const home = addSession(addSession(makeHome(), "small", 20_000, MINUTE_MS), "large", 164_000, 2 * MINUTE_MS);
    const { sentence, command, output } = await findAction(home);
    expect([sentence, command]).toEqual([expect.stringContaining("compact now"), "/compact"]);
    expect(output).toContain("another running session: work of large");
  });

  it("is not said again within a day where it was ignored, but may be read again at once", async () => {
    const home = addLimit(addSession(makeHome(), "again", 20_000, MINUTE_MS), 91);
    const first = await findAction(home);
    expect((await findAction(home, MINUTE_MS)).command).toBe(first.command);
    const later = await findAction(home, 11 * MINUTE_MS);
    expect(later.sentence).not.toContain("91 %");
    expect(later.command).not.toBe("");
    expect((await findAction(addLimit(home, 100), 12 * MINUTE_MS)).sentence).toContain("100 %");
  });

  it("is not counted as seen by a person where it went to a program", async () => {
    const home = addLimit(addSession(makeHome(), "pipe", 20_000, MINUTE_MS), 91);
    await see(home, 0, false);
    expect((await findAction(home, 20 * MINUTE_MS)).sentence).toContain("91 %");
  });
});
