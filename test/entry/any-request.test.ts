/** If red: one broken request ends the gateway or the dashboard. */
import net from "node:net";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { person, post, renderBody } from "../gateway/conversation.ts";
import { createFolder } from "../gateway/open-gateway.ts";
import { type Program, startGatewayProgram, startProgram } from "../gateway/program.ts";
import { openRawApi } from "../gateway/raw-api.ts";
import { tries } from "../support/depth.ts";

/** Each of these has ended a server somewhere: addresses that are none, bytes that a client library would not send. */
const NASTY = [
  "//[",
  "//",
  "///[::1",
  "http://[",
  "http://a:99999/",
  "http://a b/",
  "//@:/",
  "*",
  "?",
  "/?",
  "/%",
  "/%ff%00",
  "/\\..\\..",
  "/../../etc/passwd",
  "/\x80\xff",
  "/\x7f",
  "/v1/messages?%",
  "//v1/messages",
  "/healthz?[",
  "/metrics#",
  "a:1",
  "",
] as const;

/** Every byte but those that end a word or a line. */
const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const word = fc.string({ unit: byte, maxLength: 20 });
const target = fc.oneof(
  fc.constantFrom(...NASTY),
  word,
  word.map((text) => `/${text}`),
  word.map((text) => `//${text}`),
);
const method = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "OPTIONS",
      "TRACE",
      "CONNECT",
      "PRI",
      "M-SEARCH",
      "get",
      "",
    ),
    weight: 9,
  },
  { arbitrary: word, weight: 1 },
);
const header = fc.oneof(
  fc.constantFrom(
    "Host: [",
    "Host: ",
    "Host: a\r\nHost: b",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Connection: host, content-length, transfer-encoding, close",
    "Expect: 100-continue",
    "Expect: nothing",
    "Content-Length: 2",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
    "Trailer: x",
    "TE: trailers",
    "Content-Encoding: \xff",
    "X-Plimsoll-Token: a\r\nX-Plimsoll-Token: b",
    "x-claude-code-session-id: \xff\xfe",
    "Origin: http://[",
    "__proto__: 1",
    "Range: bytes=9-1",
  ),
  fc.tuple(fc.stringMatching(/^[\w-]{1,12}$/), word).map(([name, value]) => `${name}: ${value}`),
);
const request = fc
  .record({ method, target, headers: fc.array(header, { maxLength: 4 }), body: fc.oneof(fc.constant("{}"), word) })
  .map((asked) =>
    [`${asked.method} ${asked.target} HTTP/1.1`, "Host: 127.0.0.1", ...asked.headers, "", asked.body].join("\r\n"),
  );

/** Says it, and leaves once something has come back. What is no whole request is hung up on. */
function say(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => void socket.write(text, "latin1"));
    const leave = (): void => void socket.destroy();
    socket.setTimeout(50, leave);
    socket.once("data", leave);
    socket.once("error", leave);
    socket.once("close", () => resolve());
  });
}

interface Server extends Program {
  readonly port: number;
  /** Whether a request that is as it should be gets its answer. */
  isWell(): Promise<boolean>;
}

async function openDashboardProgram(): Promise<Server> {
  const program = startProgram(["dashboard", "--json"]);
  await expect.poll(() => program.heard.output).toContain("}");
  const { url, port } = JSON.parse(program.heard.output);
  return { ...program, port, isWell: async () => (await fetch(url)).status === 200 };
}

async function openGatewayProgram(words: readonly string[] = []): Promise<Server> {
  const api = await openRawApi();
  const program = await startGatewayProgram(["--upstream", api.url, "--store", createFolder(), ...words]);
  const isWell = async (): Promise<boolean> => {
    const [asked, listed] = [
      await post(program.url, renderBody([person("Aye?")])),
      await fetch(`${program.url}/v1/models`),
    ];
    return asked.status === 200 && listed.status === 200;
  };
  return { ...program, port: Number(new URL(program.url).port), isWell };
}

const SERVERS = [
  ["the dashboard", openDashboardProgram],
  ["the gateway", openGatewayProgram],
] as const;

describe.each(SERVERS)("%s", (_name, open) => {
  let server: Server;
  beforeEach(async () => {
    server = await open();
  });

  it("outlives a request for what is no address, whatever its method", async () => {
    for (const wanted of NASTY) {
      for (const verb of ["GET", "POST", "OPTIONS"])
        await say(server.port, `${verb} ${wanted} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
      expect(await server.isWell().catch(String), wanted).toBe(true);
    }
  });

  it("outlives any bytes that a client can say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (texts) => {
        await Promise.all(texts.map((text) => say(server.port, text)));
        expect(server.child.exitCode).toBeNull();
      }),
      { numRuns: tries(40, 300) },
    );
    expect(await server.isWell()).toBe(true);
  });
});
