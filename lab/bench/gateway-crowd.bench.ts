/** Crowds that no instance can serve at once: how long `/healthz` takes meanwhile, what everybody is told, and the most memory that it took. */
import { readFileSync } from "node:fs";
import http from "node:http";
import zlib from "node:zlib";
import { createConversation, type Peer, startPeer, startProgram, watchHealth } from "./gateway-traffic.ts";

const NEW_CONVERSATIONS = 100;
const NEW_BYTES = 5_000_000;
const ATTACKERS = 48;
const UNPACKED_BYTES = 60_000_000;
const MEMORY_MB = 2_000;

export async function run(): Promise<void> {
  const upstream = await startPeer("upstream");
  try {
    await reportCrowd(upstream, {
      name: `${NEW_CONVERSATIONS} new conversations of ${NEW_BYTES / 1e6} MB at once`,
      bodies: renderNew(),
      headers: {},
    });
    for (const [name, text] of Object.entries(PACKED))
      await reportCrowd(upstream, {
        name: `${ATTACKERS} bodies of ${UNPACKED_BYTES / 1e6} MB unpacked, ${name}`,
        bodies: Array.from({ length: ATTACKERS }, () => [zlib.gzipSync(text)]),
        headers: { "content-encoding": "gzip" },
      });
  } finally {
    upstream.close();
  }
}

/** Valid, and almost nothing once it is compressed. */
const PACKED: Readonly<Record<string, string>> = {
  "one long text": `{"model":"m","messages":[{"role":"user","content":"${"a".repeat(UNPACKED_BYTES)}"}]}`,
  "millions of empty blocks": `{"model":"m","messages":[{"role":"user","content":[${"{},".repeat(UNPACKED_BYTES / 3)}{}]}]}`,
  "millions of small messages": `{"model":"m","messages":[${'{"role":"assistant","content":"a"},'.repeat(UNPACKED_BYTES / 35)}{"role":"user","content":"a"}]}`,
};

/** They differ in their session alone, so that what is measured is not the memory of whoever asks. */
function renderNew(): readonly (readonly Buffer[])[] {
  const whole = createConversation({ sizeBytes: NEW_BYTES, isFoldable: false }).render();
  const [body] = String(whole).split(',"metadata":');
  const shared = Buffer.from(body ?? "");
  return Array.from({ length: NEW_CONVERSATIONS }, (_, index) => [
    shared,
    Buffer.from(`,"metadata":{"user_id":"user_session_${index}"}}`),
  ]);
}

interface Crowd {
  readonly name: string;
  /** Each in pieces. */
  readonly bodies: readonly (readonly Buffer[])[];
  readonly headers: http.OutgoingHttpHeaders;
}

async function reportCrowd(upstream: Peer, { name, bodies, headers }: Crowd): Promise<void> {
  const gateway = await startProgram(upstream.url, undefined, ["--memory-mb", String(MEMORY_MB)]);
  try {
    const endWatch = await watchHealth(gateway.url);
    const beganMs = performance.now();
    const crowd = await Promise.all(bodies.map((body) => ask(`${gateway.url}/v1/messages`, headers, body)));
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
    const health = await endWatch();
    const statuses = new Map<number, number>();
    for (const status of crowd) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const reported = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ");
    console.log(
      `${name}: ${reported} in ${seconds} s; /healthz asked ${health.length} times, at most ${Math.max(...health).toFixed(0)} ms; at most ${readPeakMb(gateway)} MB resident`,
    );
  } finally {
    gateway.close();
  }
}

/** 0 where there was no answer. */
function ask(url: string, given: http.OutgoingHttpHeaders, body: readonly Buffer[]): Promise<number> {
  return new Promise((resolve) => {
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const headers = { ...given, "content-length": length };
    const asked = http.request(url, { method: "POST", headers, agent: false }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", () => resolve(0));
    for (const piece of body) asked.write(piece);
    asked.end();
  });
}

/** As the kernel tells it; elsewhere it is not known. */
function readPeakMb({ pid }: Peer): string {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? "?" : (Number(kilobytes) / 1024).toFixed(0);
  } catch {
    return "?";
  }
}
