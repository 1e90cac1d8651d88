import type { Door, Exchange } from "./exchange.ts";
import { decodeBody, isPlain } from "./http/decode-body.ts";
import { estimateParsedBytes } from "./http/weigh-body.ts";
import { createUnchanged, type Prepared } from "./prepare-request.ts";
import { UnexpandedError, type Wire } from "./wire.ts";

export interface Asked {
  readonly exchange: Exchange;
  readonly purpose: "messages" | "count";
  readonly wire: Wire;
}

/** A body as far as it was read. */
export interface ReadRequest {
  /** What the body says; as it came where it was not read. */
  readonly bytes: Buffer;
  readonly prepared: Prepared;
  /** Why it was not understood, where it was not. */
  readonly why: "body" | "encoding" | "memory";
}

/** Decodes, parses and decides, each once there is room for what it takes. What finds none leaves as it came. */
export async function readRequest(bytes: Buffer, asked: Asked, door: Door): Promise<ReadRequest> {
  const leave = (why: ReadRequest["why"]): ReadRequest => {
    return { bytes, prepared: createUnchanged(bytes, { startMs: performance.now(), incidents: [] }), why };
  };
  const { maxDecodedBytes, room } = door;
  const encoding = asked.exchange.incoming.headers["content-encoding"] ?? "";
  // In pieces first, and then as one.
  const decoding = isPlain(encoding) ? () => undefined : await room.find({ outsideBytes: 2 * maxDecodedBytes });
  if (!decoding) return leave("memory");
  const read = await decodeBody(bytes, encoding, maxDecodedBytes).finally(decoding);
  if (!read) return leave("encoding");
  const wanted = { heapBytes: estimateParsedBytes(read) };
  // What waits takes nothing yet: whether there is room is asked when it is parsed.
  const atOnce = await door.slices.run(() => (room.has(wanted) ? { done: prepare(read, asked, door) } : undefined));
  if (atOnce) return { bytes: read, prepared: await atOnce.done, why: "body" };
  const parsing = await room.find(wanted);
  if (!parsing) return leave("memory");
  const prepared = await door.slices.run(() => prepare(read, asked, door)).finally(parsing);
  return { bytes: read, prepared, why: "body" };
}

/** Fails open: whatever goes wrong with deciding, the bytes that came are what is sent. */
async function prepare(bytes: Buffer, { exchange, purpose, wire }: Asked, { preparer }: Door): Promise<Prepared> {
  const startMs = performance.now();
  const { incoming, user } = exchange;
  try {
    return await preparer.prepare(bytes, { user, headers: incoming.headers }, purpose, wire);
  } catch (error) {
    if (error instanceof UnexpandedError) throw error;
    return createUnchanged(bytes, { startMs, incidents: ["exception"] });
  }
}
