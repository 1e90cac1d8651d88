import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/doors/cli/catalogue.ts";
import { createEngine } from "../src/doors/dashboard/engine.ts";
import { nameProjectFolder } from "../src/hosts/claude-code/disk/projects.ts";
import { renderDeed } from "../src/policy/deeds/deed.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { answer, attachment, createWriter, prompt, toFile, toolResult, toolUse } from "./support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const START_MS = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;
const UNPRICED = "mystery-9";

interface World {
  readonly home: string;
  readonly project: string;
  readonly nowMs: number;
}

/**
 * A session in which every kind of sum is made of several requests. Where something is missing, one model has no price, and of every
 * other answer an older client wrote down the output as it stood while it was being written: then no sum is the whole.
 */
function writeWorld(name: string, isMissing: boolean): World {
  const home = path.join(temporary.folder, name);
  const project = path.join(home, "project");
  const folder = path.join(home, ".claude", "projects", nameProjectFolder(project));
  const journal = path.join(home, ".claude", "data", "plimsoll", "sessions", "session-1");
  for (const each of [project, folder, journal]) mkdirSync(each, { recursive: true });
  const write = createWriter({ cwd: project, version: isMissing ? "2.0.30" : "2.1.219" });
  let minute = 0;
  const at = () => ({ timestamp: new Date(START_MS + minute++ * MINUTE_MS).toISOString() });
  const asked = (id: string, model: string, wrote: number, read: number, blocks = [toolUse(`t-${id}`, "Bash")]) => {
    const line = answer(id, blocks, {
      cache_creation_input_tokens: wrote,
      cache_read_input_tokens: read,
      output_tokens: 9,
    });
    const message = typeof line.message === "object" && line.message !== null ? line.message : {};
    return { ...line, ...at(), message: { ...message, model, ...(isMissing ? { stop_reason: null } : {}) } };
  };
  const reminder = () => ({
    ...attachment({ type: "hook_additional_context", content: ["Mind the hull, as ever. ".repeat(400)] }),
    ...at(),
  });
  const other = isMissing ? UNPRICED : "claude-sonnet-4-6";
  // A pause, something changed before the end, and another model: each once with either of them.
  const stretch = (model: string) => {
    const lines = [
      { ...prompt("Mend the hull."), ...at() },
      reminder(),
      asked(`${model}-1`, model, 50_000, 0),
      { ...toolResult(`t-${model}-1`, "planks\n".repeat(3000)), ...at() },
      reminder(),
      asked(`${model}-2`, model, 9_000, 50_000),
    ];
    minute += 90;
    lines.push(asked(`${model}-3`, model, 60_000, 0));
    lines.push(reminder(), asked(`${model}-4`, model, 55_000, 8_000));
    for (let index = 5; index < 40; index++) lines.push(asked(`${model}-${index}`, model, 900, 63_000 + index * 900));
    return lines;
  };
  const lines = write(...stretch("claude-opus-4-6"), ...stretch(other), ...stretch("claude-opus-4-5"));
  writeFileSync(path.join(folder, "session-1.jsonl"), toFile(lines));
  const frame = { atMs: START_MS + 1000, door: "hook", event: "SessionStart", client: "2.1.219" } as const;
  const said = { why: "startup", characters: 30_000, tokens: 10_000, model: other } as const;
  writeFileSync(
    path.join(journal, "deeds-hook.jsonl"),
    [
      renderDeed({ ...frame, kind: "injected", what: "mode", ...said }),
      renderDeed({
        ...frame,
        kind: "folded",
        handle: "plimsoll:1a2b3c4d5e6f",
        callId: `t-${other}-1`,
        tool: "Bash",
        characters: 30_000,
        shownCharacters: 1100,
        savedTokens: 10_000,
      }),
    ].join(""),
  );
  return { home, project, nowMs: START_MS + minute * MINUTE_MS };
}

function run({ home, project, nowMs }: World, words: readonly string[]) {
  return runPlimsoll(words, {
    environment: { HOME: home, PLIMSOLL_BACKGROUND: "0" },
    directory: project,
    columns: 140,
    nowMs: () => nowMs,
  });
}

/** They change the client, read what is written to them, or simulate: they sum up no recorded request. */
const UNASKED = new Set(["install", "uninstall", "statusline", "terse", "mcp", "run", "reading", "replay"]);

/** Everything that can be asked of a recorded session: each command as its first example has it, and each of its ways to tell dollars. */
const ASKED: readonly (readonly string[])[] = [
  ...COMMANDS.filter(({ staysOpen, name }) => !staysOpen && !UNASKED.has(name)).map(
    ({ examples }) => Object.keys(examples)[0]?.split(" ").slice(1) ?? [],
  ),
  ...["model", "day", "week", "month", "project", "host", "session"].map((by) => ["stats", "--by", by]),
  ["stats", "--injections"],
  ["stats", "--limits"],
  ["inspect", "--requests"],
  ["inspect", "--steps"],
];

interface Dollars {
  readonly where: string;
  readonly field: string;
  readonly beside: Readonly<Record<string, unknown>>;
}

function listDollars(value: unknown, where: string): readonly Dollars[] {
  if (typeof value !== "object" || value === null) return [];
  const beside: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
  return Object.entries(value).flatMap(([field, each]) =>
    typeof each === "number" && /usd/i.test(field)
      ? [{ where: `${where}.${field}`, field, beside }]
      : listDollars(each, Array.isArray(value) ? `${where}[]` : `${where}.${field}`),
  );
}

/** Fields of dollars that are no sum of recorded requests, as docs/reference/json.md names them. */
const NO_SUMS = new Set(
  [
    ...(
      /^The following fields are not sums[^\n]*$/m.exec(
        readFileSync(path.resolve(import.meta.dirname, "../docs/reference/json.md"), "utf8"),
      )?.[0] ?? ""
    ).matchAll(/`(\w+)`/g),
  ].map(([, field = ""]) => field),
);

async function listAll(world: World): Promise<readonly Dollars[]> {
  const found: Dollars[] = [];
  for (const words of ASKED) {
    const { output } = await run(world, [...words, "--json"]);
    found.push(...listDollars(output === "" ? undefined : JSON.parse(output), words.join(" ")));
  }
  return found.filter(({ field }) => !NO_SUMS.has(field));
}

function askPage({ home, project, nowMs }: World): readonly Dollars[] {
  const roots = [path.join(home, ".claude", "projects")];
  const place = { environment: { HOME: home, PLIMSOLL_BACKGROUND: "0" }, directory: project, isOwn: true };
  const engine = createEngine({
    ...{ ...place, roots, accountsOnly: [], replay: undefined, nowMs: () => nowMs },
    clockMs: () => 0,
  });
  const told: unknown[] = [];
  for (let turns = 0; turns < 6; turns++) told.push(engine.advance(1000, true).now);
  const sessions = engine.ask({ view: "sessions" });
  const [row] = listDollars(sessions, "");
  const key = String(row?.beside.key);
  const answers = {
    now: told,
    sessions,
    spend: engine.ask({ view: "spend" }),
    look: engine.ask({ view: "look-back" }),
  };
  return listDollars({ ...answers, session: engine.ask({ view: "session", key }) }, "page").filter(
    ({ field }) => !NO_SUMS.has(field),
  );
}

/** They tell what would be or would have been, and one request at a time what a miss paid too much. */
const ESTIMATING = new Set(["explain", "preview-compact"]);

const isOfNothing = ({ beside }: Dollars): boolean => [beside.count, beside.requests, beside.times].includes(0);

describe("dollars that are a lower bound", () => {
  const missing = writeWorld("missing", true);
  const whole = writeWorld("whole", false);

  it("say so in every answer for scripts, beside themselves", async () => {
    const told = await listAll(missing);
    expect(new Set(told.map(({ where }) => where.split(/[ .]/)[0]))).toEqual(
      new Set(["audit", "budget", "inspect", "now", "stats"]),
    );
    expect(told.filter((one) => one.beside.isAtLeast !== true && !isOfNothing(one)).map(({ where }) => where)).toEqual(
      [],
    );
  });

  it("say nothing of the kind where every request is counted to its end and has a price", async () => {
    const told = await listAll(whole);
    expect(told.length).toBeGreaterThan(50);
    expect(told.filter(({ beside }) => beside.isAtLeast !== false).map(({ where }) => where)).toEqual([]);
  });

  it("say so in what the page is told", () => {
    const told = askPage(missing);
    expect(told.length).toBeGreaterThan(50);
    expect(told.filter((one) => one.beside.isAtLeast !== true && !isOfNothing(one)).map(({ where }) => where)).toEqual(
      [],
    );
    expect(
      askPage(whole)
        .filter(({ beside }) => beside.isAtLeast !== false)
        .map(({ where }) => where),
    ).toEqual([]);
  });

  it("say so in every text", async () => {
    const bare: string[] = [];
    for (const words of ASKED) {
      const { output } = await run(missing, words);
      if (ESTIMATING.has(words[0] ?? "")) continue;
      for (const line of output.split("\n"))
        if (!/tokens written again, \$/.test(line) && /(?<!\u2265|at least )\$\d/.test(line))
          bare.push(`${words.join(" ")}: ${line.trim()}`);
    }
    expect(bare).toEqual([]);
  });
});
