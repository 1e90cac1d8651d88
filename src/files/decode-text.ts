import { Buffer, isUtf8 } from "node:buffer";

/** The platform's own way: of 5 MB the portable one takes a fifth of a second, and every page of a recall decodes the whole. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}
