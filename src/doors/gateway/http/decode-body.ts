import zlib from "node:zlib";

interface Limit {
  readonly maxOutputLength: number;
}

type Decode = (bytes: Buffer, limit: Limit, done: (error: Error | null, text: Buffer) => void) => void;

/** By their names in `content-encoding`. Zstandard came to Node in 22.15: where it is missing such bodies are not read. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", zlib.gunzip],
  ["x-gzip", zlib.gunzip],
  ["deflate", zlib.inflate],
  ["br", zlib.brotliDecompress],
  ...listZstd(),
]);

/** What a body says, for looking only; `undefined` where it cannot be told, or is more than that. Off the one thread that serves everybody. */
export function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  if (isPlain(encoding)) return Promise.resolve(bytes.length > maxBytes ? undefined : bytes);
  const decode = DECODERS.get(encoding.trim().toLowerCase());
  if (!decode) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    decode(bytes, { maxOutputLength: maxBytes }, (error, text) => resolve(error ? undefined : text));
  });
}

export function isPlain(encoding: string): boolean {
  return /^\s*(?:identity)?\s*$/i.test(encoding);
}

function listZstd(): readonly (readonly [string, Decode])[] {
  const zstd: unknown = Reflect.get(zlib, "zstdDecompress");
  return typeof zstd === "function" ? [["zstd", (...given) => void Reflect.apply(zstd, zlib, given)]] : [];
}
