/** If red: a client or an API that breaks the rules harms another request. */
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { letOthersRead } from "../support/let-others-read.ts";
import { person, post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi, type RawAnswer, sendOk } from "./raw-api.ts";

const SECRET = "SECRET-OF-ANOTHER";
const HISTORY = toolLoop(10, 600);
const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});

/** What a gateway survives of others: each of these once ended a process, hung a client, or showed one what was another's. */
describe("a body that is needed again", () => {
  /** Edited requests whose first attempt fails, while another client's body comes in and wants memory. */
  async function cross(fail: RawAnswer, path: string, body: string) {
    const failures: (() => void)[] = [];
    const api = await openRawApi((request, response, index) => {
      if (request.headers["x-name"] !== "edited" || failures.length > 0) return sendOk(request, response);
      failures.push(() => fail(request, response, index));
    });
    const gateway = await openGateway(api.url);
    for (let end = 1; end <= HISTORY.length; end += 2)
      await (await post(gateway.url, renderBody(HISTORY.slice(0, end)))).arrayBuffer();
    const headers = { "content-type": "application/json", "x-name": "edited" };
    const asked = fetch(`${gateway.url}${path}`, { method: "POST", headers, body });
    await expect.poll(() => failures.length).toBe(1);
    const other = renderBody([person(`${SECRET} `.repeat(Math.ceil(body.length / 18)))], { metadata: {} });
    await (await post(gateway.url, other)).arrayBuffer();
    failures[0]?.();
    await (await asked).arrayBuffer();
    return api.requests
      .filter((request) => request.headers["x-name"] === "edited")
      .map((request) => String(request.body));
  }

  it("is still its own where a dead connection has it sent once more", async () => {
    const body = renderBody(HISTORY);
    const reset: RawAnswer = (_, response) => response.socket?.resetAndDestroy();
    const [first, second, ...more] = await cross(reset, "/v1/messages/count_tokens", body);
    expect(first).toContain("[FOLDED: ");
    expect(second).toBe(first);
    expect(more).toEqual([]);
  });

  it("gets the API's first answer where the lighter request does not fit either", async () => {
    let overflows = 0;
    const api = await openRawApi((request, response) => {
      if (request.headers["x-name"] !== "large") return sendOk(request, response);
      const tokens = 210_000 - ++overflows;
      response.writeHead(400, { "content-type": "application/json" }).end(OVERFLOW.replace("210000", String(tokens)));
    });
    const gateway = await openGateway(api.url);
    const answer = await post(gateway.url, renderBody(HISTORY), { "x-name": "large" });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("209999 tokens");
    expect(overflows).toBe(2);
    expect(api.requests[1]?.body.length ?? 0).toBeLessThan(api.requests[0]?.body.length ?? 0);
  });

  it("is still its own where the client's compaction did not fit", async () => {
    const body = renderBody([
      ...HISTORY,
      { role: "assistant", content: "Aye." },
      person("CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary"),
    ]);
    const overflow: RawAnswer = (_, response) => response.writeHead(400).end(OVERFLOW);
    const [first, lighter] = await cross(overflow, "/v1/messages", body);
    expect(first).toContain("[FOLDED: ");
    expect(lighter?.length ?? 0).toBeLessThan(first?.length ?? 0);
    expect(lighter).not.toContain(SECRET);
    expect(JSON.parse(lighter ?? "").messages.at(-1)).toEqual(JSON.parse(body).messages.at(-1));
  });
});

describe("an upstream that breaks the rules", () => {
  const crashes: Error[] = [];
  const listeners = process.listeners("uncaughtException");
  const note = (error: Error): void => void crashes.push(error);
  beforeEach(() => {
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", note);
  });
  afterEach(() => {
    process.off("uncaughtException", note);
    for (const listener of listeners) process.on("uncaughtException", listener);
    expect(crashes.splice(0)).toEqual([]);
  });

  it("and cuts an error short is heard as such", async () => {
    const api = await openRawApi((_, response) => {
      response.writeHead(400, { "content-length": "100" });
      response.write("short", () => void letOthersRead().then(() => response.socket?.destroy()));
    });
    const gateway = await openGateway(api.url);
    expect([await look(api.url), await look(gateway.url)]).toEqual(["broken 400 short", "broken 400 short"]);
  });

  it("and resets a kept connection in the middle of an error is not asked twice", async () => {
    const api = await openRawApi((request, response, index) => {
      if (index === 0) return sendOk(request, response);
      response.writeHead(400, { "content-length": "100" });
      response.write("short", () => void letOthersRead().then(() => response.socket?.resetAndDestroy()));
    });
    const gateway = await openGateway(api.url);
    expect(await look(gateway.url)).toMatch(/^whole 200/);
    expect(await look(gateway.url)).toBe("broken 400 short");
    await letOthersRead();
    expect(api.requests).toHaveLength(2);
  });

  it.each([
    ["a status below a hundred", "099 x"],
    ["a control character in its phrase", "200 O\x01K"],
    ["another protocol that nobody asked for", "101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c"],
  ])("and answers with %s is a 502", async (_name, head) => {
    const port = await listen((socket) => socket.write(`HTTP/1.1 ${head}\r\ncontent-length: 2\r\n\r\n{}`));
    const gateway = await openGateway(`http://127.0.0.1:${port}`);
    expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(502);
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(502);
  });

  it("and has closed a kept connection is asked again for what has no body", async () => {
    let connections = 0;
    const port = await listen((socket, requests) => {
      if (requests === 1) connections++;
      if (connections === 1 && requests === 2) return void socket.resetAndDestroy();
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
    const gateway = await openGateway(`http://127.0.0.1:${port}`);
    for (let request = 0; request < 2; request++)
      expect(await (await fetch(`${gateway.url}/v1/models`)).text()).toBe("{}");
    expect(connections).toBe(2);
  });
});

it("a proxy that never answers is given up", async () => {
  const port = await listen(() => undefined);
  const proxy = new URL(`http://127.0.0.1:${port}`);
  const gateway = await openGateway("http://api.invalid", { proxy, idleMs: 200 });
  expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(504);
});

describe("a client that breaks the rules", () => {
  it("cannot hide a request in another one's body", async () => {
    const heard: string[] = [];
    const port = await listen((_socket, _requests, text) => void heard.push(text));
    const gateway = await openGateway(`http://127.0.0.1:${port}`);
    const inner = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const socket = connect(gateway.url);
    socket.write(
      `DELETE /v1/files/1 HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    await expect.poll(() => heard.join("")).toMatch(new RegExp(`content-length: ${inner.length}\r\n`, "i"));
    socket.destroy();
  });

  it("and names two hosts is told so, and nothing is passed on", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const socket = connect(gateway.url);
    let heard = "";
    socket.on("data", (text) => {
      heard += String(text);
    });
    socket.write("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n");
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 400 .*Host/s);
    expect(api.requests).toEqual([]);
  });

  it("hides nothing behind a request that is refused", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const inner = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const socket = connect(gateway.url);
    let heard = "";
    socket.on("data", (text) => {
      heard += String(text);
    });
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    await expect.poll(() => heard).toContain("HTTP/1.1 403 ");
    await letOthersRead();
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 403"]);
    expect(api.requests).toEqual([]);
  });

  it("and leaves while its request is decided has nothing sent", async () => {
    const api = await openRawApi();
    const whole = createFileStore({ folder: createFolder() });
    const going: (() => void)[] = [];
    const holdLedger: typeof whole.holdLedger = async (session, known) => {
      await new Promise<void>((resolve) => void going.push(resolve));
      return whole.holdLedger(session, known);
    };
    const gateway = await openGateway(api.url, { store: { ...whole, holdLedger } });
    const asked = http.request(`${gateway.url}/v1/messages`, { method: "POST", agent: false });
    asked.on("error", () => undefined);
    asked.end(renderBody(toolLoop(1, 3)));
    await expect.poll(() => going.length).toBe(1);
    asked.destroy();
    await letOthersRead();
    going[0]?.();
    await expect
      .poll(async () => (await fetch(`${gateway.url}/metrics`)).text())
      .toContain("plimsoll_gateway_client_aborts_total 1");
    await letOthersRead();
    expect(api.requests).toHaveLength(0);
  });

  it("and leaves with requests in a row takes up no room afterwards", async () => {
    const answers: (() => void)[] = [];
    const api = await openRawApi((request, response) => void answers.push(() => sendOk(request, response)));
    const gateway = await openGateway(api.url);
    const body = renderBody(toolLoop(0, 0));
    const one = `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const socket = connect(gateway.url);
    socket.write(one + one + one);
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    socket.destroy();
    await letOthersRead();
    for (const answer of answers) answer();
    await expect
      .poll(async () => (await (await fetch(`${gateway.url}/metrics`)).text()).match(/active_requests -?\d+/g))
      .toEqual(["active_requests 0"]);
  });
});

/** How an answer ends, its status, and what came of it. */
function look(url: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = http.request(`${url}/v1/messages`, { method: "POST", agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () => resolve(`whole ${answer.statusCode} ${text}`));
      answer.on("error", () => resolve(`broken ${answer.statusCode} ${text}`));
    });
    asked.on("error", (error) => resolve(error.message));
    asked.end(renderBody(toolLoop(0, 0)));
  });
}

function connect(url: string): net.Socket {
  const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  atEnd(async () => void socket.destroy());
  return socket;
}

type Hear = (socket: net.Socket, requests: number, text: string) => void;

/** A server of bare bytes; it is told how often the same connection has spoken. */
async function listen(hear: Hear): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    let requests = 0;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (text) => hear(socket, ++requests, String(text)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}
