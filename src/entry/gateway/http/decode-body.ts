import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";

interface Coding {
  readonly decode: (
    bytes: Buffer,
    limit: { readonly maxOutputLength: number },
    done: (error: Error | null, text: Buffer) => void,
  ) => void;
  /** Emits what can be decoded of each piece at once, so that a stream is not held back. */
  open(): Transform;
}

/** A truncated body is still worth reading: decoding ends where it breaks off. */
const AT_ONCE = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };

const GZIP: Coding = { decode: zlib.gunzip, open: () => zlib.createGunzip(AT_ONCE) };
const INFLATE: Coding = { decode: zlib.inflate, open: () => zlib.createInflate(AT_ONCE) };
const FLUSHED = { flush: zlib.constants.BROTLI_OPERATION_FLUSH };
const BROTLI: Coding = { decode: zlib.brotliDecompress, open: () => zlib.createBrotliDecompress(FLUSHED) };

/** By their names in `content-encoding`. Node has Zstandard since 22.15; without it such bodies are not read. */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  ["deflate", INFLATE],
  ["br", BROTLI],
  ...listZstd(),
]);

/** The decoded body, for reading only; `undefined` if it cannot be decoded or exceeds `maxBytes`. Runs off the main thread. */
export function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  if (isPlain(encoding)) return Promise.resolve(bytes.length > maxBytes ? undefined : bytes);
  const coding = findCoding(encoding);
  if (!coding) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    coding.decode(bytes, { maxOutputLength: maxBytes }, (error, text) => resolve(error ? undefined : text));
  });
}

export function openDecoded(body: Readable, encoding: string): Readable {
  const decoder = openCoding(encoding);
  // The decoder's reader receives errors of the body before it.
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** `undefined` if there is nothing to decode, or no decoder. */
export function openCoding(encoding: string): Transform | undefined {
  return findCoding(encoding)?.open();
}

/** Whether a body in this coding can be read here. One that was encoded twice cannot. */
export function isDecodable(encoding: string): boolean {
  return isPlain(encoding) || findCoding(encoding) !== undefined;
}

export function isPlain(encoding: string): boolean {
  return /^\s*(?:identity)?\s*$/i.test(encoding);
}

function findCoding(encoding: string): Coding | undefined {
  return CODINGS.get(encoding.trim().toLowerCase());
}

function listZstd(): readonly (readonly [string, Coding])[] {
  const [decode, open]: readonly unknown[] = ["zstdDecompress", "createZstdDecompress"].map((name) =>
    Reflect.get(zlib, name),
  );
  if (typeof decode !== "function" || typeof open !== "function") return [];
  const coding: Coding = {
    decode: (...given) => void Reflect.apply(decode, zlib, given),
    open: () => Reflect.apply(open, zlib, []),
  };
  return [["zstd", coding]];
}
