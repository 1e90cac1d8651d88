import type { ReplayOutcome } from "../../src/replay/outcome.ts";
import type { Briefing, ReplayDecision, ReplayTerms, StepView } from "../../src/replay/policy.ts";
import { NOTHING_TO_DO } from "../../src/replay/policy.ts";
import type { ReplayCacheLife } from "../../src/replay/prompt-cache.ts";
import { onTerms, type WalkOptions, walkRequests } from "../../src/replay/walk-session.ts";

/** An entry point as replay drives it: its own live code, with a recorded session in the place of a client. */
export interface EntryPoint extends ReplayTerms {
  readonly name: string;
  /** One sentence for the table's legend. */
  readonly about: string;
  open(briefing: Briefing, life?: ReplayCacheLife): Promise<EntryPointSession>;
}

/** One session at an entry point. */
export interface EntryPointSession {
  /** What leaves, of a conversation as it left last time and what has joined it since. */
  plan(occasion: StepView): Promise<ReplayDecision>;
  close(): Promise<void>;
}

/** One session through one entry point, priced as every policy is. */
export async function walkEntryPoint(
  subject: Briefing,
  entryPoint: EntryPoint,
  options: WalkOptions,
): Promise<ReplayOutcome> {
  const played = onTerms(subject, entryPoint);
  const session = await entryPoint.open(played, entryPoint.life);
  try {
    const walk = walkRequests(played, { ...options, life: entryPoint.life });
    let next = walk.next(NOTHING_TO_DO);
    while (!next.done) next = walk.next(await session.plan(next.value));
    return next.value;
  } finally {
    await session.close();
  }
}
