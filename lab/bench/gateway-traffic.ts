/** Requests for the gateway's benchmarks: conversations that grow as a client's do, and what their answers took. */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Peer {
  readonly url: string;
  readonly pid: number;
  close(): void;
}

/** A peer that reports the processor time of its process, all threads together. */
export interface MeasuredPeer extends Peer {
  cpuMs(): Promise<number>;
}

/** A process of its own, as `gateway-peer.ts` has it. */
export function startPeer(role: string, upstream = ""): Promise<MeasuredPeer> {
  const env = { ...process.env, PLIMSOLL_BENCH_PEER: role, PLIMSOLL_BENCH_UPSTREAM: upstream };
  const child = fork(process.argv[1] ?? "", ["gateway"], { env, execArgv: [] });
  return new Promise((resolve, reject) => {
    const cpuMs = (): Promise<number> =>
      new Promise((answer) => {
        child.once("message", ({ user, system }: NodeJS.CpuUsage) => answer((user + system) / 1000));
        child.send("cpu");
      });
    child.once("message", (url) =>
      resolve({ url: String(url), pid: child.pid ?? 0, cpuMs, close: () => child.disconnect() }),
    );
    child.once("exit", (code) => reject(new Error(`${role} ended with ${code}`)));
  });
}

/** Has a process of its own ask `/healthz` all the time; the returned function ends it and tells how long each answer took. */
export function watchHealth(url: string): Promise<() => Promise<readonly number[]>> {
  const env = { ...process.env, PLIMSOLL_BENCH_PEER: "health", PLIMSOLL_BENCH_UPSTREAM: url };
  const child = fork(process.argv[1] ?? "", ["gateway"], { env, execArgv: [] });
  const end = (): Promise<readonly number[]> =>
    new Promise((resolve) => {
      child.once("message", (times) => {
        child.disconnect();
        const reported: readonly unknown[] = Array.isArray(times) ? times : [];
        resolve(reported.map((ms) => (typeof ms === "number" ? ms : Number.POSITIVE_INFINITY)));
      });
      child.send("stop");
    });
  return new Promise((resolve) => child.once("message", () => resolve(end)));
}

const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

/** The built program itself, with a folder of its own unless a store is named. */
export function startProgram(upstream: string, store?: string, more: readonly string[] = []): Promise<Peer> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  const words = ["gateway", "--port", "0", "--json", "--upstream", upstream, "--store", store ?? folder, ...more];
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let heard = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (bytes) => {
      if (heard.includes("}")) return;
      heard += String(bytes);
      if (!heard.includes("}")) return;
      const close = (): void => {
        child.once("exit", () => rmSync(folder, { recursive: true, force: true }));
        child.kill("SIGTERM");
      };
      resolve({ url: String(JSON.parse(heard).url), pid: child.pid ?? 0, close });
    });
    child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}: npm run build first?`)));
  });
}

/** Brings a database to the newest schema. */
export function migrateProgram(store: string): void {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "gateway", "--migrate", "--store", store]);
  if (status !== 0) throw new Error(`the database could not be migrated: ${String(stderr)}`);
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1024 });

export interface Timing {
  readonly firstByteMs: number;
  /** When each event was sent, and when it arrived. */
  readonly events: readonly { readonly sentMs: number; readonly arrivedMs: number }[];
}

export function send(url: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let firstByteMs = 0;
    const events: { sentMs: number; arrivedMs: number }[] = [];
    const asked = http.request(
      `${url}/v1/messages`,
      { method: "POST", agent, headers: { "content-length": body.length, ...headers } },
      (answer) => {
        answer.on("data", (chunk: Buffer) => {
          firstByteMs ||= performance.now() - started;
          const arrivedMs = performance.timeOrigin + performance.now();
          for (const [, sent] of chunk.toString("latin1").matchAll(/^: ([\d.]+)$/gm))
            events.push({ sentMs: Number(sent), arrivedMs });
        });
        answer.on("end", () => resolve({ firstByteMs, events }));
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** One number of `/metrics`. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

export interface Conversation {
  /** The body as it is now. */
  render(): Buffer;
  /** One more exchange, as a client adds them; a small one where that is asked for. */
  grow(isSmall?: boolean): void;
  /** Back to where it began, as a person goes back. */
  rewind(): void;
}

export interface Shape {
  readonly sizeBytes: number;
  /** Whether its outputs are large enough to be folded; such a conversation begins empty. */
  readonly isFoldable: boolean;
}

export function createConversation({ sizeBytes, isFoldable }: Shape): Conversation {
  const lines = isFoldable ? 260 : 50;
  const text = Array.from(
    { length: lines },
    (_, line) => `src/hull/frame-${line}.ts:${line * 7}: draught = compute("deck", ${line * 7919})`,
  ).join("\n");
  const session = Math.random().toString(36).slice(2);
  const history: object[] = [{ role: "user", content: `Survey ${session}.` }];
  const grow = (isSmall = false): void => {
    const id = `toolu_${session}_${history.length}`;
    const use = { type: "tool_use", id, name: "Bash", input: { command: `survey ${history.length}` } };
    history.push(
      { role: "assistant", content: [{ type: "text", text: "I look." }, use] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: `${isSmall ? "done" : text}\n${id}` }],
      },
    );
  };
  const exchangeBytes = JSON.stringify(text).length + 200;
  const render = (): Buffer =>
    Buffer.from(
      JSON.stringify({
        model: "claude-opus-5-5",
        messages: history,
        max_tokens: 1000,
        stream: true,
        tools: [{ name: "Bash", input_schema: { type: "object" } }],
        metadata: { user_id: `user_session_${session}` },
      }),
    );
  if (!isFoldable) for (let bytes = 0; bytes < sizeBytes; bytes += exchangeBytes) grow();
  const begun = history.length;
  const rewind = (): void => void history.splice(begun);
  return { grow, render, rewind };
}

/** The first request of a conversation: a prompt, behind a system prompt of about so many bytes. */
export function createFirst(sizeBytes: number): Buffer {
  const session = Math.random().toString(36).slice(2);
  return Buffer.from(
    JSON.stringify({
      model: "claude-opus-5-5",
      system: [
        { type: "text", text: "You survey ships. ".repeat(sizeBytes / 18), cache_control: { type: "ephemeral" } },
      ],
      messages: [{ role: "user", content: `Survey ${session}.` }],
      max_tokens: 1000,
      stream: true,
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
      metadata: { user_id: `user_session_${session}` },
    }),
  );
}
