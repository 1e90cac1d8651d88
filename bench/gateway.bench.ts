/** The gateway against a direct connection, interleaved: time to the first byte, time between events, requests a second. */
import { type ChildProcess, fork } from "node:child_process";
import http from "node:http";
import { runPeer } from "./gateway-peer.ts";
import { median } from "./measure.ts";

const ROUNDS = 400;
const LARGE_ROUNDS = 40;
const STREAMS = 20;
const EVENTS = 100;
const SMALL_MS = 4_000;
const CONCURRENT = 32;

const peer = process.env.PLIMSOLL_BENCH_PEER;
if (peer) {
  await runPeer(peer, process.env.PLIMSOLL_BENCH_UPSTREAM ?? "");
  // A peer serves until its parent is gone, and measures nothing.
  await new Promise<never>(() => undefined);
}

export async function run(): Promise<void> {
  const upstream = await startPeer("upstream");
  const gateway = await startPeer("gateway", upstream.url);
  const targets = { direct: upstream.url, gateway: gateway.url };
  try {
    await timeFirstBytes(targets, {
      name: "100 KB, nothing to do",
      rounds: ROUNDS,
      sizeBytes: 100_000,
      isFoldable: false,
    });
    await timeFirstBytes(targets, {
      name: "5 MB, with edits",
      rounds: LARGE_ROUNDS,
      sizeBytes: 5_000_000,
      isFoldable: true,
    });
    await timeEvents(targets);
    await countSmall(targets);
  } finally {
    for (const { child } of [gateway, upstream]) child.disconnect();
  }
}

interface Peer {
  readonly child: ChildProcess;
  readonly url: string;
}

const NAMES = ["direct", "gateway"] as const;

type Targets = Readonly<Record<"direct" | "gateway", string>>;

function startPeer(role: string, upstream = ""): Promise<Peer> {
  const env = { ...process.env, PLIMSOLL_BENCH_PEER: role, PLIMSOLL_BENCH_UPSTREAM: upstream };
  const child = fork(process.argv[1] ?? "", ["gateway"], { env, execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once("message", (url) => resolve({ child, url: String(url) }));
    child.once("exit", (code) => reject(new Error(`${role} ended with ${code}`)));
  });
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

interface Timing {
  readonly firstByteMs: number;
  readonly gapsMs: readonly number[];
}

function send(url: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let firstByteMs = 0;
    const gapsMs: number[] = [];
    const asked = http.request(
      `${url}/v1/messages`,
      { method: "POST", agent, headers: { "content-length": body.length, ...headers } },
      (answer) => {
        answer.on("data", (chunk: Buffer) => {
          firstByteMs ||= performance.now() - started;
          const now = performance.timeOrigin + performance.now();
          for (const [, sent] of chunk.toString("latin1").matchAll(/^: ([\d.]+)$/gm)) gapsMs.push(now - Number(sent));
        });
        answer.on("end", () => resolve({ firstByteMs, gapsMs }));
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

interface Load {
  readonly name: string;
  readonly rounds: number;
  readonly sizeBytes: number;
  readonly isFoldable: boolean;
}

interface Conversation {
  /** The body as it is now. */
  render(): Buffer;
  /** One more exchange, as a client adds them. */
  grow(): void;
}

function createConversation({ sizeBytes, isFoldable }: Pick<Load, "sizeBytes" | "isFoldable">): Conversation {
  const lines = isFoldable ? 260 : 50;
  const text = Array.from(
    { length: lines },
    (_, line) => `src/hull/frame-${line}.ts:${line * 7}: draught = compute("deck", ${line * 7919})`,
  ).join("\n");
  const session = Math.random().toString(36).slice(2);
  const history: object[] = [{ role: "user", content: `Survey ${session}.` }];
  const grow = (): void => {
    const id = `toolu_${session}_${history.length}`;
    const use = { type: "tool_use", id, name: "Bash", input: { command: `survey ${history.length}` } };
    history.push(
      { role: "assistant", content: [{ type: "text", text: "I look." }, use] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `${text}\n${id}` }] },
    );
  };
  const render = (): Buffer =>
    Buffer.from(
      JSON.stringify({
        model: "claude-opus-5-5",
        messages: history,
        max_tokens: 1000,
        stream: true,
        metadata: { user_id: `user_session_${session}` },
      }),
    );
  if (!isFoldable) while (render().length < sizeBytes) grow();
  return { grow, render };
}

/** A large conversation has grown through the gateway: what was large in it was folded when it was new. */
async function growTo(sizeBytes: number, conversation: Conversation, url: string): Promise<void> {
  for (let body = conversation.render(); body.length < sizeBytes; body = conversation.render()) {
    await send(url, body);
    conversation.grow();
  }
}

async function timeFirstBytes(targets: Targets, load: Load): Promise<void> {
  const conversations = { direct: createConversation(load), gateway: createConversation(load) };
  if (load.isFoldable) for (const name of NAMES) await growTo(load.sizeBytes, conversations[name], targets[name]);
  const times: Record<keyof Targets, number[]> = { direct: [], gateway: [] };
  let bytes = 0;
  for (let round = 0; round < load.rounds + 5; round++) {
    for (const name of NAMES) {
      if (load.isFoldable) conversations[name].grow();
      const body = conversations[name].render();
      const { firstByteMs } = await send(targets[name], body, { "x-events": "1", "x-every": "1" });
      bytes = body.length;
      if (round >= 5) times[name].push(firstByteMs);
    }
  }
  const added = times.gateway.map((ms, index) => ms - (times.direct[index] ?? 0));
  console.log(
    `${load.name} (${Math.round(bytes / 1000)} KB): direct ${show(times.direct)}, gateway ${show(times.gateway)}; added: ${show(added)}`,
  );
}

async function timeEvents(targets: Targets): Promise<void> {
  const gaps: Record<keyof Targets, number[]> = { direct: [], gateway: [] };
  for (let round = 0; round < STREAMS; round++)
    for (const name of NAMES) {
      const body = createConversation({ sizeBytes: 5_000, isFoldable: false }).render();
      const { gapsMs } = await send(targets[name], body, { "x-events": String(EVENTS), "x-every": "5" });
      gaps[name].push(...gapsMs);
    }
  console.log(`from sending an event to its arrival: direct ${show(gaps.direct)}, gateway ${show(gaps.gateway)}`);
}

async function countSmall(targets: Targets): Promise<void> {
  const body = createConversation({ sizeBytes: 5_000, isFoldable: false }).render();
  for (const name of ["direct", "gateway", "direct", "gateway"] as const) {
    const until = performance.now() + SMALL_MS / 2;
    let count = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < until) {
        await send(targets[name], body);
        count++;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    console.log(
      `requests of ${body.length} bytes a second, ${CONCURRENT} at a time: ${name} ${Math.round((count * 1000) / (SMALL_MS / 2))}`,
    );
  }
}

function show(values: readonly number[]): string {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2);
  return `median ${median(values).toFixed(2)} ms, p99 ${at(0.99)} ms`;
}
