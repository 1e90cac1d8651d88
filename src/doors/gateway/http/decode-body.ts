import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";

interface Limit {
  readonly maxOutputLength: number;
}

interface Coding {
  readonly decode: (bytes: Buffer, limit: Limit, done: (error: Error | null, text: Buffer) => void) => void;
  /** Gives what can be read of every piece at once: a stream is not held back until it is over. */
  open(): Transform;
}

/** Half a body is still worth reading: it ends where it breaks off. */
const AT_ONCE = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };

const GZIP: Coding = { decode: zlib.gunzip, open: () => zlib.createGunzip(AT_ONCE) };

/** By their names in `content-encoding`. Zstandard came to Node in 22.15: where it is missing such bodies are not read. */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  ["deflate", { decode: zlib.inflate, open: () => zlib.createInflate(AT_ONCE) }],
  [
    "br",
    {
      decode: zlib.brotliDecompress,
      open: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    },
  ],
  ...listZstd(),
]);

/** What a body says, for looking only; `undefined` where it cannot be told, or is more than that. Off the one thread that serves everybody. */
export function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  if (isPlain(encoding)) return Promise.resolve(bytes.length > maxBytes ? undefined : bytes);
  const coding = findCoding(encoding);
  if (!coding) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    coding.decode(bytes, { maxOutputLength: maxBytes }, (error, text) => resolve(error ? undefined : text));
  });
}

/** A body as it reads, while it comes. */
export function openDecoded(body: Readable, encoding: string): Readable {
  const decoder = openCoding(encoding);
  // Whoever reads the decoder is told what went wrong before it.
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

/** `undefined` where nothing is to be decoded, or nothing can be. */
export function openCoding(encoding: string): Transform | undefined {
  return findCoding(encoding)?.open();
}

/** Whether a body in this coding can be read here. One that was coded twice cannot. */
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
  const [decode, open]: readonly unknown[] = [
    Reflect.get(zlib, "zstdDecompress"),
    Reflect.get(zlib, "createZstdDecompress"),
  ];
  if (typeof decode !== "function" || typeof open !== "function") return [];
  return [
    [
      "zstd",
      { decode: (...given) => void Reflect.apply(decode, zlib, given), open: () => Reflect.apply(open, zlib, []) },
    ],
  ];
}
