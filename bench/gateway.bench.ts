/** The gateway against a direct connection, interleaved: time to the first byte, time between events, requests a second. */
import { runPeer } from "./gateway-peer.ts";
import { type Conversation, createConversation, type Shape, send, startPeer } from "./gateway-traffic.ts";
import { median } from "./measure.ts";

const ROUNDS = 400;
const LARGE_ROUNDS = 40;
const STREAMS = 40;
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
  const relay = await startPeer("relay", upstream.url);
  const targets = { direct: upstream.url, gateway: gateway.url, relay: relay.url };
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
    for (const peer of [gateway, relay, upstream]) peer.close();
  }
}

/** The bare relay says how much of it any second hop would take. */
const HOPS = ["direct", "relay", "gateway"] as const;

type Target = (typeof HOPS)[number];
type Targets = Readonly<Record<Target, string>>;

interface Load extends Shape {
  readonly name: string;
  readonly rounds: number;
}

/** A large conversation has grown through the gateway: what was large in it was folded when it was new. */
async function growTo(sizeBytes: number, conversation: Conversation, url: string): Promise<void> {
  for (let body = conversation.render(); body.length < sizeBytes; body = conversation.render()) {
    await send(url, body);
    conversation.grow();
  }
}

async function timeFirstBytes(targets: Targets, load: Load): Promise<void> {
  const conversations = {
    direct: createConversation(load),
    relay: createConversation(load),
    gateway: createConversation(load),
  };
  if (load.isFoldable) for (const name of HOPS) await growTo(load.sizeBytes, conversations[name], targets[name]);
  const times: Record<Target, number[]> = { direct: [], relay: [], gateway: [] };
  let bytes = 0;
  for (let round = 0; round < load.rounds + 5; round++) {
    for (const name of HOPS) {
      if (load.isFoldable) conversations[name].grow();
      const body = conversations[name].render();
      const { firstByteMs } = await send(targets[name], body, { "x-events": "1", "x-every": "1" });
      bytes = body.length;
      if (round >= 5) times[name].push(firstByteMs);
    }
  }
  const add = (name: Target): string => show(times[name].map((ms, index) => ms - (times.direct[index] ?? 0)));
  console.log(
    `${load.name} (${Math.round(bytes / 1000)} KB): direct ${show(times.direct)}; added by the gateway: ${add("gateway")}; by a bare relay: ${add("relay")}`,
  );
}

async function timeEvents(targets: Targets): Promise<void> {
  const ways: Record<Target, number[]> = { direct: [], relay: [], gateway: [] };
  const gaps: Record<Target, number[]> = { direct: [], relay: [], gateway: [] };
  for (let round = 0; round < STREAMS; round++)
    for (const name of HOPS) {
      const body = createConversation({ sizeBytes: 5_000, isFoldable: false }).render();
      const { events } = await send(targets[name], body, { "x-events": String(EVENTS), "x-every": "5" });
      ways[name].push(...events.map(({ sentMs, arrivedMs }) => arrivedMs - sentMs));
      gaps[name].push(...events.slice(1).map(({ arrivedMs }, index) => arrivedMs - (events[index]?.arrivedMs ?? 0)));
    }
  const tell = (times: Record<Target, number[]>): string =>
    HOPS.map((name) => `${name} ${show(times[name])}`).join(", ");
  console.log(`between one event's arrival and the next: ${tell(gaps)}`);
  console.log(`from sending an event to its arrival: ${tell(ways)}`);
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
