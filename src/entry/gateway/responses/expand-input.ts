import { isObject } from "../../../core/json.ts";
import type { Original } from "../../../layers/history/originals.ts";
import { renderSseFrame } from "../../../library/stream/sse-frames.ts";
import { findClosing, type PutAway, parsePutAway, putAway } from "../put-away.ts";
import { parseSpan, type Span, scanList, scanObject } from "../request/json-spans.ts";
import { renderList } from "../request/set-members.ts";
import {
  type CompactionBody,
  type CompactionCall,
  type OriginalReader,
  UnexpandedError,
  type WrittenRecord,
} from "../wire.ts";

const SIGN = Buffer.from("plimsoll:");

/**
 * The body with the whole history in place of what a compaction left of it. After it comes what the client repeats in the new window, and then what
 * has happened since. Nothing is repeated, and nothing that was sent before moves. Decisions about the history are replayed by the usual code.
 */
export async function expandInput(bytes: Buffer, reader: OriginalReader): Promise<Buffer> {
  if (!bytes.includes(SIGN)) return bytes;
  const [field, ...more] = scanObject(bytes, 0)?.members.filter(({ key }) => key === "input") ?? [];
  const list = field && more.length === 0 ? scanList(bytes, field.value.start) : undefined;
  if (!field || !list) return bytes;
  const expanded = await expand(readItems(bytes, list.elements), reader);
  if (!expanded) return bytes;
  const all = renderList(expanded.map((item) => item.bytes));
  return Buffer.concat([bytes.subarray(0, field.value.start), all, bytes.subarray(list.end)]);
}

interface Item {
  readonly bytes: Buffer;
  /** A message's role and text; empty for everything else. */
  readonly said: string;
  readonly handle: string | undefined;
}

function readItems(bytes: Buffer, spans: readonly Span[]): readonly Item[] {
  return spans.map((span) => {
    const own = bytes.subarray(span.start, span.end);
    const item = parseSpan(bytes, span);
    const isMessage = isObject(item) && item.type === "message";
    return {
      bytes: own,
      said: isMessage ? JSON.stringify([item.role, item.content]) : "",
      handle: own.includes(SIGN) ? findPutAway(item) : undefined,
    };
  });
}

/** `undefined` if no item replaces a history. */
async function expand(items: readonly Item[], reader: OriginalReader): Promise<readonly Item[] | undefined> {
  const at = items.findLastIndex(({ handle }) => handle !== undefined);
  const handle = items[at]?.handle;
  if (handle === undefined) return undefined;
  const kept = await readKept(handle, reader);
  if (!kept) return items.map((item, index) => (index === at && item.said === "" ? renderMissing(handle) : item));
  const history = (await expand(kept, reader)) ?? kept;
  return [...history, ...leaveOut(items.slice(0, at), history), ...items.slice(at + 1)];
}

/** The history cannot be read: the conversation goes on, and the model is told what is missing. */
function renderMissing(handle: string): Item {
  const text = `The conversation before a compaction is stored elsewhere as ${handle}, and cannot be read here.`;
  const item = { type: "message", role: "user", content: [{ type: "input_text", text }] };
  return { bytes: Buffer.from(JSON.stringify(item)), said: "", handle: undefined };
}

/** Leaves out items that the history already has, as often as it has them. */
function leaveOut(items: readonly Item[], history: readonly Item[]): readonly Item[] {
  const counts = new Map<string, number>();
  for (const { said } of history) if (said !== "") counts.set(said, (counts.get(said) ?? 0) + 1);
  return items.filter(({ said }) => {
    const left = counts.get(said) ?? 0;
    counts.set(said, left - 1);
    return left <= 0;
  });
}

async function readKept(handle: string, { readOriginal, user }: OriginalReader): Promise<readonly Item[] | undefined> {
  const text = await readOriginal(handle).catch((error: unknown) => {
    throw new UnexpandedError(`${handle} cannot be read`, { cause: error });
  });
  const list = text === undefined ? undefined : parsePutAway(text, user)?.list;
  const found = list && scanList(list, 0);
  return found && readItems(list, found.elements);
}

/** The last item of a request that asks the API to compact what comes before, and to answer with an item that replaces it. */
export function isTrigger(item: unknown): boolean {
  return isObject(item) && item.type === "compaction_trigger";
}

const HANDLE = /^plimsoll:[0-9a-f]{12}$/;

/** The history as it came, without the request to compact: the next window begins with it. */
export function putAwayInput({ request }: CompactionCall, whose: PutAway): Original {
  const { bytes, list } = request;
  const items = (scanList(bytes, list.start)?.elements ?? []).slice(0, -1);
  const [from, to] = [items[0]?.start ?? list.start + 1, items.at(-1)?.end ?? list.start + 1];
  return putAway(whose, `[${bytes.toString("utf8", from, to)}]`);
}

function findPutAway(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const { encrypted_content: handle } = item;
  if (item.type === "compaction") return typeof handle === "string" && HANDLE.test(handle) ? handle : undefined;
  if (item.role !== "user" || !Array.isArray(item.content) || item.content.length !== 1) return undefined;
  const [part]: readonly unknown[] = item.content;
  return isObject(part) && typeof part.text === "string" ? findClosing(part.text) : undefined;
}

export function renderCompaction({ request, session }: CompactionCall, written: WrittenRecord): CompactionBody {
  const { raws, fields } = request;
  const { text, handle } = written;
  const last = raws.at(-1)?.content;
  const id = `plimsoll_${session}_${handle.slice(-12)}`;
  const content = [{ type: "output_text", text, annotations: [] }];
  const item =
    Array.isArray(last) && isTrigger(last.at(-1))
      ? { id: `cmp_${id}`, type: "compaction", encrypted_content: handle }
      : { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content };
  const begun = { id: `resp_${id}`, object: "response", status: "in_progress", model: fields.model, output: [] };
  const response = { ...begun, status: "completed", output: [item], usage: NO_USAGE };
  if (!fields.isStream) return { contentType: "application/json", body: Buffer.from(JSON.stringify(response)) };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
  const frames = events.map((event, sequence_number) =>
    renderSseFrame({ event: event.type, data: JSON.stringify({ ...event, sequence_number }) }),
  );
  return { contentType: "text/event-stream; charset=utf-8", body: Buffer.concat(frames) };
}

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
