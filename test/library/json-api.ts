import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject, parseJson } from "../../src/core/json.ts";

export interface JsonApi {
  readonly url: string;
  close(): Promise<void>;
}

/** A server on loopback that answers each body with a body. */
export async function createJsonApi(reply: (body: JsonObject) => object): Promise<JsonApi> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = parseJson(Buffer.concat(chunks).toString());
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(isObject(body) ? reply(body) : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
