import type { IncomingMessage } from "node:http";
import type { BodyPool } from "./body-pool.ts";

/** The body is larger than anybody may send here. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/** The client went away before it had said everything. */
export class AbortedError extends Error {
  override readonly name = "AbortedError";
}

export interface ReadOptions {
  readonly maxBytes: number;
  readonly pool: BodyPool;
}

/** The whole body as it came, for the caller to release. One whose length is announced is put together while it comes. */
export function readBody(incoming: IncomingMessage, { maxBytes, pool }: ReadOptions): Promise<Buffer> {
  const announced = Number(incoming.headers["content-length"] ?? Number.NaN);
  return new Promise((resolve, reject) => {
    if (announced > maxBytes) return reject(new BodyTooLargeError());
    const whole = announced > 0 ? pool.take(announced) : undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      if (whole) chunk.copy(whole, bytes);
      else chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      chunks.length = 0;
      incoming.pause();
      reject(new BodyTooLargeError());
    });
    incoming.once("end", () => resolve(whole ?? Buffer.concat(chunks, bytes)));
    incoming.once("error", reject);
    incoming.once("close", () => {
      if (incoming.complete) return;
      if (whole) pool.release(whole);
      reject(new AbortedError());
    });
  });
}
