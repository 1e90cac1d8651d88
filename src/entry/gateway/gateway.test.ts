/** If red: a stranger on the network is served, or a request goes to a route that is not its own. */
import http from "node:http";
import { describe, expect, it } from "vitest";
import { post, renderBody, toolLoop } from "../../../test/gateway/conversation.ts";
import { createFolder, openGateway } from "../../../test/gateway/open-gateway.ts";
import { openRawApi, sendOk } from "../../../test/gateway/raw-api.ts";
import { createAccess, parseUsers } from "./access.ts";
import { startGateway } from "./gateway.ts";
import { createFileStore } from "./store/file-store.ts";

const TOKEN = "a-long-token-of-ada";
const FULL = 'plimsoll_gateway_refused_total{why="';

async function readMetrics(url: string): Promise<readonly string[]> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split("\n");
  return lines.flatMap((line) => /^plimsoll_gateway_(\w+_total(?:\{.*\})? [1-9]\d*)$/.exec(line)?.[1] ?? []);
}

/** One request as its bytes; `fetch` does not say everything. */
function ask(
  url: string,
  options: http.RequestOptions = {},
  body = "",
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = http.request(url, { agent: false, ...options }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

describe("where a request goes", () => {
  it.each([
    ["POST", "/v1/messages?beta=true", 'requests_total{kind="messages",status="200"} 1'],
    ["POST", "/v1/messages/count_tokens", 'requests_total{kind="count_tokens",status="200"} 1'],
    ["POST", "/v1/responses", 'requests_total{kind="responses",status="200"} 1'],
    ["POST", "/responses", 'requests_total{kind="responses",status="200"} 1'],
    ["GET", "/v1/messages", 'passed_total{status="200"} 1'],
    ["POST", "/v1/messages/batches", 'passed_total{status="200"} 1'],
    ["GET", "/", 'passed_total{status="200"} 1'],
  ])("%s %s is counted as what it is, and reaches the API as it was asked", async (method, path, counted) => {
    const api = await openRawApi(sendOk);
    const { url, totals } = await openGateway(`${api.url}/base/`);
    const body = method === "POST" ? "{}" : "";
    expect(await ask(url + path, { method }, body)).toMatchObject({ status: 200 });
    expect(api.requests.map((request) => [request.method, request.path, String(request.body)])).toEqual([
      [method, `/base${path}`, body],
    ]);
    await expect.poll(() => readMetrics(url)).toContain(counted);
    expect(totals().failed).toBe(0);
    await expect.poll(async () => (await fetch(`${url}/metrics`)).text()).toContain("active_requests 0\n");
  });

  it("is nowhere for a WebSocket, whose client is told to ask in plain HTTP", async () => {
    const api = await openRawApi();
    const { url } = await openGateway(api.url);
    const headers = { connection: "upgrade", upgrade: "websocket" };
    const answer = await ask(`${url}/v1/responses`, { headers });
    expect([answer.status, answer.headers.connection]).toEqual([426, "close"]);
    expect(JSON.parse(answer.text).error.message).toBe(
      "plimsoll gateway: WebSockets are not supported: send a POST request",
    );
    expect(await readMetrics(url)).toEqual(['refused_total{why="upgrade"} 1']);
    expect(api.requests).toEqual([]);
    await ask(`${url}/v1/models`, { headers }).catch(() => undefined);
    expect(api.requests.map(({ path }) => path)).toEqual(["/v1/models"]);
  });
});

describe("who is refused", () => {
  it("is told why, and never reaches the API", async () => {
    const api = await openRawApi();
    const { url } = await openGateway(api.url, { access: createAccess(parseUsers(`ada ${TOKEN} 1`), () => 0) });
    const headers = { "x-plimsoll-token": TOKEN };
    expect((await ask(`${url}/v1/models`)).status).toBe(401);
    expect((await ask(`${url}/v1/models`, { headers })).status).toBe(200);
    const limited = await ask(`${url}/v1/models`, { headers });
    expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "60"]);
    expect(api.requests.map((request) => request.headers["x-plimsoll-token"])).toEqual([undefined]);
    const text = await (await fetch(`${url}/metrics`)).text();
    expect([text.includes(`${FULL}401"} 1`), text.includes(`${FULL}429"} 1`)]).toEqual([true, true]);
    const open = await openGateway(api.url);
    const foreign = await ask(`${open.url}/healthz`, { headers: { host: "evil.example" } });
    expect([foreign.status, foreign.headers["retry-after"]]).toEqual([403, undefined]);
    expect(await readMetrics(open.url)).toEqual(['refused_total{why="host"} 1']);
  });

  it("is everybody else's machine unless users have tokens", async () => {
    const options = { upstream: new URL("http://127.0.0.1:9"), store: createFileStore({ folder: createFolder() }) };
    for (const host of ["0.0.0.0", "::"]) await expect(startGateway({ ...options, host })).rejects.toThrow(TypeError);
  });
});

describe("what a load balancer asks", () => {
  it("is answered by the gateway itself, also while nothing can be stored", async () => {
    const api = await openRawApi();
    const files = createFileStore({ folder: createFolder() });
    let isFull = false;
    const check = async (): Promise<void> => (isFull ? Promise.reject(new Error("ENOSPC")) : files.check());
    const { url, check: checkParts } = await openGateway(api.url, { store: { ...files, check } });
    expect(await ask(`${url}/healthz?x=1`)).toMatchObject({ status: 200, text: "ok\n" });
    const ready = await ask(`${url}/readyz`);
    expect([ready.status, ready.text.split("\n").slice(0, 1)]).toEqual([200, ["ready"]]);
    expect(ready.text).toContain("ok store: writable\n");
    expect(ready.text).toContain("ok users: no token is required\n");
    expect((await checkParts()).map(({ name }) => name)).toEqual(["thread", "store", "budget", "users"]);
    isFull = true;
    const full = await ask(`${url}/readyz`);
    expect([full.status, full.text.split("\n").slice(0, 2)]).toEqual([
      503,
      [
        "the gateway cannot write to its store",
        "missing thread: 1 thread, which serves requests and also reads large bodies",
      ],
    ]);
    expect(api.requests).toEqual([]);
  });

  it("is that a gateway which ends takes nothing new, finishes what it has, and writes it down", async () => {
    const held: (() => void)[] = [];
    const api = await openRawApi((request, response) => void held.push(() => sendOk(request, response)));
    const files = createFileStore({ folder: createFolder() });
    const noted: number[] = [];
    let isClosed = false;
    const store = {
      ...files,
      note: ({ status }: { status: number }) => void noted.push(status),
      close: async () => {
        expect(noted).toEqual([200]);
        isClosed = true;
      },
    };
    const gateway = await openGateway(api.url, { store });
    const kept = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const running = post(gateway.url, renderBody(toolLoop(0, 0)));
    await expect.poll(() => held.length).toBe(1);
    await ask(`${gateway.url}/healthz`, { agent: kept });
    const draining = gateway.drain();
    held[0]?.();
    expect((await running).status).toBe(200);
    await draining;
    expect(isClosed).toBe(true);
    await expect(ask(`${gateway.url}/healthz`)).rejects.toThrow("ECONNREFUSED");
    kept.destroy();
  });

  it("is that one which may wait no longer cuts off what is left, and writes that down, too", async () => {
    const api = await openRawApi(() => undefined);
    const files = createFileStore({ folder: createFolder() });
    const noted: number[] = [];
    const store = { ...files, note: ({ status }: { status: number }) => void noted.push(status) };
    const gateway = await openGateway(api.url, { store });
    const running = post(gateway.url, renderBody(toolLoop(0, 0))).catch(() => "cut off");
    await expect.poll(() => api.requests.length).toBe(1);
    await gateway.drain(0);
    expect([await running, noted]).toEqual(["cut off", [0]]);
  });
});
