import type { Block, Message } from "../../../src/core/message.ts";
import { findNeeds } from "../../../src/replay/needs.ts";
import type { Policy } from "../../../src/replay/policy.ts";
import { isUnlogged } from "../../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../../src/replay/session.ts";
import { type SentView, walkSession } from "../../../src/replay/walk-session.ts";

/** Every request up to the cut as a policy sends it, one after the other; the last one is about to be sent. */
export function walkUntil(session: ReplaySession, step: number, policy: Policy): readonly SentView[] {
  const views: SentView[] = [];
  const past = { ...session, steps: session.steps.slice(0, step + 1) };
  walkSession({ session: past, needs: findNeeds(past) }, policy, { onView: (view) => views.push(view) });
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
