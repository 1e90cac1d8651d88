import type { Fact } from "../../../survive/receipt/fact.ts";
import { listFacts } from "../../../survive/receipt/list-facts.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type RestoreReceipt, stepRestore } from "../../../survive/restore/step-restore.ts";
import type { HookContext } from "../hook.ts";
import type { SessionData } from "../session-data.ts";
import { followRestore, readRestoreFile } from "./restore-file.ts";

export function isCompacting(folder: string): boolean {
  const { stage } = readRestoreFile(folder).restore;
  return stage === "asked" || stage === "told";
}

/** Compares a summary with the state before it. `open` is called only if the beginning of the compaction was not noticed. */
export function followSummary(
  { summary, isOver }: { readonly summary: string; readonly isOver: boolean },
  context: HookContext,
  open: () => SessionData | undefined,
): RestoreReceipt | undefined {
  const { folder } = context;
  if (folder === undefined) return undefined;
  return followRestore(folder, (before) => {
    const isAsked = before.restore.stage === "asked" || before.restore.stage === "told";
    const data = isAsked ? undefined : open();
    const happened = data?.happened();
    const { state, receipt } = stepRestore(before.restore, {
      kind: "summarised",
      summary,
      isOver,
      atMs: context.nowMs(),
      request: happened?.state.requests.count ?? 0,
      facts: happened ? collectFacts(happened, context) : [],
    });
    const askedSize = data?.transcriptSize ?? before.askedSize;
    return { file: state === before.restore ? before : { ...before, restore: state, askedSize }, value: receipt };
  });
}

/** The client writes these before whatever a hook adds, our own injections included. */
const HOST_WORDS: readonly string[] =
  `PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart PreCompact`.split(/\s+/);

/** The facts worth putting back. A name that is part of the project's own path is not. */
export function collectFacts(happened: Happened, { project }: Pick<HookContext, "project">): readonly Fact[] {
  return listFacts(happened, { root: project }).filter(
    (fact) => fact.kind !== "identifier" || !(project.includes(fact.term) || HOST_WORDS.includes(fact.term)),
  );
}
