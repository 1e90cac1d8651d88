/** The gateway against a direct connection, interleaved: time to the first byte, time between events, requests a second. */
import { runPeer } from "./gateway-peer.ts";
import { type Conversation, createConversation, createFirst, type Shape, send, startPeer } from "./gateway-traffic.ts";

const ROUNDS = 400;
const LARGE_ROUNDS = 40;
const STREAMS = 40;
const EVENTS = 100;
const SMALL_MS = 4_000;
const NEW_STREAMS = 200;
const NEW_ROUNDS = 15;
/** Until the engine has compiled what runs all the time, of every hop. */
const WARM_ROUNDS = 5;
const NEW_BYTES = 20_000;
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
  const proxy = await startPeer("http-proxy", upstream.url);
  const targets = { direct: upstream.url, gateway: gateway.url, relay: relay.url, "http-proxy": proxy.url };
  try {
    printTable([
      await timeFirstBytes(targets, {
        name: "100 KB, nothing to do",
        rounds: ROUNDS,
        sizeBytes: 100_000,
        isFoldable: false,
      }),
      await timeFirstBytes(targets, {
        name: "5 MB, with edits",
        rounds: LARGE_ROUNDS,
        sizeBytes: 5_000_000,
        isFoldable: true,
      }),
      await timeNewStreams(targets),
    ]);
    await timeEvents(targets);
    await countSmall(targets);
  } finally {
    for (const peer of [gateway, relay, proxy, upstream]) peer.close();
  }
}

/** The bare relay says how much of it any second hop would take, `http-proxy` what the usual one does. */
const HOPS = ["direct", "relay", "http-proxy", "gateway"] as const;

type Target = (typeof HOPS)[number];
type Targets = Readonly<Record<Target, string>>;
type Times = Readonly<Record<Target, number[]>>;

const noTimes = (): Times => ({ direct: [], relay: [], "http-proxy": [], gateway: [] });

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

/** The time to the first byte by way, at the median and at the 99th percentile. */
interface FirstBytes {
  readonly name: string;
  readonly median: Readonly<Record<Target, number>>;
  readonly p99: Readonly<Record<Target, number>>;
}

const forEachHop = (find: (name: Target) => number): Readonly<Record<Target, number>> => ({
  direct: find("direct"),
  relay: find("relay"),
  "http-proxy": find("http-proxy"),
  gateway: find("gateway"),
});

/** As `docs/research/benchmark.md` has it. */
function printTable(rows: readonly FirstBytes[]): void {
  const line = (name: string, found: FirstBytes["median"]): string =>
    `| ${name} | ${HOPS.map((hop) => `${found[hop].toFixed(1)} ms`).join(" | ")} | ${(found.gateway - found.relay).toFixed(1)} ms, ${(found.gateway / found.relay).toFixed(2)} times |`;
  console.log(`| first byte | ${HOPS.join(" | ")} | gateway over relay |\n|---|---|---|---|---|---|`);
  for (const { name, median, p99 } of rows)
    console.log(`${line(`${name}: median`, median)}\n${line(`${name}: p99`, p99)}`);
}

async function timeFirstBytes(targets: Targets, load: Load): Promise<FirstBytes> {
  const conversations = {
    direct: createConversation(load),
    relay: createConversation(load),
    "http-proxy": createConversation(load),
    gateway: createConversation(load),
  };
  if (load.isFoldable) for (const name of HOPS) await growTo(load.sizeBytes, conversations[name], targets[name]);
  const times = noTimes();
  let bytes = 0;
  for (let round = 0; round < load.rounds + WARM_ROUNDS; round++) {
    for (const name of HOPS) {
      if (load.isFoldable) conversations[name].grow();
      const body = conversations[name].render();
      const { firstByteMs } = await send(targets[name], body, { "x-events": "1", "x-every": "1" });
      bytes = body.length;
      if (round >= WARM_ROUNDS) times[name].push(firstByteMs);
    }
  }
  return {
    name: `${load.name} (${Math.round(bytes / 1000)} KB)`,
    median: forEachHop((name) => at(times[name], 0.5)),
    p99: forEachHop((name) => at(times[name], 0.99)),
  };
}

const render = (times: Times): string => HOPS.map((name) => `${name} ${show(times[name])}`).join(", ");

/**
 * Conversations that nobody has seen, all begun in the same moment, each with a connection of its own. A moment in which the machine
 * does something else is one round's: figures are medians over the rounds.
 */
async function timeNewStreams(targets: Targets): Promise<FirstBytes> {
  const [medians, p99s] = [noTimes(), noTimes()];
  for (let round = 0; round < NEW_ROUNDS + WARM_ROUNDS; round++)
    for (const name of HOPS) {
      const bodies = Array.from({ length: NEW_STREAMS }, () => createFirst(NEW_BYTES));
      const headers = { "x-events": "20", "x-every": "20", connection: "close" };
      const timings = await Promise.all(bodies.map((body) => send(targets[name], body, headers)));
      const found = timings.map(({ firstByteMs }) => firstByteMs);
      if (round < WARM_ROUNDS) continue;
      medians[name].push(at(found, 0.5));
      p99s[name].push(at(found, 0.99));
    }
  return {
    name: `${NEW_STREAMS} new streams of ${NEW_BYTES / 1000} KB at once`,
    median: forEachHop((name) => at(medians[name], 0.5)),
    p99: forEachHop((name) => at(p99s[name], 0.5)),
  };
}

async function timeEvents(targets: Targets): Promise<void> {
  const [ways, gaps] = [noTimes(), noTimes()];
  for (let round = 0; round < STREAMS; round++)
    for (const name of HOPS) {
      const body = createConversation({ sizeBytes: 5_000, isFoldable: false }).render();
      const { events } = await send(targets[name], body, { "x-events": String(EVENTS), "x-every": "5" });
      ways[name].push(...events.map(({ sentMs, arrivedMs }) => arrivedMs - sentMs));
      gaps[name].push(...events.slice(1).map(({ arrivedMs }, index) => arrivedMs - (events[index]?.arrivedMs ?? 0)));
    }
  console.log(`between one event's arrival and the next: ${render(gaps)}`);
  console.log(`from sending an event to its arrival: ${render(ways)}`);
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

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function show(values: readonly number[]): string {
  return `median ${at(values, 0.5).toFixed(2)} ms, p99 ${at(values, 0.99).toFixed(2)} ms`;
}
