import { type Span, scanList, scanObject } from "./json-spans.ts";

/**
 * A JSON object with other values for some of its keys. Everything else keeps its bytes: numbers as written, blanks, the order
 * of keys. A key that occurs twice gets the value twice, a missing key is added. Returns the same bytes if this is no object.
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

/** The value of a key as written; the last one counts if there are several, as in a parser. */
export function findMember(bytes: Buffer, key: string): Buffer | undefined {
  const span = scanObject(bytes, 0)?.members.findLast((member) => member.key === key)?.value;
  return span && cut(bytes, span);
}

export function listElements(bytes: Buffer): readonly Buffer[] {
  return scanList(bytes, 0)?.elements.map((span) => cut(bytes, span)) ?? [];
}

export function renderList(values: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from("["), renderRow(values), Buffer.from("]")]);
}

/** Separated by commas, without brackets. */
export function renderRow(values: readonly Buffer[]): Buffer {
  return Buffer.concat(values.flatMap((value, index) => (index === 0 ? [value] : [Buffer.from(","), value])));
}

export function renderValue(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function cut(bytes: Buffer, { start, end }: Span): Buffer {
  return bytes.subarray(start, end);
}

/** Inserts bytes into a body in pieces that was made of one of `bodyBytes`: a place in front counts from the beginning, one behind from the end. */
export function insertBytes(
  pieces: readonly Buffer[],
  bodyBytes: number,
  // `offset` counts in the body as it came, and is before or behind everything that was changed in it.
  insertions: readonly { readonly offset: number; readonly isBehind: boolean; readonly bytes: Buffer }[],
): readonly Buffer[] {
  // In this order, each insertion moves only what later ones do not look at.
  const inFront = insertions.filter(({ isBehind }) => !isBehind).sort((one, other) => other.offset - one.offset);
  const behind = insertions.filter(({ isBehind }) => isBehind).sort((one, other) => one.offset - other.offset);
  let made = pieces;
  for (const { offset, bytes } of inFront) made = insertAt(made, offset, bytes);
  for (const { offset, bytes } of behind) made = insertAt(made, measure(made) - (bodyBytes - offset), bytes);
  return made;
}

function insertAt(pieces: readonly Buffer[], at: number, bytes: Buffer): readonly Buffer[] {
  let before = 0;
  const index = pieces.findIndex((piece) => {
    if (at <= before + piece.length) return true;
    before += piece.length;
    return false;
  });
  const piece = pieces[index];
  if (!piece) return [...pieces, bytes];
  const cut = at - before;
  return [...pieces.slice(0, index), piece.subarray(0, cut), bytes, piece.subarray(cut), ...pieces.slice(index + 1)];
}

function measure(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
