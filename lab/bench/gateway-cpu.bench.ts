/**
 * Processor time per request: the gateway's process compared with a bare relay's, in turn. Time by the clock says little on a shared
 * machine, and the processor's time says what an instance can carry.
 */
import { loadavg } from "node:os";
import { createConversation, createFirst, type MeasuredPeer, send, startPeer } from "./gateway-traffic.ts";
import { median } from "./measure.ts";

const ROUNDS = 5;
/** Until the engine has compiled what runs all the time. */
const WARM_ROUNDS = 2;
const NEW_STREAMS = 200;
const NEW_BYTES = 50_000;
const SMALL_BYTES = 5_000;
const SMALL_REQUESTS = 1_600;
const CONCURRENT = 32;
const STREAMED = { "x-events": "20", "x-every": "20", connection: "close" };

const HOPS = ["direct", "relay", "gateway"] as const;
type Hop = (typeof HOPS)[number];
type Peers = Readonly<Record<Hop, MeasuredPeer>>;

/** One round of a workload sends its requests to an address, and returns how many there were. */
interface Workload {
  readonly name: string;
  run(url: string): Promise<number>;
}

const WORKLOADS: readonly Workload[] = [
  {
    name: `${NEW_STREAMS} first requests of ${NEW_BYTES / 1000} KB at once, streamed`,
    run: (url) => sendAtOnce(url, () => createFirst(NEW_BYTES)),
  },
  {
    name: `${NEW_STREAMS} conversations of ${NEW_BYTES / 1000} KB that the hop has not seen, at once, streamed`,
    run: (url) => sendAtOnce(url, () => createConversation({ sizeBytes: NEW_BYTES, isFoldable: false }).render()),
  },
  { name: `small requests of ${SMALL_BYTES / 1000} KB, ${CONCURRENT} at a time`, run: sendSmall },
];

export async function run(): Promise<void> {
  const direct = await startPeer("upstream");
  const relay = await startPeer("relay", direct.url);
  const gateway = await startPeer("gateway", direct.url);
  const peers: Peers = { direct, relay, gateway };
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the start, ${ROUNDS} rounds`);
  console.log("| processor time per request (requests a second) | direct | relay | gateway | gateway over relay |");
  console.log("|---|---|---|---|---|");
  try {
    for (const workload of WORKLOADS) console.log(render(workload.name, await measure(workload, peers)));
  } finally {
    for (const hop of [gateway, relay, direct]) hop.close();
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
}

interface Cost {
  /** Of the hop's process; of the upstream's where there is no hop. */
  readonly cpuMs: number;
  readonly perSecond: number;
}

async function measure(workload: Workload, peers: Peers): Promise<Readonly<Record<Hop, readonly Cost[]>>> {
  const costs: Record<Hop, Cost[]> = { direct: [], relay: [], gateway: [] };
  for (let round = 0; round < ROUNDS + WARM_ROUNDS; round++)
    for (const hop of HOPS) {
      const cost = await measureRound(workload, peers[hop]);
      if (round >= WARM_ROUNDS) costs[hop].push(cost);
    }
  return costs;
}

async function measureRound(workload: Workload, peer: MeasuredPeer): Promise<Cost> {
  const beforeMs = await waitUntilIdle(peer);
  const beganMs = performance.now();
  const requests = await workload.run(peer.url);
  const seconds = (performance.now() - beganMs) / 1000;
  return { cpuMs: ((await waitUntilIdle(peer)) - beforeMs) / requests, perSecond: requests / seconds };
}

/** What is written or collected after an answer is part of its price: waits for it, and returns the processor time so far. */
async function waitUntilIdle(peer: MeasuredPeer): Promise<number> {
  for (let knownMs = await peer.cpuMs(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const nowMs = await peer.cpuMs();
    if (nowMs - knownMs < IDLE_CPU_MS) return nowMs;
    knownMs = nowMs;
  }
}

/** Longer than what is written later waits for others of its kind. */
const IDLE_MS = 700;
const IDLE_CPU_MS = 5;

async function sendAtOnce(url: string, create: () => Buffer): Promise<number> {
  const bodies = Array.from({ length: NEW_STREAMS }, create);
  await Promise.all(bodies.map((body) => send(url, body, STREAMED)));
  return bodies.length;
}

async function sendSmall(url: string): Promise<number> {
  let left = SMALL_REQUESTS;
  const worker = async (): Promise<void> => {
    const body = createConversation({ sizeBytes: SMALL_BYTES, isFoldable: false }).render();
    for (; left > 0; left--) await send(url, body);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return SMALL_REQUESTS;
}

function render(name: string, costs: Readonly<Record<Hop, readonly Cost[]>>): string {
  const cpu = (hop: Hop): number => median(costs[hop].map(({ cpuMs }) => cpuMs));
  const rate = (hop: Hop): number => median(costs[hop].map(({ perSecond }) => perSecond));
  const cells = HOPS.map((hop) => `${cpu(hop).toFixed(2)} ms (${rate(hop).toFixed(0)})`);
  const ratios = costs.gateway.map(({ cpuMs }, round) => cpuMs / (costs.relay[round]?.cpuMs ?? Number.NaN));
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const ofRate = (rate("gateway") / rate("relay")).toFixed(2);
  return `| ${name} | ${cells.join(" | ")} | ${median(ratios).toFixed(2)} times the CPU (${spread}), ${ofRate} of the rate |`;
}
