import type { SessionEvent } from "../core/event.ts";
import { isRecall } from "../layers/history/is-recall.ts";
import type { CallVocabulary } from "../layers/history/vocabulary.ts";

/** What a model had to get again because a compaction took it out of view: what the record should have held. */
export interface FetchedBack {
  readonly compactions: number;
  /** Calls that fetched an original. */
  readonly recalls: number;
  /** Files read and commands run again soon after a compaction, which were read or run before it. */
  readonly repeats: number;
}

/** Later repeats have other reasons: the work has moved on. */
const CALLS_AFTER = 24;

/** Counts in the order of the session, in memory that grows with the files and commands of it only. */
export function createFetchedBackCounter(vocabulary: Pick<CallVocabulary, "interpretCall">) {
  let before = new Set<string>();
  let since = new Set<string>();
  let calls = Number.POSITIVE_INFINITY;
  let hasAnswer = false;
  let [compactions, recalls, repeats] = [0, 0, 0];
  const compact = (): void => {
    // A boundary and its summary are one compaction; old clients wrote no boundary.
    if (!hasAnswer) return;
    hasAnswer = false;
    compactions++;
    before = new Set([...before, ...since]);
    since = new Set();
    calls = 0;
  };
  return {
    feed(event: SessionEvent): void {
      if (event.kind === "compaction" || (event.kind === "arrival" && event.source === "summary")) compact();
      if (event.kind !== "output") return;
      hasAnswer = true;
      for (const block of event.blocks) {
        if (block.kind !== "toolCall") continue;
        if (isRecall(block.tool, block.input)) recalls++;
        const action = vocabulary.interpretCall(block.tool, block.input);
        const what =
          action.kind === "read" ? `read ${action.path}` : action.kind === "run" ? `run ${action.command}` : undefined;
        calls++;
        if (what === undefined) continue;
        if (calls <= CALLS_AFTER && before.has(what) && !since.has(what)) repeats++;
        since.add(what);
      }
    },
    count: (): FetchedBack => ({ compactions, recalls, repeats }),
  };
}

export function renderFetchedBack(found: FetchedBack): string {
  return `Originals fetched back: ${found.recalls}. ${renderRepeats(found)}`;
}

export function renderRepeats({ compactions, repeats }: FetchedBack): string {
  const after = compactions === 1 ? "1 compaction" : `${compactions} compactions`;
  return `Files or commands read or run again within ${CALLS_AFTER} calls of ${after}: ${repeats}.`;
}
