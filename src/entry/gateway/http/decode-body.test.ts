/** If red: a small packed request fills the gateway's memory. */
import zlib from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { decodeBody, isDecodable, openCoding } from "./decode-body.ts";

const TEXT = Buffer.from("a".repeat(10_000));

it.each([
  ["gzip", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["br", zlib.brotliCompressSync],
] as const)("%s is unpacked up to the limit and not a byte beyond it", async (encoding, pack) => {
  expect(await decodeBody(pack(TEXT), encoding, TEXT.length)).toEqual(TEXT);
  expect(await decodeBody(pack(TEXT), encoding, TEXT.length - 1)).toBeUndefined();
});

it.each(["", "identity"])("what is not packed (%j) is read up to the limit, too", async (encoding) => {
  expect(await decodeBody(TEXT, encoding, TEXT.length)).toBe(TEXT);
  expect(await decodeBody(TEXT, encoding, TEXT.length - 1)).toBeUndefined();
});

it.each([" GZip ", "x-gzip", "deflate", "br", "identity", " "])("%j can be read", (encoding) => {
  expect(isDecodable(encoding)).toBe(true);
  expect(openCoding(encoding) === undefined).toBe(encoding.trim() === "" || encoding === "identity");
});

it.each(["gzip, br", "compress", "identity, gzip"])("%j cannot be read", async (encoding) => {
  expect(isDecodable(encoding)).toBe(false);
  expect(await decodeBody(TEXT, encoding, TEXT.length)).toBeUndefined();
});

it("what is not packed as it says is not read", async () => {
  expect(await decodeBody(TEXT, "gzip", TEXT.length)).toBeUndefined();
});

it.each([
  ["gzip", zlib.gzipSync, zlib.constants.Z_SYNC_FLUSH],
  ["deflate", zlib.deflateSync, zlib.constants.Z_SYNC_FLUSH],
  ["br", zlib.brotliCompressSync, zlib.constants.BROTLI_OPERATION_FLUSH],
] as const)("a stream of %s that breaks off gives what came of it", async (encoding, pack, finishFlush) => {
  const packed = pack(TEXT, { finishFlush });
  const heard: Buffer[] = [];
  openCoding(encoding)
    ?.on("data", (piece: Buffer) => heard.push(piece))
    .write(packed);
  await expect.poll(() => Buffer.concat(heard).length).toBe(TEXT.length);
});

/** Node 20 has no Zstandard: another coding under its names shows which of them are asked for. */
it("Zstandard is read where Node has it, and only there", async () => {
  const names = ["zstdDecompress", "createZstdDecompress"] as const;
  const before = names.map((name) => Reflect.get(zlib, name));
  onTestFinished(() => {
    for (const [at, name] of names.entries()) Reflect.set(zlib, name, before[at]);
    vi.resetModules();
  });
  const load = async (...given: readonly unknown[]) => {
    for (const [at, name] of names.entries()) Reflect.set(zlib, name, given[at]);
    vi.resetModules();
    return await import("./decode-body.ts");
  };
  for (const given of [[], [zlib.gunzip], [undefined, zlib.createGunzip]])
    expect((await load(...given)).isDecodable("zstd")).toBe(false);
  const { decodeBody: decode, openCoding: open } = await load(zlib.gunzip, zlib.createGunzip);
  expect(await decode(zlib.gzipSync(TEXT), "zstd", TEXT.length)).toEqual(TEXT);
  expect(await decode(zlib.gzipSync(TEXT), "zstd", TEXT.length - 1)).toBeUndefined();
  const heard: Buffer[] = [];
  const opened = open("zstd");
  opened?.on("data", (piece: Buffer) => heard.push(piece)).end(zlib.gzipSync(TEXT));
  await expect.poll(() => Buffer.concat(heard).equals(TEXT)).toBe(true);
});
