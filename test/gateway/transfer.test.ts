/** If red: a broken transfer reaches the client as a whole answer. */
import http from "node:http";
import net from "node:net";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { renderConversation, writeDocument } from "./answers/long-conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

/** What is answered to a small body, as it came. */
function ask(url: string): Promise<{ readonly headers: http.IncomingHttpHeaders; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = http.request(url, { method: "POST" }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("end", () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    asked.once("error", reject).end("{}");
  });
}

describe("what is passed on", () => {
  it("keeps the codings of a transfer, on the way there", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const packed = zlib.gzipSync("{}");
    await new Promise<void>((resolve, reject) => {
      const headers = { "transfer-encoding": "gzip, chunked" };
      const asked = http.request(`${gateway.url}/v1/other`, { method: "POST", headers }, (answer) => {
        answer.resume().once("end", resolve);
      });
      asked.once("error", reject).end(packed);
    });
    expect(api.requests[0]?.headers["transfer-encoding"]).toBe("gzip, chunked");
    expect(api.requests[0]?.body.equals(packed)).toBe(true);
  });

  it("keeps the codings of a transfer, on the way back", async () => {
    const packed = zlib.gzipSync('{"usage":{}}');
    const upstream = net.createServer((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
        socket.end(
          Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed, Buffer.from("\r\n0\r\n\r\n")]),
        );
      });
    });
    await new Promise<void>((resolve) => void upstream.listen(0, "127.0.0.1", resolve));
    atEnd(async () => void upstream.close());
    const address = upstream.address();
    const gateway = await openGateway(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
    for (const route of ["/v1/messages", "/v1/other"]) {
      const { headers, body } = await ask(`${gateway.url}${route}`);
      expect(headers["transfer-encoding"]).toBe("gzip, chunked");
      expect(body.equals(packed)).toBe(true);
    }
  });

  it.each(["/v1/messages", "/v1/other"])(
    "counts no fault where a client goes away in the middle of its body, at %s",
    async (route) => {
      const api = await openRawApi();
      const gateway = await openGateway(api.url);
      const { port, host } = new URL(gateway.url);
      const socket = net.connect(Number(port), "127.0.0.1");
      await new Promise<void>((resolve) => void socket.once("connect", resolve));
      socket.write(`POST ${route} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5000\r\n\r\n{`);
      const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text();
      await expect.poll(metrics).toContain("plimsoll_gateway_active_requests 1");
      socket.resetAndDestroy();
      await expect.poll(metrics).toContain("plimsoll_gateway_active_requests 0");
      const counted = await metrics();
      expect(counted).toContain("plimsoll_gateway_client_aborts_total 1");
      expect(counted).not.toMatch(/(?:refused|incidents)_total\{/);
      expect(counted).toContain("plimsoll_gateway_upstream_errors_total 0");
    },
  );

  it.each(["application/json", "text/html"])(
    "ends a stream with an error where the rest of an answer comes as %s",
    async (type) => {
      const api = await openRawApi((_request, response, index) => {
        response.writeHead(200, { "content-type": index === 0 ? "text/event-stream" : type });
        if (index > 0) return void response.end("{}");
        const call = {
          type: "tool_use",
          id: "call_9",
          name: "plimsoll_recall",
          input: { handle: "plimsoll:000000000000" },
        };
        const events = [
          { type: "message_start", message: { id: "m", usage: {} } },
          { type: "content_block_start", index: 0, content_block: call },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} },
          { type: "message_stop" },
        ];
        response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
      });
      const gateway = await openGateway(api.url);
      const exchange = { said: ["I load it."], callId: "call_0", result: writeDocument("sesame", 1) };
      const body = renderConversation("messages", [exchange], { isStream: true, prompt: "So?" });
      const text = await (await fetch(`${gateway.url}/v1/messages`, { method: "POST", body })).text();
      expect(text).toContain("event: error");
      expect(text).toContain(`the upstream answered 200 ${type}`);
    },
  );
});
