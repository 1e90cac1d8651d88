import { textField } from "../../../core/json.ts";
import { readColdTasks, writeColdTasks } from "../../../files/cold-tasks.ts";
import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import { describeInjection } from "../../../policy/injection/compose-injections.ts";
import { hasAnythingToPreserve, renderPreservation } from "../../../survive/record/preservation.ts";
import { stepRestore } from "../../../survive/restore/step-restore.ts";
import { informsSummariser, readKept, searchInstruments } from "../clients/claude-code/client.ts";
import { type Hook, type HookContext, NOTHING } from "../hook.ts";
import { landRestore, listKeptOutputs } from "../restore/restore.ts";
import { collectFacts, followRestore } from "../restore/restore-file.ts";
import { saveState } from "../save-state.ts";
import { coldSessionOf, measureCold, openSessionData, type SessionData } from "../session-data.ts";
import { locateTrusted } from "../trusted-file.ts";

/** Saves the session's state before it is summarised, and tells the summariser what must survive. */
export const preCompact: Hook = async (context) => {
  if (context.agentId !== "") return NOTHING;
  const data = openSessionData(context);
  if (data === undefined) return NOTHING;
  const landed = landRestore(context);
  const failures = await saveBefore(context, data);
  const trigger = textField(context.raw, "trigger") || "unknown";
  const happened = data.happened();
  const summaries = await readColdTasks(coldSessionOf(context), happened.state);
  const preserved = { happened, root: context.project, trigger, summaries };
  const text = informsSummariser() && hasAnythingToPreserve(preserved) ? renderPreservation(preserved) : "";
  const isFirst = ask(context, data, trigger);
  const meter = data.meter();
  const model = (meter.current ?? meter.cached)?.model ?? "";
  const injected = describeInjection({ what: "preservation", why: trigger, text }, model);
  const isInjected = isFirst && text !== "";
  return { text, client: data.version, actions: [...landed.actions, ...failures, ...(isInjected ? [injected] : [])] };
};

/** What is not saved now is lost with the window. If one part fails, the others are still saved. */
async function saveBefore(context: HookContext, data: SessionData): Promise<readonly ActionDetail[]> {
  const moment = { ...measureCold(data, context), isLast: true };
  const steps: readonly (readonly [string, () => unknown])[] = [
    ["the project's state", () => saveState(data.happened(), context)],
    ["cold tasks", () => writeColdTasks(coldSessionOf(context), moment, () => data.happened().state)],
    ["the session's data", () => data.save()],
  ];
  const failures: ActionDetail[] = [];
  for (const [what, run] of steps) {
    try {
      await run();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures.push({ kind: "failed", why: `${what} could not be saved before a compaction: ${why}` });
    }
  }
  return failures;
}

/** Whether this compaction was not noticed before. */
function ask(context: HookContext, data: SessionData, trigger: string): boolean {
  const transcript = locateTrusted(context);
  if (context.folder === undefined || transcript === undefined) return true;
  const happened = data.happened();
  // Before the lock: a long transcript takes a while, and others wait for the lock.
  const instruments = searchInstruments(transcript);
  const isFirst = followRestore(context.folder, (before) => {
    const { stage } = before.restore;
    const { state } = stepRestore(before.restore, {
      kind: "asked",
      trigger,
      request: happened.state.requests.count,
      atMs: context.nowMs(),
      facts: collectFacts(happened, context),
      kept: readKept(transcript, trigger),
    });
    const isCompared = instruments.length === 0 && listKeptOutputs(context, "").length === 0;
    return {
      file: { ...before, instruments, restore: state, askedSize: data.transcriptSize, isCompared },
      value: stage !== "asked" && stage !== "told",
    };
  });
  return isFirst ?? false;
}
