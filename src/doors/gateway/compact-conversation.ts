import type { Decided, Decider } from "./decide-together.ts";
import { keepDecisions } from "./request/keep-decisions.ts";
import { within } from "./request/within.ts";
import type { CompactionAnswer, CompactionAsked } from "./wire.ts";

export interface Compacting extends CompactionAsked {
  readonly answers: readonly string[] | undefined;
  readonly decided: Decided;
}

const KEEP_TIMEOUT_MS = 5_000;

/**
 * Answers a compaction without a model. Where the client goes on with what lies here, all that is old becomes ledger first, and the
 * history is kept as it came: the next request has it in its place again. Rejects where the store does: then nothing was promised.
 */
export async function compactConversation(
  { decided, answers, ...asked }: Compacting,
  { store, planner, nowMs, budgetMs }: Pick<Decider, "store" | "planner" | "nowMs" | "budgetMs">,
): Promise<CompactionAnswer> {
  const { request, session } = asked;
  const { wire, fields } = request;
  const kept = wire.compaction.putAway?.(asked);
  if (kept) {
    const { replayed, ledger, facts } = decided;
    const { view } = replayed;
    const situation = { view, newFrom: view.length, model: fields.model, facts, nowMs: nowMs() };
    const plan = planner.planAsked({ ...situation, isClearedByServer: false, isTimeSpent: () => false });
    await within(KEEP_TIMEOUT_MS, store.keepOriginals([kept]));
    const after = answers?.at(-1);
    // Where somebody else has decided meanwhile, what is old goes with a later request.
    if (plan.edits.length > 0)
      await keepDecisions(store, session, {
        edits: plan.edits,
        after,
        view,
        ledger,
        budgetMs: Math.max(budgetMs, KEEP_TIMEOUT_MS),
      });
  }
  return wire.compaction.render(asked);
}
