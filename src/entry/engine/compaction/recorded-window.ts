import { hashText } from "../../../core/hash.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { type Block, type Message, renderResultText } from "../../../core/message.ts";
import { sha256 } from "../../../core/sha256.ts";
import { nameHandle } from "../../../fold/marker.ts";
import type { Row } from "../../../hosts/claude-code/row-reader.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import { createTrackers } from "../../../hosts/happening.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { renderBlock } from "../../../wire/anthropic/messages.ts";
import type { Memory } from "../memory-file.ts";
import { type ArrangedWindow, arrangeWindow } from "./answer-window.ts";
import { parseRows } from "./compaction-event.ts";
import { followExtras, keepPictures, NO_EXTRAS, type RowExtras } from "./row-extras.ts";

/** The window of a recorded session, as the client would report it now. */
export interface RecordedWindow extends ArrangedWindow {
  /** What a process of ours has written down of the session, as far as it is of this window. */
  readonly memory: Memory | undefined;
  readonly happened: Happened;
  /** What each row was recorded as, by its handle: thoughts and pictures, which the client does not report, have a size too. */
  readonly recorded: ReadonlyMap<string, Message>;
}

/** A line of a transcript. */
interface RecordedRow extends Message {
  readonly source: string;
  readonly label: string;
}

/**
 * Reads a session's window from its transcript. What a process of ours has written down of the session (`memory`) is continued, as a
 * resumed session continues it.
 */
export function readRecordedWindow(
  { host, events, recording }: RecordedSession,
  { transcript, memory }: { readonly transcript: string; readonly memory: Memory | undefined },
): RecordedWindow {
  const recorded = listRows(events, recording);
  const last = recorded.findLastIndex(({ id }) => id === memory?.beside.rows.at(-1));
  const known = last < 0 ? undefined : memory;
  // What came in behind the last row that a process has seen was seen too.
  const next = recorded.findIndex((row, at) => at > last && isReported(row));
  const fresh = known ? recorded.slice(next < 0 ? recorded.length : next) : recorded;
  const began = known ? events.findIndex(({ origin }) => origin === fresh[0]?.id) : 0;
  const trackers = createTrackers(host.vocabulary, known?.watch);
  for (const event of events.slice(began < 0 ? events.length : began)) trackers.feed(event);
  const extras = fresh
    .map(toRow)
    .reduce((state, row) => followExtras(state, row, keepPictures(NAMING, row)), known?.beside ?? restate(recorded));
  const rows = parseRows(recorded.filter(isReported).map(reportRow));
  const sent = recording.steps.map(({ outputs }) => ({ role: "assistant", content: renderBlocks(outputs) }));
  const { session: state, trail } = trackers.state();
  return {
    memory: known,
    happened: { state, trail },
    recorded: new Map(recorded.map((row) => [row.id, row])),
    ...arrangeWindow(rows, sent, {
      transcript,
      beside: extras,
      // A record comes after a compaction; anywhere else somebody has pasted one.
      hasAnswered: recording.windows.length > 1,
      keptAnswers: known?.keptAnswers ?? [],
    }),
  };
}

/** Names pictures as they will be stored, and stores none. */
const NAMING: Parameters<typeof keepPictures>[0] = {
  keep({ output }) {
    const hash = sha256(output);
    return { sha256: hash, handle: nameHandle(hash), path: "" };
  },
};

/** The lines of the current window: everything since the last compaction, and what that one kept. */
function listRows(events: RecordedSession["events"], { windows }: RecordedSession["recording"]) {
  const { compaction, kept = [] } = windows.at(-1) ?? {};
  const began = compaction === undefined ? 0 : events.findLastIndex(({ origin }) => origin === compaction.origin);
  const since = events.slice(Math.max(0, began));
  const summary = since.findIndex((event) => event.kind === "arrival" && event.source === "summary");
  const rows: RecordedRow[] = [];
  for (const event of [...since.slice(0, summary + 1), ...kept, ...since.slice(summary + 1)]) {
    if (event.kind !== "output" && event.kind !== "arrival") continue;
    const blocks = event.kind === "output" ? event.blocks : [event.block];
    const { role, source, label } = event.kind === "output" ? ANSWERED : event;
    const before = rows.at(-1);
    if (event.origin !== "" && before?.id === event.origin && before.source === source)
      rows[rows.length - 1] = { ...before, blocks: [...before.blocks, ...blocks] };
    else rows.push({ id: event.origin || `row:${rows.length}`, role, source, label, blocks });
  }
  return rows;
}

const ANSWERED = { role: "assistant", source: "answer", label: "" } as const;

function isReported({ source }: RecordedRow): boolean {
  return source !== "attachment" && source !== "reminder";
}

/** Texts that the host of the recording knows as its own. */
function restate(rows: readonly RecordedRow[]): RowExtras {
  const own = rows.filter(({ source }) => source === "prompt").flatMap(({ blocks }) => blocks);
  const texts = own.flatMap((block) => (block.kind === "text" && block.author === "host" ? [block.text] : []));
  return { ...NO_EXTRAS, retold: texts.map(hashText) };
}

function toRow({ id: uuid, role, source, label: name, blocks }: RecordedRow): Row {
  const type = role === "assistant" ? "assistant" : source === "attachment" ? "attachment" : "user";
  const isMeta = source === "reminder" ? true : undefined;
  return { door: "", uuid, origin: {}, message: { type, name, isMeta, content: renderBlocks(blocks) } };
}

/** A row as the client reports it at a compaction: words, calls and results. */
export function reportRow({ id, role, blocks }: Message): JsonObject {
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  const toolUses = blocks.flatMap((block) =>
    block.kind === "toolCall" ? [{ tool_use_id: block.callId, tool: block.tool, input: block.input }] : [],
  );
  const toolResults = blocks.flatMap((block) =>
    block.kind === "toolResult"
      ? [{ tool_use_id: block.callId, text: renderResultText(block), isError: block.isError }]
      : [],
  );
  const results = toolResults.length === 0 ? {} : { toolResults };
  return { role: role === "assistant" ? role : "user", text: texts.join("\n"), toolUses, ...results, handle: id };
}

function renderBlocks(blocks: readonly Block[]): readonly JsonObject[] {
  return blocks.map((block) => renderBlock(block)).filter(isObject);
}
