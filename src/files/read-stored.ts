import { nameApart, type Stored } from "../survive/recall/recall.ts";
import { decodeText } from "./decode-text.ts";
import type { Originals } from "./originals.ts";

/** What is kept under the digits of a handle, as `recall` asks for it. */
export function readStored({ read }: Pick<Originals, "read">, digits: string): Stored | undefined {
  const found = read(digits);
  if (found.ok) {
    const { bytes, sha256 } = found.value;
    return decodeText(bytes) ?? { why: `${bytes.length} bytes that are no text are kept under ${sha256}.` };
  }
  const { code, detail, hashes } = found.problem;
  if (hashes) return { several: nameApart(hashes) };
  return code === "notFound" ? undefined : { why: `${detail}.` };
}
