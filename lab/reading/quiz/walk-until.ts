import { applyEdits } from "../../../src/core/apply-edits.ts";
import type { Block, Message } from "../../../src/core/message.ts";
import { findNeeds } from "../../../src/replay/needs.ts";
import type { Policy, ReplayDecision } from "../../../src/replay/policy.ts";
import { isUnlogged } from "../../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../../src/replay/session.ts";
import { walkSession } from "../../../src/replay/walk-session.ts";

/** A recorded request as a policy sends it, with the decision before it. */
export interface SentView {
  readonly step: number;
  readonly messages: readonly Message[];
  readonly decision: ReplayDecision;
}

/** Every request up to the cut as a policy sends it, one after the other; the last one is about to be sent. */
export function walkUntil(session: ReplaySession, step: number, policy: Policy): readonly SentView[] {
  const views: SentView[] = [];
  const past = { ...session, steps: session.steps.slice(0, step + 1) };
  const watched: Policy = {
    ...policy,
    create(briefing) {
      const planner = policy.create(briefing);
      return {
        plan(occasion) {
          const decision = planner.plan(occasion);
          const edited = applyEdits(occasion.messages, decision.edits, undefined, "mayGo");
          views.push({ step: occasion.step, messages: decision.view ?? edited.messages, decision });
          return decision;
        },
      };
    },
  };
  walkSession({ session: past, needs: findNeeds(past) }, watched, {});
  return views;
}

/** What stands for bytes that no line tells has a weight and no words: nobody can read it. */
export function withoutUnlogged(session: ReplaySession): ReplaySession {
  const steps = session.steps.map((step) => ({ ...step, joined: step.joined.flatMap(dropUnlogged) }));
  return { ...session, steps };
}

function dropUnlogged(message: Message): readonly Message[] {
  const blocks = message.blocks.filter((block: Block) => !isUnlogged(block));
  if (blocks.length === message.blocks.length) return [message];
  return blocks.length === 0 ? [] : [{ ...message, blocks }];
}
