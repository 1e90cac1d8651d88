/**
 * The status line from start to end of its process, as CPU time next to an empty Node, in a session with a load, a journal of folds
 * and a reading from before; and the plugin's MCP server until it has answered `initialize` and `tools/list`.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, timeInterleaved } from "./measure.ts";

const ROUNDS = 60;
const SESSION = "11111111-1111-1111-1111-111111111111";

export async function run(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  try {
    const plugin = path.join(root, "plugin");
    mkdirSync(plugin);
    execFileSync(process.execPath, ["scripts/build-plugins.mjs", "--classic", plugin]);
    const program = path.join(plugin, "dist/statusline.cjs");
    const server = path.join(plugin, "dist/mcp.cjs");
    const subject = prepare(root);
    const cpu = measureCpu(subject, { empty: ["-e", "0"], line: [program] });
    const wall = await timeInterleaved(
      {
        empty: () => startEmpty(),
        line: () => startLine(program, subject),
        server: () => startServer(server, subject),
      },
      ROUNDS,
    );
    const show = (name: string, ours: number, empty: number): void =>
      console.log(
        `${name}: ${ours.toFixed(1)} ms, ${(ours / empty).toFixed(2)} times an empty Node (${empty.toFixed(1)} ms)`,
      );
    show(`status line, CPU, median of ${ROUNDS} (at most 1.25)`, cpu.line, cpu.empty);
    show(`status line, wall, median of ${ROUNDS}`, median(wall.line), median(wall.empty));
    show(`MCP server until tools/list is answered, wall, median of ${ROUNDS}`, median(wall.server), median(wall.empty));
    for (const file of [program, server])
      console.log(`${path.basename(file)}: ${(statSync(file).size / 1000).toFixed(0)} KB`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

interface Subject {
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
}

function prepare(root: string): Subject {
  const home = path.join(root, "home");
  const project = path.join(root, "project");
  const folder = path.join(home, ".claude/data/plimsoll/sessions", SESSION);
  for (const each of [folder, project]) mkdirSync(each, { recursive: true });
  const action = {
    atMs: 1,
    door: "hook",
    event: "PostToolUse",
    client: "",
    kind: "folded",
    tool: "Bash",
    savedTokens: 800,
  };
  writeFileSync(path.join(folder, "deeds-hook.jsonl"), `${JSON.stringify(action)}\n`.repeat(500));
  writeFileSync(path.join(home, ".claude/settings.json"), JSON.stringify({ model: "opus" }));
  const input = path.join(root, "status.json");
  writeFileSync(
    input,
    JSON.stringify({
      session_id: SESSION,
      cwd: project,
      model: { id: "claude-opus-4-6", display_name: "Opus" },
      cost: { total_cost_usd: 1.83 },
      context_window: {
        context_window_size: 200_000,
        current_usage: { input_tokens: 120, cache_creation_input_tokens: 800, cache_read_input_tokens: 102_620 },
      },
      prompt_cache: { warm: true, caching_observed: true, expires_at: Math.round(Date.now() / 1000) + 252 },
    }),
  );
  return { input, env: { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_PROJECT_DIR: project } };
}

/** The shell counts whole milliseconds: the mean of the middle half says more than a median of them. */
function measureCpu({ input, env }: Subject, candidates: Readonly<Record<"empty" | "line", readonly string[]>>) {
  const times = { empty: [] as number[], line: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["empty", "line"] as const) {
      const line = [process.execPath, ...candidates[name]].map((word) => `'${word}'`).join(" ");
      const command = `TIMEFORMAT='%3U %3S'; time ${line} < '${input}' > /dev/null`;
      const { stderr } = spawnSync("bash", ["-c", command], { env, encoding: "utf8" });
      const seconds = stderr.trim().split(/\s+/).map(Number);
      if (seconds.length !== 2) throw new Error(`the status line failed: ${stderr}`);
      times[name].push(1000 * seconds.reduce((sum, part) => sum + part, 0));
    }
  }
  const middle = (values: number[]): number => {
    const sorted = values.sort((left, right) => left - right).slice(ROUNDS / 4, (ROUNDS * 3) / 4);
    return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  };
  return { empty: middle(times.empty), line: middle(times.line) };
}

function startEmpty(): void {
  spawnSync(process.execPath, ["-e", "0"]);
}

function startLine(program: string, { input, env }: Subject): void {
  spawnSync("bash", ["-c", `exec '${process.execPath}' '${program}' < '${input}' > /dev/null`], { env });
}

const HELLO = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

function startServer(server: string, { env }: Subject): Promise<void> {
  const child = spawn(process.execPath, [server], { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write(HELLO.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  return new Promise((resolve) => {
    let heard = "";
    child.stdout.on("data", (bytes: Buffer) => {
      heard += bytes.toString("utf8");
      if (!heard.includes('"id":2')) return;
      child.stdin.end();
      resolve();
    });
  });
}
