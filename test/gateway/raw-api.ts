import http from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./open-gateway.ts";

/** A request as its bytes. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RawApi {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  readonly aborted: () => number;
}

export type RawAnswer = (request: RawRequest, response: http.ServerResponse, index: number) => void;

/** An upstream that keeps every byte, and answers as it is told. */
export async function openRawApi(answer: RawAnswer = sendOk): Promise<RawApi> {
  const requests: RawRequest[] = [];
  let aborted = 0;
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url = "", rawHeaders, headers } = incoming;
      const request = { method, path: url, rawHeaders, headers, body: Buffer.concat(chunks) };
      requests.push(request);
      answer(request, response, requests.length - 1);
    });
    response.on("close", () => {
      if (!response.writableFinished) aborted++;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, aborted: () => aborted };
}

const OK_MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-6",
  content: [{ type: "text", text: "Aye." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
};

export function sendOk(_request: RawRequest, response: http.ServerResponse): void {
  sendMessage(response, OK_MESSAGE);
}

/** As the API does for a conversation with breakpoints: all of it is in the cache now. `sendOk` is an API that caches nothing. */
export function sendCached(
  { body }: RawRequest,
  response: http.ServerResponse,
  _index?: number,
  more: object = {},
): void {
  const usage = { ...OK_MESSAGE.usage, cache_creation_input_tokens: Math.ceil(body.length / 4) };
  sendMessage(response, { ...OK_MESSAGE, usage, ...more });
}

/** Says nothing of what it read, wrote or cached. */
export function sendWithoutUsage(_request: RawRequest, response: http.ServerResponse): void {
  sendMessage(response, { ...OK_MESSAGE, usage: undefined });
}

function sendMessage(response: http.ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}
