import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { listSummarySizes, type SummarySize } from "../../measure/summary-sizes.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { type ListedCompaction, listCompactions } from "../../recorded/list-compactions.ts";
import { listReceipts, type ReceiptDeed } from "../../recorded/read-deeds.ts";
import { diffSummary } from "../../survive/receipt/diff-summary.ts";
import { listFacts } from "../../survive/receipt/list-facts.ts";
import { checkLanded, MAX_INJECTED_CHARACTERS, planRepair } from "../../survive/receipt/plan-repair.ts";
import { createReceipt } from "../../survive/receipt/receipt.ts";
import type { CompactionDetail, CompactionReceipt } from "./wire.ts";

const MOST_SUMMARY_CHARACTERS = 100_000;

/** Before and after every compaction, with its receipt: the one of the record, and the one written down live. */
export function describeCompactions(session: RecordedSession, deeds: readonly Deed[]): readonly CompactionDetail[] {
  const { recording } = session;
  const told = new Map([...listCompactions(session)].map((recorded) => [recorded.origin, recorded]));
  const sizes = new Map(listSummarySizes(recording).map((size) => [size.compaction, size]));
  const live = new Map(listReceipts(deeds).map((receipt) => [receipt.compaction, receipt]));
  return recording.windows.flatMap(({ compaction, firstStep }, number): readonly CompactionDetail[] => {
    if (!compaction) return [];
    const recorded = told.get(compaction.origin);
    const size = sizes.get(number);
    const receipt = live.get(number);
    return [
      {
        number,
        trigger: compaction.trigger,
        atMs: compaction.atMs ?? null,
        tokensBefore: compaction.preTokens ?? recording.steps[firstStep - 1]?.contextTokens ?? null,
        tokensAfter: recording.steps[firstStep]?.contextTokens ?? compaction.postTokens ?? null,
        durationMs: compaction.durationMs ?? null,
        summary: recorded && size ? describeSummary(recorded.summary, size) : null,
        receipt: recorded ? judge(recorded) : null,
        live: receipt ? describeLive(receipt) : null,
      },
    ];
  });
}

function describeSummary(text: string, { characters, tokens }: SummarySize): CompactionDetail["summary"] {
  return { characters, tokens, text: text.slice(0, MOST_SUMMARY_CHARACTERS) };
}

function describeLive({ door, held, paraphrased, lost, landing }: ReceiptDeed): CompactionDetail["live"] {
  return { door, held, paraphrased, lost, landing };
}

function judge({ summary, happened, root, kept, arrived }: ListedCompaction): CompactionReceipt {
  const diff = diffSummary(summary, listFacts(happened, { root }), kept);
  const repair = planRepair(diff, MAX_INJECTED_CHARACTERS);
  const { held, paraphrased, lost, injected, landing } = createReceipt(diff, repair, checkLanded(repair, arrived));
  return {
    held,
    paraphrased,
    lost: lost.map(({ kind, text, request, mark, repair: fate }) => ({
      kind,
      text,
      request,
      mark: mark ?? null,
      repair: fate,
    })),
    injected,
    landing,
  };
}
