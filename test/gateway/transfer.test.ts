import http from "node:http";
import net from "node:net";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { renderConversation, writeDocument } from "./answers/long-conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

describe("[J9] what is passed on", () => {
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

  it("counts no fault where a client goes away in the middle of its body", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const { port } = new URL(gateway.url);
    const socket = net.connect(Number(port), "127.0.0.1");
    await new Promise<void>((resolve) => void socket.once("connect", resolve));
    socket.write("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n{");
    const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text();
    await metrics();
    const isClosed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    socket.resetAndDestroy();
    await isClosed;
    // Each of these is answered behind what came before it.
    for (let count = 0; count < 5; count++) expect(await metrics()).not.toMatch(/refused_total\{why="fault"\} [1-9]/);
  });

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
