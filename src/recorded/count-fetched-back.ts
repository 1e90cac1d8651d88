import type { CallVocabulary } from "../layers/history/vocabulary.ts";
import type { Recording } from "../measure/recording.ts";
import { isRecall } from "../policy/is-recall.ts";

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

export function countFetchedBack(
  { steps, windows }: Recording,
  vocabulary: Pick<CallVocabulary, "interpretCall">,
): FetchedBack {
  const begins = new Set(windows.flatMap(({ compaction, firstStep }) => (compaction ? [firstStep] : [])));
  let before = new Set<string>();
  let since = new Set<string>();
  let calls = Number.POSITIVE_INFINITY;
  let [recalls, repeats] = [0, 0];
  for (const [at, { outputs }] of steps.entries()) {
    if (begins.has(at)) {
      before = new Set([...before, ...since]);
      since = new Set();
      calls = 0;
    }
    for (const block of outputs) {
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
  }
  return { compactions: begins.size, recalls, repeats };
}

export function renderFetchedBack(found: FetchedBack): string {
  return `Originals fetched back: ${found.recalls}. ${renderRepeats(found)}`;
}

export function renderRepeats({ compactions, repeats }: FetchedBack): string {
  const after = compactions === 1 ? "1 compaction" : `${compactions} compactions`;
  return `Files or commands read or run again within ${CALLS_AFTER} calls of ${after}: ${repeats}.`;
}
