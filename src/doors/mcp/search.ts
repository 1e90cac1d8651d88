import type { SessionEvent } from "../../core/event.ts";
import { type Block, renderResultText } from "../../core/message.ts";
import { decodeText } from "../../files/decode-text.ts";
import { createMatcher } from "../../survive/recall/create-matcher.ts";
import { pageText } from "../../survive/recall/page-text.ts";
import { createHandles } from "../../survive/record/call-handle.ts";
import { listOriginals } from "./list-originals.ts";
import type { ServerSession } from "./server-session.ts";
import { tellTranscript } from "./tell-transcript.ts";

/** Beyond so many nobody reads on: the query is to be made narrower. */
const MAX_HITS = 400;
const WIDTH = 240;
const OVERLAP = 80;

/** Lines that match, each behind what to ask for the rest of it with: a handle and a line, or a request. */
export function search(session: ServerSession, query: string, page: number | undefined): string {
  if (query.trim() === "") return "Give a query: words, or a regular expression.";
  const hits = createHits(query);
  searchOriginals(session, hits);
  searchMessages(session, hits);
  if (hits.lines.length === 0)
    return `Nothing in the folded originals and messages of this session matches "${query}".`;
  const found = pageText(hits.lines.join("\n"), { page });
  const more = hits.isFull() ? `the first ${MAX_HITS} lines` : `${hits.lines.length} lines`;
  const where = found.pages === 1 ? "" : `, page ${found.page} of ${found.pages}`;
  return `[${more} match${where}; recall takes a handle, with lines for what stands around]\n${found.text}\n[end]`;
}

interface Hits {
  readonly lines: readonly string[];
  isFull(): boolean;
  /** Looks through a text; `name` says where one of its lines stands. */
  look(text: string, name: (line: number) => string): void;
}

function createHits(query: string): Hits {
  const isMatch = createMatcher(query);
  const lines: string[] = [];
  return {
    lines,
    isFull: () => lines.length >= MAX_HITS,
    look(text, name) {
      let number = 0;
      for (const line of text.split("\n")) {
        number++;
        if (lines.length >= MAX_HITS) return;
        if (isMatch(line)) lines.push(`${name(number)}: ${cutAround(line, isMatch)}`);
      }
    },
  };
}

/** Of a long line the piece that matches; where none does alone, its beginning. */
function cutAround(line: string, isMatch: (text: string) => boolean): string {
  if (line.length <= WIDTH) return line;
  for (let from = 0; from < line.length; from += WIDTH - OVERLAP) {
    const piece = line.slice(from, from + WIDTH);
    if (isMatch(piece)) return `${from > 0 ? "…" : ""}${piece}…`;
  }
  return `${line.slice(0, WIDTH)}…`;
}

function searchOriginals(session: ServerSession, hits: Hits): void {
  const seen = new Set<string>();
  for (const { sha256, handle } of [...listOriginals(session)].reverse()) {
    if (hits.isFull()) return;
    if (seen.has(sha256)) continue;
    seen.add(sha256);
    const read = session.originals.read(sha256);
    const text = read.ok ? decodeText(read.value.bytes) : undefined;
    if (text !== undefined) hits.look(text, (line) => `${handle} line ${line}`);
  }
}

function searchMessages(session: ServerSession, hits: Hits): void {
  const file = session.transcript();
  if (file === undefined) return;
  const nameCall = createHandles(session.follow()?.trail.calls ?? []);
  const own = new Set<string>();
  let [request, stepId] = [0, ""];
  const look = (block: Block, who: string): void => {
    if (block.kind === "text") hits.look(block.text, () => `request ${request} ${who}`);
    if (block.kind === "toolCall") {
      // What was looked for here before is no find.
      if (/plimsoll/i.test(block.tool)) own.add(block.callId);
      else hits.look(JSON.stringify(block.input), () => `request ${request} ${block.tool} ${nameCall(block.callId)}`);
    }
    if (block.kind === "toolResult" && !own.has(block.callId))
      hits.look(renderResultText(block), (line) => `${nameCall(block.callId)} line ${line}`);
  };
  tellTranscript(file, (event: SessionEvent) => {
    if (event.kind === "output") {
      if (event.stepId !== stepId) request++;
      stepId = event.stepId;
      for (const block of event.blocks) look(block, "model");
    }
    if (event.kind === "arrival") look(event.block, event.source === "prompt" ? "person" : event.source);
  });
}
