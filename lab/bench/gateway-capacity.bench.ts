/** What one instance carries: CPU for a request by body and by sessions, memory for a session, and how often a person asks. */
import { loadavg } from "node:os";
import { hasPostgres, openPostgres } from "../../test/gateway/postgres.ts";
import { hasCorpus } from "./corpus.ts";
import { measureDeveloperRate } from "./developer-rate.ts";
import {
  type Conversation,
  createConversation,
  migrateProgram,
  type Peer,
  readMetric,
  send,
  startPeer,
  startProgram,
} from "./gateway-traffic.ts";

const CONCURRENT = 8;
const SIZES = [5_000, 100_000, 500_000, 1_000_000, 5_000_000] as const;
const PER_SIZE_MS = 4_000;
const EXCHANGES = 12;
const SESSIONS = [1, 100, 500, 1_000, 2_000, 4_000] as const;
const SESSION_BYTES = 100_000;

export async function run(): Promise<void> {
  await reportRate();
  const upstream = await startPeer("upstream");
  const database = hasPostgres ? await openPostgres() : undefined;
  try {
    console.log(`load ${loadavg()[0]?.toFixed(1)} at the start`);
    await growBodies(upstream, "folder");
    if (database) {
      migrateProgram(database.url);
      await growBodies(upstream, "PostgreSQL", database.url);
    }
    await growSessions(upstream);
    console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
  } finally {
    upstream.close();
    await database?.remove();
  }
}

async function reportRate(): Promise<void> {
  if (!hasCorpus) return console.log("no recorded sessions here: requests per developer-hour are not computed");
  const { sessions, requests, requestsPerHour, busyRequestsPerHour, medianGapSeconds } = await measureDeveloperRate();
  console.log(
    `${sessions} recorded sessions, ${requests} requests: ${requestsPerHour.toFixed(0)} an hour of work, the busiest tenth ${busyRequestsPerHour.toFixed(0)} and more; ${medianGapSeconds.toFixed(1)} s between two at the median`,
  );
}

interface Cost {
  readonly requests: number;
  readonly cpuMs: number;
  readonly busyMs: number;
  readonly wallMs: number;
}

/** CPU of the gateway's process says what a request costs, whoever else uses the machine. */
async function measure(gateway: Peer, work: () => Promise<number>): Promise<Cost> {
  const read = async (): Promise<readonly [number, number]> => [
    (await readMetric(gateway.url, "process_cpu_seconds_total")) * 1000,
    (await readMetric(gateway.url, "plimsoll_gateway_event_loop_active_seconds_total")) * 1000,
  ];
  const [cpuBefore, busyBefore] = await read();
  const started = performance.now();
  const requests = await work();
  const wallMs = performance.now() - started;
  const [cpuAfter, busyAfter] = await read();
  return { requests, cpuMs: cpuAfter - cpuBefore, busyMs: busyAfter - busyBefore, wallMs };
}

/** Clients that ask one after another, each in a conversation of its own that grows by an exchange a request. */
async function askFor(ms: number, url: string, conversations: readonly Conversation[]): Promise<number> {
  const until = performance.now() + ms;
  let requests = 0;
  const ask = async (conversation: Conversation): Promise<void> => {
    for (let exchange = 1; performance.now() < until; exchange++) {
      await send(url, conversation.render());
      // A dozen small exchanges and back, so that the body keeps its size.
      if (exchange % EXCHANGES === 0) conversation.rewind();
      else conversation.grow(true);
      requests++;
    }
  };
  await Promise.all(conversations.map(ask));
  return requests;
}

async function growBodies(upstream: Peer, name: string, store?: string): Promise<void> {
  const gateway = await startProgram(upstream.url, store);
  try {
    for (const sizeBytes of SIZES) {
      const conversations = Array.from({ length: CONCURRENT }, () =>
        createConversation({ sizeBytes, isFoldable: false }),
      );
      const cold = await measure(gateway, async () => {
        for (const conversation of conversations) await send(gateway.url, conversation.render());
        return conversations.length;
      });
      const warm = await measure(gateway, () => askFor(PER_SIZE_MS, gateway.url, conversations));
      const each = (cost: Cost): string => (cost.cpuMs / cost.requests).toFixed(2);
      const full = (1000 * warm.requests) / warm.busyMs;
      const perSecond = (warm.requests * 1000) / warm.wallMs;
      console.log(
        `${name}, ${sizeBytes / 1000} KB: first request ${each(cold)} ms of CPU, following ${each(warm)} ms; ${perSecond.toFixed(0)} requests a second here, ${full.toFixed(0)} where its thread is full`,
      );
    }
  } finally {
    gateway.close();
  }
}

/** The same sessions again and again, in turn: beyond what an instance remembers each is parsed anew. */
async function growSessions(upstream: Peer): Promise<void> {
  const gateway = await startProgram(upstream.url);
  const sessions: Conversation[] = [];
  try {
    await askFor(2_000, gateway.url, [createConversation({ sizeBytes: SESSION_BYTES, isFoldable: false })]);
    const emptyBytes = await readMetric(gateway.url, "process_resident_memory_bytes");
    for (const count of SESSIONS) {
      while (sessions.length < count)
        sessions.push(createConversation({ sizeBytes: SESSION_BYTES, isFoldable: false }));
      await askEach(gateway.url, sessions);
      const again = await measure(gateway, () => askEach(gateway.url, sessions));
      const rss = await readMetric(gateway.url, "process_resident_memory_bytes");
      const known = await readMetric(gateway.url, "plimsoll_gateway_sessions");
      const bodies = await readMetric(gateway.url, "plimsoll_gateway_session_bytes");
      console.log(
        `${count} sessions of ${SESSION_BYTES / 1000} KB: ${(again.cpuMs / again.requests).toFixed(2)} ms of CPU each, ${Math.round(rss / 1e6)} MB resident (${Math.round(emptyBytes / 1e6)} without), ${known} remembered with ${Math.round(bodies / 1e6)} MB of bodies: ${Math.round((rss - emptyBytes) / known / 1000)} KB a session`,
      );
    }
  } finally {
    gateway.close();
  }
}

async function askEach(url: string, sessions: readonly Conversation[]): Promise<number> {
  const waiting = [...sessions];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(url, next.render());
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return sessions.length;
}
