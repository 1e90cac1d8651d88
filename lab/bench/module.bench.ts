import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { answer, call } from "../../test/api/replies.ts";
import { IN_ONE_PIECE } from "../../test/api/stream-events.ts";
import { type Play, play } from "../../test/client/play.ts";
import { median } from "./measure.ts";

const RESULTS = 60;
const ROUNDS = 10;
const STEPS = 40;
const CHARACTERS = 100_000;

/** Kinds of output that a session meets, each about 100 KB and none like the one before it. */
const KINDS: readonly ((seed: number) => string)[] = [
  (seed) => repeat((line) => `2026-11-15T10:${line % 60}:00Z INFO worker ${seed} took job ${line} of queue mail`),
  (seed) => repeat((line) => `src/part${seed}/file${line % 90}.ts:${line}:  const value${line} = compute(${seed});`),
  (seed) =>
    JSON.stringify(
      Array.from({ length: 1500 }, (_, id) => ({ id, seed, name: `item ${id}`, price: id * 3 })),
      null,
      1,
    ),
  (seed) => repeat((line) => `export function part${seed}_${line}(value: number): number { return value + ${line}; }`),
  (seed) =>
    repeat((line) =>
      line % 97 === 0 ? `✗ test ${line} of suite ${seed} failed: expected 1, got 2` : `✓ test ${line} of suite ${seed}`,
    ),
];

/** What the module costs inside the real client. Bundled, this file is not where its source is, so the plugin is named from the project. */
const PLUGINS: readonly string[] = [path.resolve("plugin")];

export async function run(): Promise<void> {
  const folds = await timeFolds();
  const { grown, resumed } = await timeCompactions();
  console.log("| inside the client 2.1.325, by the module's journal | n | median | p95 | most | limit |");
  console.log("|---|---|---|---|---|---|");
  console.log(renderRow(`folding ${CHARACTERS / 1000} KB, the preview alone`, folds, "p95 at most 3 ms"));
  console.log(renderRow("the first compaction of a session that grew to 160k tokens", grown, "at most 200 ms"));
  console.log(renderRow("the same session resumed and compacted at once", resumed, "at most 200 ms"));
  console.log("\n| between two requests, three results each | n | median | CPU of the client a request |");
  console.log("|---|---|---|---|");
  for (const { name, gaps, cpuMs } of await timeRequests())
    console.log(
      `| ${name} | ${gaps.length} | ${median(gaps).toFixed(0)} ms | ${(cpuMs / Math.max(1, gaps.length)).toFixed(0)} ms |`,
    );
}

async function timeFolds(): Promise<readonly number[]> {
  const session = await play({
    pace: IN_ONE_PIECE,
    main: (_, step) => (step < RESULTS ? answer(call("Bash", { command: `cat out-${step}.txt` })) : answer("Done.")),
  });
  for (let index = 0; index < RESULTS; index++) {
    const kind = KINDS[index % KINDS.length];
    await session.workspace.writeFile(`out-${index}.txt`, (kind?.(index) ?? "").slice(0, CHARACTERS));
  }
  await session.run({ prompts: ["Read them all."], plugins: PLUGINS, timeoutMs: 170_000 });
  const actions = await session.actions();
  await session.close();
  return actions.filter(({ kind }) => kind === "folded").map(({ ms }) => Number(ms));
}

/** Everything saved: in the process that has followed the session, and in one that has just been started. */
async function timeCompactions(): Promise<Readonly<Record<"grown" | "resumed", readonly number[]>>> {
  const env = { DISABLE_AUTO_COMPACT: "1" };
  const grown: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const session = await openLong();
    await session.run({ prompts: ["Go.", "/compact", "Go on."], plugins: PLUGINS, env, timeoutMs: 170_000 });
    grown.push(...(await readTimes(session)));
    await session.close();
  }
  const session = await openLong();
  const { root, home } = session.workspace;
  const { sessionId } = await session.run({ prompts: ["Go."], plugins: PLUGINS, env, timeoutMs: 170_000 });
  const kept = path.join(root, "kept");
  cpSync(home, kept, { recursive: true });
  const resumed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(home, { recursive: true, force: true });
    cpSync(kept, home, { recursive: true });
    await session.run({ prompts: ["/compact", "Go on."], plugins: PLUGINS, resume: sessionId });
    resumed.push(...(await readTimes(session)));
  }
  await session.close();
  return { grown, resumed };
}

/** A session of 160,000 tokens. */
function openLong(): Promise<Play> {
  const look = (step: number, part: number): string =>
    `seq -f "row ${step} plank %g is dry and was measured" 1 ${90 + part}`;
  const words = "The hull is sound and dry. ".repeat(30);
  return play(
    {
      pace: IN_ONE_PIECE,
      main: (_, step) =>
        step >= RESULTS
          ? answer("Done.")
          : answer(`Row ${step}. ${words}`, ...[0, 1].map((part) => call("Bash", { command: look(step, part) }))),
    },
    { early: "off" },
  );
}

async function readTimes(session: Play): Promise<readonly number[]> {
  return (await session.actions()).filter(({ kind }) => kind === "compacted").map(({ ms }) => Number(ms));
}

interface Arm {
  readonly name: string;
  readonly plugins: readonly string[];
  readonly gaps: number[];
  cpuMs: number;
}

/** The bare client, a module that does nothing, and ours, in turn. */
async function timeRequests(): Promise<readonly Arm[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-idle-"));
  const arms: readonly Arm[] = [
    { name: "the client alone", plugins: [], gaps: [], cpuMs: 0 },
    { name: "with a module that does nothing", plugins: [writeIdlePlugin(folder)], gaps: [], cpuMs: 0 },
    { name: "with Plimsoll", plugins: PLUGINS, gaps: [], cpuMs: 0 },
  ];
  for (let round = 0; round < 3; round++) for (const arm of arms) await timeArm(arm);
  rmSync(folder, { recursive: true });
  return arms;
}

async function timeArm(arm: Arm): Promise<void> {
  let answeredMs = 0;
  const session = await play({
    pace: IN_ONE_PIECE,
    main: (_, step) => {
      if (step > 0) arm.gaps.push(performance.now() - answeredMs);
      answeredMs = performance.now();
      if (step >= STEPS) return answer("Done.");
      return answer(
        `Row ${step}.`,
        ...[0, 1, 2].map((part) => call("Bash", { command: `seq ${step} ${step + 200 + part}` })),
      );
    },
  });
  const file = path.join(session.workspace.root, "cpu");
  const wrap = ["bash", "-c", 'TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$0"', file];
  await session.run({ prompts: ["Go."], plugins: arm.plugins, timeoutMs: 170_000, wrap });
  const [user = 0, system = 0] = readFileSync(file, "utf8").trim().split(" ").map(Number);
  arm.cpuMs += (user + system) * 1000;
  await session.close();
}

/** A plugin with our hooks and nothing behind them. */
export function writeIdlePlugin(folder: string): string {
  cpSync("plugin/.claude-plugin", path.join(folder, ".claude-plugin"), { recursive: true });
  mkdirSync(path.join(folder, "hooks"));
  writeFileSync(path.join(folder, "hooks/hooks.json"), JSON.stringify({ modules: ["./idle.js"] }));
  const events = ["classic.PostToolBatch", "session.*", "tool.*", "command.*"];
  writeFileSync(
    path.join(folder, "hooks/idle.js"),
    `export function register(on) {\n${events.map((event) => `  on("${event}", pass).catch(pass);\n`).join("")}}\nasync function pass($, e, next) {\n  return next(e);\n}\n`,
  );
  return folder;
}

function renderRow(what: string, times: readonly number[], limit: string): string {
  const sorted = [...times].sort((left, right) => left - right);
  const show = (value: number): string => `${value.toFixed(1)} ms`;
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return `| ${what} | ${sorted.length} | ${show(median(sorted))} | ${show(p95)} | ${show(sorted.at(-1) ?? 0)} | ${limit} |`;
}

function repeat(render: (line: number) => string): string {
  const lines: string[] = [];
  for (let line = 1, length = 0; length < CHARACTERS; line++) {
    const text = render(line);
    lines.push(text);
    length += text.length + 1;
  }
  return lines.join("\n");
}
