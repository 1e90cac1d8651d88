import type { SessionEvent } from "../core/event.ts";
import { type Block, renderResultText } from "../core/message.ts";
import type { RecordedContents } from "../hosts/follow-transcript.ts";
import { createSession } from "../session/session.ts";
import { diffSummary } from "../survive/receipt/diff-summary.ts";
import { listFacts } from "../survive/receipt/list-facts.ts";
import { checkLanded, MAX_INJECTED_CHARACTERS, planRepair } from "../survive/receipt/plan-repair.ts";
import { createReceipt, type Receipt } from "../survive/receipt/receipt.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { createTrail } from "../survive/record/trail.ts";

/** A recorded compaction: what there was before it, the client's summary, and what was sent after it. */
export interface ListedCompaction {
  /** From 0, in the order of the transcript. */
  readonly index: number;
  /** The host's id of its record; empty if there is none. */
  readonly origin: string;
  readonly happened: Happened;
  readonly root: string;
  readonly summary: string;
  /** What the client kept word for word in addition to the summary. */
  readonly kept: string;
  /** What arrived between the compaction and the next answer, without the summary. */
  readonly arrived: string;
}

/** The compactions of a transcript that have something before them. */
export function* listCompactions({ host, events, entries }: RecordedContents): Generator<ListedCompaction> {
  const root = entries.findLast(({ cwd }) => cwd !== "")?.cwd ?? "";
  const session = createSession(host.vocabulary);
  const trail = createTrail(host.vocabulary);
  let index = 0;
  let hasAnswer = false;
  let isFresh = false;
  // What happens after the last summary that can be read says nothing about any of them, and may be all of the session: Codex's are encrypted.
  const last = events.findLastIndex((event) => isSummary(event) && textOf(event) !== "");
  for (const [at, event] of events.slice(0, last + 1).entries()) {
    if (event.kind === "output") {
      hasAnswer = true;
      isFresh = false;
    }
    // Old clients wrote a summary without a boundary before it.
    const isBoundary: boolean = event.kind === "compaction" || (isSummary(event) && !isFresh);
    if (isBoundary && hasAnswer) {
      const next = takeArrivals(events, at);
      const summary = next.filter(isSummary).map(textOf).join("\n");
      const arrived = next
        .filter((later) => !isSummary(later))
        .map(textOf)
        .join("\n");
      if (summary !== "")
        yield {
          index: index++,
          origin: event.origin,
          happened: { state: session.state(), trail: trail.state() },
          root,
          summary,
          kept: renderKept(events.slice(0, at), event),
          arrived,
        };
    }
    isFresh ||= isBoundary;
    session.feed(event);
    trail.feed(event);
  }
}

/** Judges a summary against the session before it and what the client sent after it. */
export function judgeCompaction(
  { summary, happened, root, kept, arrived }: ListedCompaction,
  maxCharacters: number = MAX_INJECTED_CHARACTERS,
): Receipt {
  const diff = diffSummary(summary, listFacts(happened, { root }), kept);
  const repair = planRepair(diff, maxCharacters);
  return createReceipt(diff, repair, checkLanded(repair, arrived));
}

function takeArrivals(events: readonly SessionEvent[], from: number): readonly SessionEvent[] {
  const end = events.findIndex((event, at) => at > from && (event.kind === "output" || event.kind === "compaction"));
  return events.slice(from, end < 0 ? undefined : end);
}

/** The content of the messages that the boundary names as preserved. */
function renderKept(before: readonly SessionEvent[], boundary: SessionEvent): string {
  const preserved = new Set(boundary.kind === "compaction" ? boundary.preserved : []);
  if (preserved.size === 0) return "";
  return before
    .filter(({ origin }) => preserved.has(origin))
    .flatMap((event) => (event.kind === "output" ? event.blocks.map(renderBlock) : [textOf(event)]))
    .join("\n");
}

function renderBlock(block: Block): string {
  if (block.kind === "text") return block.text;
  if (block.kind !== "toolCall") return "";
  return Object.values(block.input)
    .filter((value) => typeof value === "string")
    .join("\n");
}

function isSummary(event: SessionEvent): boolean {
  return event.kind === "arrival" && event.source === "summary";
}

function textOf(event: SessionEvent): string {
  if (event.kind !== "arrival") return "";
  if (event.block.kind === "toolResult") return renderResultText(event.block);
  return event.block.kind === "text" ? event.block.text : "";
}
