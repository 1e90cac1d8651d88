import type { Usage } from "../../core/usage.ts";
import type { Door, HttpCall } from "./exchange.ts";
import { decodeBody, isPlain } from "./http/decode-body.ts";
import { createAhead, createUnchanged, type Prepared } from "./prepared.ts";
import type { Unread } from "./reader.ts";
import type { Wire } from "./wire.ts";

export interface RequestJob {
  readonly exchange: HttpCall;
  readonly purpose: "messages" | "count";
  readonly wire: Wire;
}

export interface ReadRequest {
  /** The decoded body; as it came if it was not read. */
  readonly bytes: Buffer;
  readonly prepared: Prepared;
}

/** Decodes, parses and decides, each once there is room for it. A body without room is sent unchanged. */
export async function readRequest(bytes: Buffer, asked: RequestJob, door: Door): Promise<ReadRequest> {
  const { maxDecodedBytes, room } = door;
  const encoding = asked.exchange.incoming.headers["content-encoding"] ?? "";
  // Once in pieces, and once as a whole.
  const decoding = isPlain(encoding) ? () => undefined : await room.find({ outsideBytes: 2 * maxDecodedBytes });
  if (!decoding) return { bytes, prepared: leave(bytes, "memory", door) };
  const read = await decodeBody(bytes, encoding, maxDecodedBytes).finally(decoding);
  if (!read) return { bytes, prepared: leave(bytes, isPlain(encoding) ? "body" : "encoding", door) };
  // What may be a client's own compaction is read first, because it may be answered here.
  const isAhead = door.compaction === "pass" && asked.wire.isBeginning(read);
  if (!isAhead) return { bytes: read, prepared: await parseBody(read, asked, door) };
  door.pool.hold(read);
  const behind = (usage: Usage | undefined): Promise<Prepared> =>
    parseBody(read, { ...asked, usage }, door).finally(() => door.pool.release(read));
  return { bytes: read, prepared: createAhead(read, behind) };
}

/** `usage` is set if it was answered before. */
type Reading = RequestJob & { readonly usage?: Usage | undefined };

async function parseBody(bytes: Buffer, { exchange, ...preparing }: Reading, door: Door): Promise<Prepared> {
  const { incoming, user } = exchange;
  const { prepared, unread } = await door.reader.read(bytes, { user, headers: incoming.headers }, preparing);
  if (unread) door.metrics.add("unread", `why="${unread}"`);
  return prepared;
}

function leave(bytes: Buffer, why: Unread, { metrics }: Door): Prepared {
  metrics.add("unread", `why="${why}"`);
  return createUnchanged(bytes, { startMs: performance.now(), incidents: [] });
}
