import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "../api/messages-body.ts";
import { fetchPackages } from "../client/fetch-packages.ts";

const VERSION = "0.87.1";
const NODE_VERSION = "24.21.0";
const NODE = `node-linux-${process.arch === "arm64" ? "arm64" : "x64"}`;

/** Pi needs Node 24, which npm has as well. */
async function fetchPi(): Promise<{ readonly node: string; readonly program: string }> {
  const folder = await fetchPackages({
    name: `pi-${VERSION}`,
    packages: [`@earendil-works/pi-coding-agent@${VERSION}`, `${NODE}@${NODE_VERSION}`],
    find: async (place) => {
      const files = [join(place, "node_modules", NODE, "bin/node"), programIn(place)];
      const found = await Promise.all(files.map((file) => access(file).then(Boolean.bind(null, true), () => false)));
      return found.every(Boolean) ? place : null;
    },
  });
  return { node: join(folder, "node_modules", NODE, "bin/node"), program: programIn(folder) };
}

function programIn(folder: string): string {
  return join(folder, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");
}

export interface PiRun {
  readonly home: string;
  readonly cwd: string;
  readonly apiUrl: string;
  readonly args: readonly string[];
  readonly contextWindow?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export type PiEvent = Readonly<Record<string, unknown>>;

/** A running agent that is told what to do by its own protocol. */
export interface Pi {
  readonly events: readonly PiEvent[];
  stderr(): string;
  /** Says something and waits until the agent will not go on by itself. */
  prompt(message: string, images?: readonly object[]): Promise<void>;
  /** One command of the protocol, and what it answers. */
  ask(command: PiEvent): Promise<PiEvent>;
  close(): Promise<void>;
}

/** The whole environment: nothing is inherited, so no credential and no setting of the machine can reach the agent. */
export async function startPi({ home, cwd, apiUrl, args, env = {} }: PiRun): Promise<Pi> {
  const { node, program } = await fetchPi();
  const temporary = join(home, "tmp");
  await mkdir(temporary, { recursive: true });
  const child = spawn(node, [program, "--mode", "rpc", "--provider", "scripted", ...args], {
    cwd,
    env: {
      HOME: home,
      PATH: [dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      TMPDIR: temporary,
      LANG: "C.UTF-8",
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      SCRIPTED_API: apiUrl,
      ...env,
    },
    detached: true,
  });
  return follow(child);
}

function follow(child: ChildProcessWithoutNullStreams): Pi {
  const events: PiEvent[] = [];
  const listeners = new Set<(event: PiEvent) => void>();
  let stderr = "";
  let rest = "";
  let asked = 0;
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((entry) => entry.trim() !== "")) {
      const event: unknown = JSON.parse(line);
      if (!isRecord(event)) continue;
      events.push(event);
      for (const listener of [...listeners]) listener(event);
    }
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const waitFor = (isIt: (event: PiEvent) => boolean): Promise<PiEvent> =>
    new Promise((resolve, reject) => {
      const listener = (event: PiEvent): void => {
        if (!isIt(event)) return;
        listeners.delete(listener);
        resolve(event);
      };
      listeners.add(listener);
      void ended.then(() => reject(new Error(`pi has ended: ${stderr}`)));
    });
  const ask: Pi["ask"] = (command) => {
    const id = `ask-${++asked}`;
    const answered = waitFor((event) => event.type === "response" && event.id === id);
    child.stdin.write(`${JSON.stringify({ ...command, id })}\n`);
    return answered;
  };
  return {
    events,
    stderr: () => stderr,
    ask,
    async prompt(message, images) {
      const settled = waitFor(({ type }) => type === "agent_settled");
      await ask({ type: "prompt", message, ...(images ? { images } : {}) });
      await settled;
    },
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => endGroup(child), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function endGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
