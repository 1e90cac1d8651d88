import type { IncomingMessage } from "node:http";
import type { BodyPool } from "./body-pool.ts";
import type { MemoryRoom } from "./memory-room.ts";
import type { Pace } from "./pace.ts";

export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

export class AbortedError extends Error {
  override readonly name = "AbortedError";
}

/** The request cannot be served now: no memory is left to hold it, or too much waits before it. */
export class NoRoomError extends Error {
  override readonly name = "NoRoomError";
  readonly why: "memory" | "busy";
  readonly retryAfterSeconds: number;

  constructor(why: NoRoomError["why"], retryAfterSeconds = 1) {
    super(why);
    this.why = why;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface BodyOptions {
  readonly maxBytes: number;
  readonly pool: BodyPool;
  readonly room: MemoryRoom;
  readonly pace: Pace;
  readonly reader: { expectedMs(bytes: number): number };
}

/** Beyond this wait a request is refused at once: a client that retries later gets its answer sooner, and so do all others. */
const MAX_WAIT_MS = 15_000;

/** Room for a body of unknown length is requested in steps of this size. */
const PIECE_BYTES = 1024 * 1024;

/** Reads a body once there is room for it. Until then nothing is read, and TCP holds the client back. */
export async function readBody(incoming: IncomingMessage, options: BodyOptions): Promise<Buffer> {
  const announced = countAnnounced(incoming);
  if (announced > options.maxBytes) throw new BodyTooLargeError();
  const expectedMs = options.reader.expectedMs(announced);
  if (expectedMs > MAX_WAIT_MS) throw new NoRoomError("busy", Math.ceil(expectedMs / 1000));
  const taken = await options.room.find({ outsideBytes: announced || PIECE_BYTES });
  if (!taken) throw new NoRoomError("memory");
  const reading = readWhole(incoming, options);
  // The memory is taken now, so the next request for room sees it.
  taken();
  return reading;
}

function countAnnounced({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/** The whole body as it came, which the caller releases. One of announced length is assembled as it comes. */
function readWhole(incoming: IncomingMessage, { maxBytes, pool, room, pace }: BodyOptions): Promise<Buffer> {
  const announced = countAnnounced(incoming);
  return new Promise((resolve, reject) => {
    // The client left while it waited: no more events will come.
    if (incoming.destroyed && !incoming.complete) return reject(new AbortedError());
    const whole = announced > 0 ? pool.take(announced) : undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const giveUp = (error: Error): void => {
      chunks.length = 0;
      pace.leave(incoming);
      incoming.pause();
      reject(error);
    };
    incoming.on("data", (chunk: Buffer) => {
      if (whole) chunk.copy(whole, bytes);
      else chunks.push(chunk);
      const pieces = Math.floor(bytes / PIECE_BYTES);
      bytes += chunk.length;
      pace.came(incoming, chunk.length);
      if (bytes > maxBytes) giveUp(new BodyTooLargeError());
      else if (!whole && Math.floor(bytes / PIECE_BYTES) > pieces && !room.has({ outsideBytes: PIECE_BYTES }))
        giveUp(new NoRoomError("memory"));
    });
    incoming.once("end", () => resolve(whole ?? Buffer.concat(chunks, bytes)));
    incoming.once("error", (error) => reject(incoming.complete ? error : new AbortedError()));
    incoming.once("close", () => {
      pace.leave(incoming);
      if (incoming.complete) return;
      if (whole) pool.release(whole);
      reject(new AbortedError());
    });
  });
}

/** The body up to the limit; the rest stays in the stream. */
export async function readSome(answer: IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < maxBytes) return;
      answer.pause();
      answer.off("data", take);
      resolve();
    };
    answer.on("data", take);
    answer.once("end", resolve);
    answer.once("close", resolve);
    answer.on("error", () => resolve());
  });
  return chunks;
}
