/** If red: a small packed request fills the gateway's memory. */
import zlib from "node:zlib";
import { expect, it } from "vitest";
import { decodeBody } from "./decode-body.ts";

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
