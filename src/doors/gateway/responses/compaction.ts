import type { JsonObject } from "../../../core/json.ts";
import type { Original } from "../../../layers/history/originals.ts";
import { renderSseFrame } from "../../../library/stream/render-sse-frame.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { findClosing, type PutAway, putAway } from "../put-away.ts";
import { type Span, scanList } from "../request/json-spans.ts";
import type { CompactionAnswer, CompactionAsked, ParsedRequest, WrittenRecord } from "../wire.ts";

/** The last item where the API is to compact what stands before it, and to answer with an item that stands for it. */
export function isTrigger(item: unknown): boolean {
  return isRecord(item) && item.type === "compaction_trigger";
}

const HANDLE = /^plimsoll:[0-9a-f]{12}$/;

/** The history as it came, without the question: what the next window begins with. */
export function putAwayInput({ request }: CompactionAsked, whose: PutAway): Original {
  const { bytes, list } = request;
  const items = listHistory(request);
  const [from, to] = [items[0]?.start ?? list.start + 1, items.at(-1)?.end ?? list.start + 1];
  return putAway(whose, `[${bytes.toString("utf8", from, to)}]`);
}

/** The handle of the history that an item of the next window stands for. */
export function findPutAway(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  if (item.type === "compaction")
    return typeof item.encrypted_content === "string" && HANDLE.test(item.encrypted_content)
      ? item.encrypted_content
      : undefined;
  if (item.role !== "user" || !Array.isArray(item.content) || item.content.length !== 1) return undefined;
  const [part]: readonly unknown[] = item.content;
  return isRecord(part) && typeof part.text === "string" ? findClosing(part.text) : undefined;
}

export function renderCompaction(
  { request, session }: CompactionAsked,
  { text, handle }: WrittenRecord,
): CompactionAnswer {
  const isAskedByItem = isTrigger(lastItem(request));
  const id = `plimsoll_${session}_${handle.slice(-12)}`;
  const item: JsonObject = isAskedByItem
    ? { id: `cmp_${id}`, type: "compaction", encrypted_content: handle }
    : {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      };
  return renderAnswer(item, request, `resp_${id}`);
}

function renderAnswer(item: JsonObject, { fields }: ParsedRequest, id: string): CompactionAnswer {
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  };
  const begun = { id, object: "response", status: "in_progress", model: fields.model, output: [] };
  const response = { ...begun, status: "completed", output: [item], usage };
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

function listHistory({ bytes, list }: ParsedRequest): readonly Span[] {
  return (scanList(bytes, list.start)?.elements ?? []).slice(0, -1);
}

function lastItem({ raws }: ParsedRequest): unknown {
  const content = raws.at(-1)?.content;
  return Array.isArray(content) ? content.at(-1) : undefined;
}
