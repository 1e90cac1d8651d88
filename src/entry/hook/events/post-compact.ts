import { textField } from "../../../core/json.ts";
import { readColdTasks } from "../../../files/cold-tasks.ts";
import { takeReading } from "../../../measure/reading.ts";
import { estimateTextTokens, tokenizerOf } from "../../../models/tokens.ts";
import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import { describeClientCompaction } from "../../../survive/record/preservation.ts";
import { type Hook, type HookContext, NOTHING } from "../hook.ts";
import { countCall } from "../load/read-load.ts";
import { toAction } from "../restore/restore.ts";
import { followSummary, readRestoreFile } from "../restore/restore-file.ts";
import { coldSessionOf, openSessionData, type SessionData } from "../session-data.ts";

/** Compares the summary that was really used with the state before it: writes the receipt, and prepares what to put back. */
export const postCompact: Hook = async (context) => {
  if (context.agentId !== "") return NOTHING;
  countCall(context, "C");
  const data = openSessionData(context);
  const summary = textField(context.raw, "compact_summary");
  const receipt = followSummary({ summary, isOver: true }, context, () => data);
  return {
    client: data?.version ?? "",
    actions: [...(receipt ? [toAction(receipt)] : []), ...(data ? [await describeCompaction(context, data)] : [])],
  };
};

/** The boundary is not recorded yet at this moment, so the size afterwards is an estimate, and is marked as one. */
async function describeCompaction(context: HookContext, data: SessionData): Promise<ActionDetail> {
  const meter = data.meter();
  const { usedTokens = 0 } = takeReading(meter);
  const model = (meter.current ?? meter.cached)?.model ?? "";
  const summary = textField(context.raw, "compact_summary");
  const after = (meter.baseTokens ?? 0) + estimateTextTokens(summary, tokenizerOf(model));
  const summaries = (await readColdTasks(coldSessionOf(context), data.happened().state)).length;
  const askedAtMs = context.folder === undefined ? 0 : readRestoreFile(context.folder).restore.askedAtMs;
  return {
    kind: "compacted",
    by: "client",
    trigger: textField(context.raw, "trigger") || "unknown",
    tokensBefore: usedTokens,
    tokensAfter: Math.round(after),
    // From the request to the answer, the summariser's time included; 0 if there was no request.
    ms: askedAtMs > 0 ? Math.max(0, Math.round(context.nowMs() - askedAtMs)) : 0,
    why: `${describeClientCompaction(summaries)}; the number of tokens after the compaction is estimated`,
  };
}
