import type { IncomingMessage } from "node:http";
import type { GatewayContext } from "../exchange.ts";
import { decodeBody } from "./decode-body.ts";

/** Why a body was not read; the client left, or it gets an error. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly code: "aborted" | "body" | "memory" | "busy";
  readonly retryAfterSeconds: number;

  constructor(code: BodyError["code"], retryAfterSeconds = 1) {
    super(code);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Beyond this wait a request is refused at once: a client that retries later gets its answer sooner, and so do all others. */
const MAX_WAIT_MS = 15_000;

/** Room for a body of unknown length is requested in steps of this size. */
const PIECE_BYTES = 1024 * 1024;

/** What reading needs of all that exchanges share. */
interface ReadContext extends Pick<GatewayContext, "maxBodyBytes"> {
  readonly reader: Pick<GatewayContext["reader"], "expectedMs">;
  readonly room: Pick<GatewayContext["room"], "find" | "has">;
  readonly pool: Pick<GatewayContext["pool"], "take" | "release">;
  readonly pace: Pick<GatewayContext["pace"], "came" | "leave">;
}

/** Reads a body once there is room for it. Until then nothing is read, and TCP holds the client back. */
export async function readBody(incoming: IncomingMessage, context: ReadContext): Promise<Buffer> {
  const announced = Number(incoming.headers["content-length"] ?? 0);
  if (announced > context.maxBodyBytes) throw new BodyError("body");
  const expectedMs = context.reader.expectedMs(announced);
  if (expectedMs > MAX_WAIT_MS) throw new BodyError("busy", Math.ceil(expectedMs / 1000));
  const taken = await context.room.find({ outsideBytes: announced || PIECE_BYTES });
  if (!taken) throw new BodyError("memory");
  const reading = readWhole(incoming, announced, context);
  // The memory is taken now, so the next request for room sees it.
  taken();
  return reading;
}

/** The whole body as it came, which the caller releases. One of announced length is assembled as it comes. */
function readWhole(incoming: IncomingMessage, announced: number, context: ReadContext): Promise<Buffer> {
  const { maxBodyBytes, pool, room, pace } = context;
  return new Promise((resolve, reject) => {
    // The client left while it waited: no more events will come.
    if (incoming.destroyed && !incoming.complete) return reject(new BodyError("aborted"));
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
      if (bytes > maxBodyBytes) giveUp(new BodyError("body"));
      else if (!whole && Math.floor(bytes / PIECE_BYTES) > pieces && !room.has({ outsideBytes: PIECE_BYTES }))
        giveUp(new BodyError("memory"));
    });
    incoming.once("end", () => resolve(whole ?? Buffer.concat(chunks, bytes)));
    incoming.once("error", (error) => reject(incoming.complete ? error : new BodyError("aborted")));
    incoming.once("close", () => {
      pace.leave(incoming);
      if (incoming.complete) return;
      if (whole) pool.release(whole);
      reject(new BodyError("aborted"));
    });
  });
}

/** The body up to the limit, as it came and decoded; the rest stays in the stream. */
export async function readDecoded(
  answer: IncomingMessage,
  maxBytes: number,
  maxDecodedBytes: number = maxBytes,
): Promise<{ readonly begun: readonly Buffer[]; readonly decoded: Buffer | undefined }> {
  const begun = await readSome(answer, maxBytes);
  const encoding = answer.headers["content-encoding"] ?? "";
  return { begun, decoded: await decodeBody(Buffer.concat(begun), encoding, maxDecodedBytes) };
}

async function readSome(answer: IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
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
