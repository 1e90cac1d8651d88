import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { answer, call } from "../../test/api/replies.ts";
import { IN_ONE_PIECE } from "../../test/api/stream-events.ts";
import { play } from "../../test/client/play.ts";
import { median } from "./measure.ts";
import { writeIdlePlugin } from "./module.bench.ts";

const ROUNDS = 10;

interface Start {
  readonly firstMs: number;
  readonly clientCpuMs: number;
  readonly engineCpuMs: number;
}

/** What the start of the real client takes, alone, with an empty module, and with Plimsoll, in turn. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-start-"));
  const arms = [
    { name: "the client alone", plugins: [] as string[], starts: [] as Start[] },
    { name: "with a module that does nothing", plugins: [writeIdlePlugin(folder)], starts: [] as Start[] },
    { name: "with Plimsoll", plugins: [path.resolve("plugin")], starts: [] as Start[] },
  ];
  const hook = path.join(folder, "cpu.cjs");
  const cpu = "const { user, system } = process.cpuUsage(); const text = String((user + system) / 1000);";
  writeFileSync(
    hook,
    `process.on("exit", () => { ${cpu} require("node:fs").writeFileSync(${JSON.stringify(`${hook}.out`)}, text); });`,
  );
  for (let round = 0; round <= ROUNDS; round++)
    for (const arm of arms) {
      const start = await timeStart(arm.plugins, hook);
      // The first of each warms the disk.
      if (round > 0) arm.starts.push(start);
    }
  rmSync(folder, { recursive: true });
  console.log(
    `| start of the client 2.1.325, medians of ${ROUNDS} | first request after | CPU of the client | and of the engine |`,
  );
  console.log("|---|---|---|---|");
  for (const { name, starts } of arms) {
    const middle = (pick: (start: Start) => number): string => `${median(starts.map(pick)).toFixed(0)} ms`;
    const cells = [middle((one) => one.firstMs), middle((one) => one.clientCpuMs), middle((one) => one.engineCpuMs)];
    console.log(`| ${[name, ...cells].join(" | ")} |`);
  }
}

async function timeStart(plugins: readonly string[], hook: string): Promise<Start> {
  const session = await play({
    pace: IN_ONE_PIECE,
    main: [answer(call("Bash", { command: "echo dry" })), answer("Done.")],
  });
  const out = `${hook}.out`;
  rmSync(out, { force: true });
  const file = path.join(session.workspace.root, "cpu");
  const wrap = ["bash", "-c", 'TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$0"', file];
  const beganMs = Date.now();
  await session.run({ prompts: ["Go."], plugins, env: { NODE_OPTIONS: `--require=${hook}` }, wrap });
  const firstMs = (session.api.requests[0]?.atMs ?? Number.NaN) - beganMs;
  const [user = 0, system = 0] = readFileSync(file, "utf8").trim().split(" ").map(Number);
  const engineCpuMs = existsSync(out) ? Number(readFileSync(out, "utf8")) : 0;
  await session.close();
  // The client waits for the engine's end, so what the shell counts has both.
  return { firstMs, clientCpuMs: (user + system) * 1000 - engineCpuMs, engineCpuMs };
}
