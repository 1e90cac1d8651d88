/** 200 streams at the same time for five minutes: what the gateway's process weighs meanwhile. */
import { loadavg } from "node:os";
import { createConversation, readMetric, send, startPeer, startProgram } from "./gateway-traffic.ts";

const STREAMS = 200;
const MINUTES = Number(process.env.PLIMSOLL_SOAK_MINUTES ?? 5);
/** A stream lasts ten seconds, as an answer of a model does, and the next of its conversation follows. */
const STREAM = { "x-events": "100", "x-every": "100" } as const;
const SIZE_BYTES = 50_000;
/** Ten answers on, a conversation goes back to its beginning: what is remembered of it has one size over all five minutes. */
const EXCHANGES = 10;
const LOOK_MS = 15_000;

export async function run(): Promise<void> {
  const upstream = await startPeer("upstream");
  const gateway = await startProgram(upstream.url);
  const until = performance.now() + MINUTES * 60_000;
  const counts = { streams: 0, events: 0, failed: 0 };
  const worker = async (_: unknown, index: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, index * 50));
    const conversation = createConversation({ sizeBytes: SIZE_BYTES, isFoldable: false });
    for (let exchange = 0; exchange < index % EXCHANGES; exchange++) conversation.grow();
    for (let exchange = (index % EXCHANGES) + 1; performance.now() < until; exchange++) {
      const timing = await send(gateway.url, conversation.render(), STREAM).catch(() => undefined);
      counts.streams++;
      counts.events += timing?.events.length ?? 0;
      if (timing?.events.length !== Number(STREAM["x-events"])) counts.failed++;
      if (exchange % EXCHANGES === 0) conversation.rewind();
      else conversation.grow();
    }
  };
  const look = async (): Promise<void> => {
    const [rss, streams, sessions] = await Promise.all(
      ["process_resident_memory_bytes", "plimsoll_gateway_active_streams", "plimsoll_gateway_sessions"].map((name) =>
        readMetric(gateway.url, name),
      ),
    );
    const minute = ((performance.now() - until) / 60_000 + MINUTES).toFixed(2);
    const megabytes = Math.round((rss ?? 0) / 1e6);
    const load = loadavg()[0]?.toFixed(1);
    console.log(`minute ${minute}: ${megabytes} MB resident, ${streams} streams, ${sessions} sessions, load ${load}`);
  };
  const looking = setInterval(() => void look(), LOOK_MS);
  try {
    await Promise.all(Array.from({ length: STREAMS }, worker));
    clearInterval(looking);
    await look();
    const cpu = await readMetric(gateway.url, "process_cpu_seconds_total");
    console.log(
      `${counts.streams} streams with ${counts.events} events, ${counts.failed} of them not whole; ${cpu.toFixed(1)} s of CPU in ${MINUTES} minutes`,
    );
  } finally {
    clearInterval(looking);
    for (const peer of [gateway, upstream]) peer.close();
  }
}
