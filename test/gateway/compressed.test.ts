/** If red: a compressed request is broken, refused or fills the gateway's memory. */
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { validateMessages } from "../api/validate-messages.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const small = renderBody(toolLoop(1, 5));
const large = renderBody(toolLoop(2, 300));

const zstd: unknown = Reflect.get(zlib, "zstdCompressSync");
const packers: readonly (readonly [string, (text: string) => Buffer])[] = [
  ["gzip", (text) => zlib.gzipSync(text)],
  ["deflate", (text) => zlib.deflateSync(text)],
  ["br", (text) => zlib.brotliCompressSync(text)],
  ...(typeof zstd === "function"
    ? [["zstd", (text: string): Buffer => Reflect.apply(zstd, zlib, [Buffer.from(text)])] as const]
    : []),
];

describe("a compressed request", () => {
  it.each(packers)(
    "in %s that needs nothing leaves as the identical bytes under its header",
    async (encoding, pack) => {
      const api = await openRawApi();
      const gateway = await openGateway(api.url);
      const body = pack(small);
      expect((await post(gateway.url, body, { "content-encoding": encoding })).status).toBe(200);
      expect(api.requests[0]?.body.equals(body)).toBe(true);
      expect(api.requests[0]?.headers["content-encoding"]).toBe(encoding);
      expect(gateway.totals()).toMatchObject({ requests: 1, edited: 0, savedBytes: 0 });
    },
  );

  it.each(packers)(
    "in %s that is too heavy leaves lighter, readable and without the header",
    async (encoding, pack) => {
      const api = await openRawApi();
      const gateway = await openGateway(api.url);
      await post(gateway.url, pack(large), { "content-encoding": encoding, "X-Own": "1" });
      const [request] = api.requests;
      const sent = JSON.parse(String(request?.body));
      expect(JSON.stringify(sent)).toContain("[FOLDED: ");
      expect(validateMessages(sent)).toEqual([]);
      expect(request?.headers["content-encoding"]).toBeUndefined();
      expect(request?.headers).toMatchObject({ "x-own": "1", "content-length": String(request?.body.length) });
      expect(gateway.totals().savedBytes).toBe(Buffer.byteLength(large) - (request?.body.length ?? 0));
    },
  );

  it("is sent again lighter, and readable, where the API says that it does not fit", async () => {
    const api = await openRawApi((_, response, index) =>
      index === 0
        ? response
            .writeHead(400)
            .end('{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 1 maximum"}}')
        : response.end("{}"),
    );
    const gateway = await openGateway(api.url);
    const body = zlib.gzipSync(renderBody(toolLoop(12, 20)));
    expect((await post(gateway.url, body, { "content-encoding": "gzip" })).status).toBe(200);
    expect(api.requests[0]?.body.equals(body)).toBe(true);
    expect(api.requests[1]?.headers["content-encoding"]).toBeUndefined();
    expect(validateMessages(JSON.parse(String(api.requests[1]?.body)))).toEqual([]);
    expect(gateway.totals()).toMatchObject({ retries: 1, edited: 1 });
    expect(gateway.totals().edits).toBeGreaterThan(0);
  });

  it("hears the API's own words where it says in a way that nobody knows that something is wrong", async () => {
    const words = Buffer.from([1, 2, 3, 255]);
    const api = await openRawApi((_, response) =>
      response.writeHead(400, { "content-encoding": "squeeze", "content-length": words.length }).end(words),
    );
    const gateway = await openGateway(api.url);
    const answer = await post(gateway.url, renderBody(toolLoop(12, 20)));
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([400, "squeeze"]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(words);
    expect(api.requests).toHaveLength(1);
  });

  it.each([
    ["in a way that nobody knows", "squeeze", Buffer.from("xyz")],
    ["twice", "gzip, br", zlib.brotliCompressSync(zlib.gzipSync(large))],
    ["and broken", "gzip", zlib.gzipSync(large).subarray(0, 300)],
    ["and broken, or unknown to this version of Node", "zstd", Buffer.from("xyz")],
  ])("%s leaves as it came and is counted", async (_name, encoding, body) => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    await post(gateway.url, body, { "content-encoding": encoding });
    expect(api.requests[0]?.body.equals(body)).toBe(true);
    expect(api.requests[0]?.headers["content-encoding"]).toBe(encoding);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('plimsoll_gateway_unread_total{why="encoding"} 1');
  });

  it("that unpacks to more than is taken leaves as it came, and is never held in memory", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { maxBodyBytes: 100_000 });
    const body = zlib.gzipSync(Buffer.alloc(50_000_000));
    expect((await post(gateway.url, body, { "content-encoding": "gzip" })).status).toBe(200);
    expect(api.requests[0]?.body.equals(body)).toBe(true);
  });
});
