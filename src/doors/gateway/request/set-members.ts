import { type Span, scanList, scanObject } from "./json-spans.ts";

/**
 * A JSON object with other values for some of its keys. Everything else keeps its bytes: numbers as they were written, blanks, the
 * order of keys. A key that is there twice gets the value twice, a key that is missing is added. The same bytes where this is no object.
 */
export function setMembers(bytes: Buffer, values: Readonly<Record<string, Buffer | undefined>>): Buffer {
  const found = scanObject(bytes, 0);
  if (!found) return bytes;
  const pieces: Buffer[] = [];
  const missing = new Set(Object.keys(values).filter((key) => values[key] !== undefined));
  let at = 0;
  for (const { key, value } of found.members) {
    const other = Object.hasOwn(values, key) ? values[key] : undefined;
    if (other === undefined) continue;
    missing.delete(key);
    pieces.push(bytes.subarray(at, value.start), other);
    at = value.end;
  }
  const added = [...missing].flatMap((key) => [
    Buffer.from(`,${JSON.stringify(key)}:`),
    values[key] ?? Buffer.alloc(0),
  ]);
  if (found.members.length === 0 && added[0]) added[0] = added[0].subarray(1);
  return Buffer.concat([...pieces, bytes.subarray(at, found.end - 1), ...added, bytes.subarray(found.end - 1)]);
}

/** The value of a key as it is written; the last one counts where there are several, as for a parser. */
export function findMember(bytes: Buffer, key: string): Buffer | undefined {
  const span = scanObject(bytes, 0)?.members.findLast((member) => member.key === key)?.value;
  return span && cut(bytes, span);
}

/** The values of a list as they are written; nothing where it is none. */
export function listElements(bytes: Buffer): readonly Buffer[] {
  return scanList(bytes, 0)?.elements.map((span) => cut(bytes, span)) ?? [];
}

export function renderList(values: readonly Buffer[]): Buffer {
  const row = values.flatMap((value, index) => (index === 0 ? [value] : [Buffer.from(","), value]));
  return Buffer.concat([Buffer.from("["), ...row, Buffer.from("]")]);
}

export function renderValue(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function cut(bytes: Buffer, { start, end }: Span): Buffer {
  return bytes.subarray(start, end);
}
