import { Buffer, isUtf8 } from "node:buffer";
import { nameApart, type Stored } from "../../survive/recall/recall.ts";
import type { Originals } from "./originals.ts";

/** What is kept under the digits of a handle, as `recall` asks for it. */
export function readStored({ read }: Pick<Originals, "read">, digits: string): Stored | undefined {
  const found = read(digits);
  if (found.ok) {
    const { bytes, sha256 } = found.value;
    return decodeText(bytes) ?? { why: `${sha256} contains ${bytes.length} bytes that are not text.` };
  }
  const { code, detail, hashes } = found.problem;
  if (hashes) return { several: nameApart(hashes) };
  return code === "notFound" ? undefined : { why: `${detail}.` };
}

/** The platform's own way: of 5 MB the portable one takes a fifth of a second, and every page of a recall decodes the whole. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}
