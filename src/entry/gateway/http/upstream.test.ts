/** If red: a request reaches the API under another address or with other headers, or waits for a silent API for ever. */
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createUpstream } from "./upstream.ts";

interface Seen {
  readonly line: string;
  readonly headers: readonly string[];
  readonly port: number | undefined;
  readonly body: string;
}

async function listen<Server extends net.Server>(server: Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function openApi() {
  const seen: Seen[] = [];
  const server = http.createServer(async (incoming, response) => {
    const body = String(await buffer(incoming));
    const headers = [...incoming.rawHeaders];
    seen.push({ line: `${incoming.method} ${incoming.url}`, headers, port: incoming.socket.remotePort, body });
    response.end("ok");
  });
  return { seen, port: await listen(server) };
}

function open(url: string, more: Partial<Parameters<typeof createUpstream>[0]> = {}) {
  const upstream = createUpstream({ url: new URL(url), idleMs: 60_000, ...more });
  onTestFinished(() => upstream.close());
  return upstream;
}

type Opening = Parameters<ReturnType<typeof createUpstream>["open"]>;

async function ask(
  upstream: ReturnType<typeof createUpstream>,
  forwarded: Partial<Opening[0]>,
  body?: string,
): Promise<string> {
  const outgoing = upstream.open({ method: "POST", path: "/v1?a=b", rawHeaders: [], ...forwarded }, body?.length);
  return new Promise((resolve) => {
    outgoing.on("error", (error) => resolve(error.message));
    outgoing.on("response", async (answer) => resolve(`${answer.statusCode} ${await buffer(answer)}`));
    outgoing.end(body);
  });
}

describe("what the upstream receives", () => {
  it.each([
    ["", "POST /v1?a=b"],
    ["/", "POST /v1?a=b"],
    ["/api", "POST /api/v1?a=b"],
    ["/api/", "POST /api/v1?a=b"],
  ])("is the path below the one of its address: %j", async (path, line) => {
    const api = await openApi();
    expect(await ask(open(`http://127.0.0.1:${api.port}${path}`), {})).toBe("200 ok");
    expect(api.seen.map((one) => one.line)).toEqual([line]);
  });

  it.each<[string, readonly string[], string | undefined, readonly string[]]>([
    [
      "its own host, and the others as written",
      ["HOST", "a", "X-One", "1", "x-Two", "2"],
      undefined,
      ["X-One", "1", "x-Two", "2"],
    ],
    ["no token of ours and no wait for a go-ahead", ["X-Plimsoll-Token", "t", "Expect", "100-continue"], undefined, []],
    ["the length of the body at hand", ["Content-Length", "99"], "four", ["Content-Length", "4"]],
    ["a body at hand in one piece", ["Transfer-Encoding", "chunked"], "four", ["Content-Length", "4"]],
    [
      "the length that the client gave, where the body follows",
      ["content-length", "0"],
      undefined,
      ["content-length", "0"],
    ],
    [
      "pieces where the client sends pieces",
      ["transfer-encoding", "chunked"],
      undefined,
      ["Transfer-Encoding", "chunked"],
    ],
    [
      "a coding of the transfer, declared again",
      ["Transfer-Encoding", "gzip, chunked"],
      undefined,
      ["Transfer-Encoding", "gzip, chunked"],
    ],
  ])("has %s", async (_, rawHeaders, body, headers) => {
    const api = await openApi();
    await ask(open(`http://127.0.0.1:${api.port}`), { method: body === undefined ? "GET" : "POST", rawHeaders }, body);
    const [{ headers: heard = [], body: came = "" } = {}] = api.seen;
    expect(heard.slice(0, 2)).toEqual(["Host", `127.0.0.1:${api.port}`]);
    const connection = heard.indexOf("Connection");
    expect(heard.slice(2, connection < 0 ? undefined : connection)).toEqual(headers);
    expect(came).toBe(body ?? "");
  });

  it("comes over a connection that is kept, and over a new one where that is asked for", async () => {
    const api = await openApi();
    const upstream = open(`http://127.0.0.1:${api.port}`);
    for (const isFresh of [undefined, false, true, true]) await ask(upstream, isFresh === undefined ? {} : { isFresh });
    const [first, second, third, fourth] = api.seen.map(({ port }) => port);
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
    const connections = api.seen.map(({ headers }) => headers[headers.indexOf("Connection") + 1]);
    expect(connections).toEqual(["keep-alive", "keep-alive", "close", "close"]);
  });
});

describe("an upstream that", () => {
  it("is silent is given up", async () => {
    const port = await listen(net.createServer());
    expect(await ask(open(`http://127.0.0.1:${port}`, { idleMs: 30 }), {})).toBe(
      "the upstream was silent for too long",
    );
  });

  it("changes the protocol is given up", async () => {
    const answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const closed: boolean[] = [];
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined).on("close", () => closed.push(true));
      socket.once("data", () => socket.write(answer));
    });
    expect(await ask(open(`http://127.0.0.1:${await listen(server)}`), {})).toBe("the upstream changed the protocol");
    await expect.poll(() => closed).toEqual([true]);
  });
});

describe("a proxy", () => {
  async function openProxy(status: string, credentials = "") {
    const asked: string[] = [];
    const server = http.createServer();
    server.on("connect", (incoming: http.IncomingMessage, socket: net.Socket) => {
      const { host, "proxy-authorization": key } = incoming.headers;
      asked.push(`${incoming.method} ${incoming.url} ${host} ${key}`);
      socket.on("error", () => undefined).write(`HTTP/1.1 ${status}\r\n\r\n`);
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    });
    return { asked, url: new URL(`http://${credentials}127.0.0.1:${await listen(server)}`) };
  }

  it.each([
    ["http://api.test/v1", "", "CONNECT api.test:80 api.test:80 undefined"],
    ["http://api.test:8080", "", "CONNECT api.test:8080 api.test:8080 undefined"],
    ["http://[::1]:8080", "", "CONNECT [::1]:8080 [::1]:8080 undefined"],
    [
      "http://api.test",
      "ada%40a:p%3Ass@",
      `CONNECT api.test:80 api.test:80 Basic ${Buffer.from("ada@a:p:ss").toString("base64")}`,
    ],
  ])("is asked for %s", async (url, credentials, line) => {
    const proxy = await openProxy("200 OK", credentials);
    expect(await ask(open(url, { proxy: proxy.url }), {})).toBe("200 ok");
    expect(proxy.asked).toEqual([line]);
  });

  it("is asked for the port of a secure address, which only the upstream reads", async () => {
    const proxy = await openProxy("502 Bad Gateway");
    expect(await ask(open("https://api.test", { proxy: proxy.url }), {})).toBe("the proxy answered CONNECT with 502");
    expect(proxy.asked).toEqual(["CONNECT api.test:443 api.test:443 undefined"]);
  });

  it("that refuses, is silent or is not there is named", async () => {
    const refusing = await openProxy("407 Proxy Authentication Required");
    expect(await ask(open("http://api.test", { proxy: refusing.url }), {})).toBe("the proxy answered CONNECT with 407");
    const silent = new URL(`http://127.0.0.1:${await listen(net.createServer())}`);
    expect(await ask(open("http://api.test", { proxy: silent, idleMs: 30 }), {})).toMatch(/silent for too long$/);
    const gone = net.createServer();
    const port = await new Promise<number>((resolve) =>
      gone.listen(0, "127.0.0.1", () => resolve((gone.address() as AddressInfo).port)),
    );
    await new Promise((resolve) => gone.close(resolve));
    expect(await ask(open("http://api.test", { proxy: new URL(`http://127.0.0.1:${port}`) }), {})).toMatch(
      /ECONNREFUSED/,
    );
  });
});
