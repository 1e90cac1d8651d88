/** If red: an incomplete sum of dollars is shown as the full cost. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/entry/cli/catalogue.ts";
import { createEngine } from "../src/entry/dashboard/engine.ts";
import { nameProjectFolder } from "../src/hosts/claude-code/disk/projects.ts";
import { renderAction } from "../src/policy/actions/own-action.ts";
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
  const recordHour = (model: string) => {
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
  const lines = write(...recordHour("claude-opus-4-6"), ...recordHour(other), ...recordHour("claude-opus-4-5"));
  writeFileSync(path.join(folder, "session-1.jsonl"), toFile(lines));
  const frame = { atMs: START_MS + 1000, door: "hook", event: "SessionStart", client: "2.1.219" } as const;
  const said = { why: "startup", characters: 30_000, tokens: 10_000, model: other } as const;
  writeFileSync(
    path.join(journal, "deeds-hook.jsonl"),
    [
      renderAction({ ...frame, kind: "injected", what: "mode", ...said }),
      renderAction({
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
  readonly siblings: Readonly<Record<string, unknown>>;
}

function listDollars(value: unknown, where: string): readonly Dollars[] {
  if (typeof value !== "object" || value === null) return [];
  const siblings: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
  return Object.entries(value).flatMap(([field, each]) =>
    typeof each === "number" && /usd/i.test(field)
      ? [{ where: `${where}.${field}`, field, siblings }]
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
  const reported: unknown[] = [];
  for (let turns = 0; turns < 6; turns++) reported.push(engine.advance(1000, true).now);
  const sessions = engine.ask({ view: "sessions" });
  const [row] = listDollars(sessions, "");
  const key = String(row?.siblings.key);
  const answers = {
    now: reported,
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

const isOfNothing = ({ siblings }: Dollars): boolean => [siblings.count, siblings.requests, siblings.times].includes(0);

describe("dollars that are a lower bound", () => {
  const missing = writeWorld("missing", true);
  const whole = writeWorld("whole", false);

  it("say so in every answer for scripts, next to themselves", async () => {
    const printed = await listAll(missing);
    expect(new Set(printed.map(({ where }) => where.split(/[ .]/)[0]))).toEqual(
      new Set(["audit", "budget", "inspect", "now", "stats"]),
    );
    expect(
      printed.filter((one) => one.siblings.isAtLeast !== true && !isOfNothing(one)).map(({ where }) => where),
    ).toEqual([]);
  });

  it("say nothing of the kind where every request is counted to its end and has a price", async () => {
    const printed = await listAll(whole);
    expect(printed.length).toBeGreaterThan(50);
    expect(printed.filter(({ siblings }) => siblings.isAtLeast !== false).map(({ where }) => where)).toEqual([]);
  });

  it("say so in what the page is told", () => {
    const printed = askPage(missing);
    expect(printed.length).toBeGreaterThan(50);
    expect(
      printed.filter((one) => one.siblings.isAtLeast !== true && !isOfNothing(one)).map(({ where }) => where),
    ).toEqual([]);
    expect(
      askPage(whole)
        .filter(({ siblings }) => siblings.isAtLeast !== false)
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
