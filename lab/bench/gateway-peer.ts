/** Processes of their own for the gateway's benchmarks: an upstream that answers at once, a gateway in front of it, two relays, and somebody who asks how it is. */

import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import httpProxy from "http-proxy";
import { startGateway } from "../../src/entry/gateway/gateway.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";

const START = 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9}}}\n\n';
const DELTA =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}\n\n';

/** `x-events` of a request says how many events to send, one every `x-every` milliseconds, each with its time. */
function answer(incoming: http.IncomingMessage, response: http.ServerResponse): void {
  incoming.resume();
  incoming.once("end", () => {
    const events = Number(incoming.headers["x-events"] ?? 0);
    if (events === 0) {
      response.writeHead(200, { "content-type": "application/json" }).end('{"usage":{"input_tokens":9}}');
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(START);
    let sent = 0;
    const timer = setInterval(
      () => {
        response.write(`: ${performance.timeOrigin + performance.now()}\n${DELTA}`);
        if (++sent < events) return;
        clearInterval(timer);
        response.end();
      },
      Number(incoming.headers["x-every"] ?? 5),
    );
    response.once("close", () => clearInterval(timer));
  });
}

/** As little as a second hop can be: what it takes, no gateway gets below. */
function createRelay(upstream: URL): http.Server {
  const agent = new http.Agent({ keepAlive: true });
  const { hostname, port } = upstream;
  return http.createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const outgoing = http.request({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
}

/** What people put between a client and a server in Node. */
function createHttpProxy(target: URL): http.Server {
  const proxy = httpProxy.createProxyServer({ target: target.origin, agent: new http.Agent({ keepAlive: true }) });
  return http.createServer((incoming, response) => proxy.web(incoming, response));
}

const SERVERS: Readonly<Record<string, (upstream: string) => http.Server>> = {
  upstream: () => http.createServer(answer),
  relay: (upstream) => createRelay(new URL(upstream)),
  "http-proxy": (upstream) => createHttpProxy(new URL(upstream)),
};

const PAUSE_MS = 10;

/** Asks `/healthz` until it is told to stop, and then tells how long each answer took; `null` where there was none. */
async function watchHealth(url: string): Promise<void> {
  const times: (number | null)[] = [];
  process.once("message", () => process.send?.(times));
  process.send?.("asking");
  for (;;) {
    const askedMs = performance.now();
    const status = await askOnce(`${url}/healthz`);
    times.push(status === 200 ? performance.now() - askedMs : null);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** 0 where there was no answer. */
function askOnce(url: string): Promise<number> {
  return new Promise((resolve) => {
    const asked = http.get(url, { agent: false }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", () => resolve(0));
  });
}

/** Runs as the child that the benchmark forks: tells its address, and ends with its parent. */
export async function runPeer(role: string, upstream: string): Promise<void> {
  process.once("disconnect", () => process.exit(0));
  if (role === "health") return watchHealth(upstream);
  process.on("message", () => process.send?.(process.cpuUsage()));
  const server = SERVERS[role]?.(upstream);
  if (server) {
    // A connection rests while the other side is measured: it must still be there afterwards.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const thread = {
    file: path.resolve(import.meta.dirname, "../../dist/reading-thread.cjs"),
    settings: { store: folder, planner: {}, compaction: "pass", baseLife: undefined, memoryBytes: undefined },
  } as const;
  const gateway = await startGateway({ upstream: new URL(upstream), store: createFileStore({ folder }), thread });
  process.send?.(gateway.url);
}
