/** If red: an error or silence of the API reaches the client as something else. */
import http from "node:http";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { letOthersRead } from "../support/let-others-read.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";
import { openRawApi, type RawAnswer, sendOk } from "./raw-api.ts";

interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly end: "end" | "broken";
}

/** For what hangs by intention, and must not be waited for any longer. */
const SOON_MS = 3_000;

/** What a client sees of an answer, down to how it ends. */
function look(url: string, { body = renderBody(toolLoop(0, 0)), timeout = 0 } = {}): Promise<Seen | string> {
  return new Promise((resolve) => {
    const asked = http.request(`${url}/v1/messages`, { method: "POST", agent: false, timeout }, (answer) => {
      const chunks: Buffer[] = [];
      const see = (end: Seen["end"]): void => {
        const headers = answer.rawHeaders.filter(
          (_, index) => !/^(?:date|connection|keep-alive)$/i.test(answer.rawHeaders[index - (index % 2)] ?? ""),
        );
        resolve({ status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString(), end });
      };
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => see("end"));
      answer.on("error", () => see("broken"));
      answer.on("close", () => see("broken"));
    });
    asked.on("timeout", () => {
      asked.destroy();
      resolve("hangs");
    });
    asked.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    asked.end(body);
  });
}

const EVENT = 'event: message_start\ndata: {"type":"message_start"}\n\n';
const SSE = { "content-type": "text/event-stream; charset=utf-8" };

const FAULTS: Readonly<Record<string, RawAnswer>> = {
  "a 429 with its headers": (_, response) =>
    response.writeHead(429, "Slow Down", { "Retry-After": "3", "X-Odd": ["a", "b"] }).end('{"type":"error"}'),
  "a 500 that is no JSON": (_, response) => response.writeHead(500).end("<html>"),
  "a 529": (_, response) => response.writeHead(529).end('{"type":"error","error":{"type":"overloaded_error"}}'),
  "a 400 that is no overflow": (_, response) => response.writeHead(400, { "X-A": "1" }).end('{"error":"bad"}'),
  "an empty 400": (_, response) => response.writeHead(400).end(),
  "a 413 in a page": (_, response) => response.writeHead(413).end("<h1>too large</h1>"),
  "a huge error": (_, response) => response.writeHead(400).end("x".repeat(900_000)),
  "half a frame": (_, response) => response.writeHead(200, SSE).end(EVENT + EVENT.slice(0, 20)),
  "invalid JSON": (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"usage":'),
  "a stream that ends without its end": (_, response) => {
    response.writeHead(200, SSE);
    response.write(EVENT, () => void letOthersRead().then(() => response.socket?.destroy()));
  },
  "a reset in mid-stream": (_, response) => {
    response.writeHead(200, SSE);
    response.write(EVENT, () => void letOthersRead().then(() => response.socket?.resetAndDestroy()));
  },
  "fewer bytes than promised": (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("short", () => void letOthersRead().then(() => response.socket?.destroy()));
  },
  "a reset before any answer": (_, response) => response.socket?.resetAndDestroy(),
  "an event that is an error": (_, response) =>
    response.writeHead(200, SSE).end('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n'),
  "a hang": () => undefined,
  "a hang in mid-stream": (_, response) => {
    response.writeHead(200, SSE);
    response.write(EVENT);
  },
};

describe.each(Object.entries(FAULTS))("%s of the upstream", (name, fault) => {
  it("reaches the client as it came, and the gateway serves on", async () => {
    let isWell = false;
    const api = await openRawApi((request, response, index) => (isWell ? sendOk : fault)(request, response, index));
    const gateway = await openGateway(api.url);
    const timeout = name.startsWith("a hang") ? SOON_MS : 0;
    const [direct, through] = await Promise.all([look(api.url, { timeout }), look(gateway.url, { timeout })]);
    expect(through).toEqual(direct);
    isWell = true;
    expect(await (await post(gateway.url, renderBody(toolLoop(1, 3)))).json()).toMatchObject({ id: "msg_1" });
    expect(gateway.totals().incidents).toBe(0);
  });
});

it("answers 502 in the API's own shape where there is no upstream", async () => {
  const gateway = await openGateway("http://127.0.0.1:9");
  const answer = await post(gateway.url, renderBody(toolLoop(0, 0)));
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({
    type: "error",
    error: { type: "api_error", message: expect.stringContaining("ECONNREFUSED") },
  });
});

it("answers 504 where the upstream is silent for too long", async () => {
  const api = await openRawApi(() => undefined);
  const gateway = await openGateway(api.url, { idleMs: 100 });
  expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(504);
});

it.each(["POST", "HEAD"])("asks again where a kept connection had been closed meanwhile: %s", async (method) => {
  let connections = 0;
  // Answers once on every connection and closes it at the second request, as a server does whose idle time has run out.
  const server = net.createServer((socket) => {
    connections++;
    let requests = 0;
    socket.on("error", () => undefined);
    socket.on("data", () => {
      if (requests++ > 0) socket.destroy();
      else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${method === "HEAD" ? "" : "{}"}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const gateway = await openGateway(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  const body = renderBody(toolLoop(0, 0));
  const ask = () => (method === "HEAD" ? fetch(`${gateway.url}/v1/models`, { method }) : post(gateway.url, body));
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect(connections).toBe(2);
  server.close();
});

it("asks on a new connection where all that were kept had been closed meanwhile", async () => {
  let served = 0;
  const server = net.createServer((socket) => {
    let isUsed = false;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      // A body may come in a packet of its own.
      if (!bytes.toString("latin1").startsWith("POST")) return;
      if (isUsed) return void socket.resetAndDestroy();
      isUsed = true;
      served++;
      setTimeout(() => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"), 100);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const gateway = await openGateway(`http://127.0.0.1:${port}`);
  const ask = (round: number) =>
    Promise.all(
      [1, 2, 3, 4].map((each) => look(gateway.url, { body: renderBody(toolLoop(0, 0), { user: `${round} ${each}` }) })),
    );
  for (const answer of await ask(1)) expect(answer).toMatchObject({ status: 200 });
  for (const answer of await ask(2)) expect(answer).toMatchObject({ status: 200 });
  expect(served).toBe(8);
});
