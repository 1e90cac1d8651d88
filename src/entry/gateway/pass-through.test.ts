/** If red: a request that is no message does not reach the API as it was sent, or a balancer is told a wrong state. */
import http, { type IncomingMessage } from "node:http";
import net, { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Connection, GatewayContext, HttpCall } from "./exchange.ts";
import { createUpstream } from "./http/upstream.ts";
import { createMetrics } from "./metrics.ts";
import { answerOwn, OWN_ROUTES, passThrough, pathOf } from "./pass-through.ts";
import type { PartCheck } from "./start-check.ts";

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => sockets.add(socket.on("error", () => undefined)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const openMetrics = () =>
  createMetrics(
    () => ({ slicesWaiting: 0, memoryWaiting: 0, sessions: 0, bytes: 0 }),
    () => 0,
  );

/** A gateway that passes everything on to this upstream. */
async function open(upstreamPort: number) {
  const metrics = openMetrics();
  const upstream = createUpstream({ url: new URL(`http://127.0.0.1:${upstreamPort}`), idleMs: 60_000 });
  onTestFinished(() => upstream.close());
  const server = http.createServer((incoming, response) =>
    passThrough({ incoming, response } as HttpCall, { upstream, metrics } as GatewayContext),
  );
  return { port: await listen(server), metrics };
}

interface Heard {
  readonly status: number | undefined;
  readonly text: string;
}

function ask(port: number, options: http.RequestOptions = {}, body?: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, agent: false, path: "/v1/models?limit=3", ...options });
    request.on("error", reject).on("response", async (answer) => {
      resolve({ status: answer.statusCode, text: String(await buffer(answer).catch(() => "broken")) });
    });
    request.end(body);
  });
}

describe("a request that is no message", () => {
  it.each<[string, http.RequestOptions, string | undefined, string]>([
    ["without a body", {}, undefined, "GET /v1/models?limit=3 undefined undefined "],
    [
      "with a body",
      { method: "POST", headers: { "Content-Length": 4 } },
      "four",
      "POST /v1/models?limit=3 4 undefined four",
    ],
    [
      "in pieces",
      { method: "PUT", headers: { "Transfer-Encoding": "chunked" } },
      "four",
      "PUT /v1/models?limit=3 undefined chunked four",
    ],
    ["to delete something", { method: "DELETE" }, undefined, "DELETE /v1/models?limit=3 undefined undefined "],
  ])("reaches the API as it was sent, %s, and so does its answer", async (_, options, body, seen) => {
    const heard: string[] = [];
    const api = http.createServer(async (incoming, response) => {
      const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
      heard.push(`${incoming.method} ${incoming.url} ${length} ${coding} ${await buffer(incoming)}`);
      response.writeHead(418).end("planks");
    });
    const { port, metrics } = await open(await listen(api));
    expect(await ask(port, options, body)).toEqual({ status: 418, text: "planks" });
    expect(heard).toEqual([seen]);
    expect(metrics.render()).toContain('passed_total{status="418"} 1\n');
  });

  /** Answers the first request on a connection, and resets it with the second. */
  const openStale = (): net.Server =>
    net.createServer((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        socket.once("data", () => socket.resetAndDestroy());
      }),
    );

  it.each([
    ["GET", {}, "200"],
    ["HEAD", {}, "200"],
    ["DELETE", {}, "socket hang up|ECONNRESET"],
    ["GET", { "Content-Length": 1 }, "socket hang up|ECONNRESET"],
  ])("%s %j is sent again over a new connection only where nothing can happen twice", async (method, headers, end) => {
    const { port } = await open(await listen(openStale()));
    expect((await ask(port)).status).toBe(200);
    const second = ask(port, { method, headers }, "Content-Length" in headers ? "x" : undefined);
    const outcome = await second.then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(new RegExp(end));
  });

  it("fails with words of ours where the API is not there, and is counted", async () => {
    const gone = net.createServer();
    const upstreamPort = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const { port, metrics } = await open(upstreamPort);
    const { status, text } = await ask(port);
    expect(status).toBe(502);
    expect(text).toContain("the upstream could not be reached (ECONNREFUSED)");
    expect(metrics.render()).toContain('passed_total{status="0"} 1\n');
    expect(metrics.render()).toMatch(/upstream_errors_total 1\n/);
  });

  it("is given up where its client leaves, and that is no fault of the API", async () => {
    let isClosed = false;
    const silent = net.createServer((socket) => socket.resume().on("close", () => (isClosed = true)));
    const connected = new Promise<unknown>((resolve) => silent.once("connection", resolve));
    const { port, metrics } = await open(await listen(silent));
    const request = http.get({ host: "127.0.0.1", port, agent: false }).on("error", () => undefined);
    await connected;
    request.destroy();
    await expect.poll(() => isClosed).toBe(true);
    await expect.poll(() => metrics.render()).toMatch(/client_aborts_total 1\n/);
    expect(metrics.render()).toMatch(/upstream_errors_total 0\n/);
    expect(metrics.render()).not.toContain("passed_total{");
  });
});

describe("the gateway's own routes", () => {
  const own = async (url: string, check?: () => Promise<readonly PartCheck[]>): Promise<Heard> => {
    const server = http.createServer((incoming, response) =>
      answerOwn({ incoming, response } as Connection, openMetrics(), check),
    );
    return ask(await listen(server), { path: url });
  };
  const parts = (isThere: boolean): readonly PartCheck[] => [
    { name: "thread", isThere: true, detail: "fine" },
    { name: "store", isThere, detail: "planks" },
  ];

  it("say that it lives, what it did, and whether it is ready", async () => {
    expect(await own("/healthz?x")).toEqual({ status: 200, text: "ok\n" });
    expect(await own("/metrics")).toMatchObject({ status: 200, text: expect.stringContaining("plimsoll_gateway_") });
    expect(await own("/readyz")).toEqual({ status: 503, text: "draining\n" });
    expect(await own("/readyz", async () => parts(true))).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^ready\n/),
    });
    expect(await own("/readyz", async () => parts(false))).toMatchObject({
      status: 503,
      text: expect.stringMatching(/^the gateway cannot write to its store\n.*planks/s),
    });
    expect((await own("/readyz", async () => parts(true).slice(0, 1))).status).toBe(503);
  });

  it("are known by their path", () => {
    const of = (url?: string) => pathOf({ url } as IncomingMessage);
    expect([of("/healthz?a=/b"), of("/v1/messages"), of()]).toEqual(["/healthz", "/v1/messages", ""]);
    expect([...OWN_ROUTES]).toEqual(["/healthz", "/readyz", "/metrics"]);
  });
});
