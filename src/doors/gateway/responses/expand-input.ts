import { isRecord } from "../../../wire/is-json.ts";
import { parsePutAway } from "../put-away.ts";
import { parseSpan, type Span, scanList, scanObject } from "../request/json-spans.ts";
import { type Shelf, UnexpandedError } from "../wire.ts";
import { findPutAway } from "./compaction.ts";

const SIGN = Buffer.from("plimsoll:");
const COMMA = Buffer.from(",");

/**
 * The body with the whole history in the place of what a compaction left of it. Behind it stands what the client tells anew in the new
 * window, and then what has happened since: nothing is told twice, and nothing moves that was sent before. What was decided about the
 * history is done again by whoever decided it.
 */
export async function expandInput(bytes: Buffer, shelf: Shelf): Promise<Buffer> {
  if (!bytes.includes(SIGN)) return bytes;
  const [field, ...more] = scanObject(bytes, 0)?.members.filter(({ key }) => key === "input") ?? [];
  const list = field && more.length === 0 ? scanList(bytes, field.value.start) : undefined;
  if (!field || !list) return bytes;
  const expanded = await expand(readItems(bytes, list.elements), shelf);
  if (!expanded) return bytes;
  const row = expanded.flatMap(({ bytes: own }, index) => (index === 0 ? [own] : [COMMA, own]));
  return Buffer.concat([bytes.subarray(0, field.value.start + 1), ...row, bytes.subarray(list.end - 1)]);
}

interface Item {
  readonly bytes: Buffer;
  /** What a message says, and who says it; empty for everything else. */
  readonly said: string;
  /** Of the history that it stands for. */
  readonly handle: string | undefined;
}

function readItems(bytes: Buffer, spans: readonly Span[]): readonly Item[] {
  return spans.map((span) => {
    const own = bytes.subarray(span.start, span.end);
    const item = parseSpan(bytes, span);
    const isMessage = isRecord(item) && item.type === "message";
    return {
      bytes: own,
      said: isMessage ? JSON.stringify([item.role, item.content]) : "",
      handle: own.includes(SIGN) ? findPutAway(item) : undefined,
    };
  });
}

/** `undefined` where nothing stands for anything. */
async function expand(items: readonly Item[], shelf: Shelf): Promise<readonly Item[] | undefined> {
  const at = items.findLastIndex(({ handle }) => handle !== undefined);
  const handle = items[at]?.handle;
  if (handle === undefined) return undefined;
  const kept = await readKept(handle, shelf);
  if (!kept) return items.map((item, index) => (index === at && item.said === "" ? tellMissing(handle) : item));
  const history = (await expand(kept, shelf)) ?? kept;
  return [...history, ...leaveOut(items.slice(0, at), history), ...items.slice(at + 1)];
}

/** Nobody else could read it either: the conversation goes on, and says what it goes on without. */
function tellMissing(handle: string): Item {
  const text = `What was said before a compaction is kept as ${handle} in another place, and cannot be read here.`;
  const item = { type: "message", role: "user", content: [{ type: "input_text", text }] };
  return { bytes: Buffer.from(JSON.stringify(item)), said: "", handle: undefined };
}

/** What was told before stays told, as often as it was. */
function leaveOut(items: readonly Item[], history: readonly Item[]): readonly Item[] {
  const told = new Map<string, number>();
  for (const { said } of history) if (said !== "") told.set(said, (told.get(said) ?? 0) + 1);
  return items.filter(({ said }) => {
    const left = told.get(said) ?? 0;
    told.set(said, left - 1);
    return left <= 0;
  });
}

async function readKept(handle: string, { readOriginal, user }: Shelf): Promise<readonly Item[] | undefined> {
  const text = await readOriginal(handle).catch((error: unknown) => {
    throw new UnexpandedError(`${handle} cannot be read`, { cause: error });
  });
  const list = text === undefined ? undefined : parsePutAway(text, user)?.list;
  const found = list && scanList(list, 0);
  return found && readItems(list, found.elements);
}
