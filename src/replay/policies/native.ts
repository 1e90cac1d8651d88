import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { Message } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { type Briefing, type Decision, NOTHING_TO_DO, type Occasion, type Planner, type Policy } from "../policy.ts";
import type { RecordedCompaction } from "../session.ts";

/** The client compacts when so many tokens are left of its window. */
export const COMPACTION_RESERVE_TOKENS = 33_000;
/** Where nobody recorded a summary: the middle of those that were, and what the client took to write it. */
const SUMMARY_TOKENS = 2_800;
const BLOCKED_MS = 90_000;

export const native: Policy = {
  name: "native",
  about: "the client's own compaction: where it was recorded, with the recorded summary; elsewhere at window - 33k",
  create: createNative,
};

/** Every other policy that does not keep the view below the window by itself has this behind it. */
export function withBackstop(policy: Policy): Policy {
  return {
    ...policy,
    create(briefing) {
      const own = policy.create(briefing);
      const backstop = createBackstop();
      return {
        plan(occasion) {
          const decision = own.plan(occasion);
          if (decision.edits.length === 0) return backstop.plan(occasion);
          const { messages } = applyEdits(occasion.messages, decision.edits, undefined, "mayGo");
          const tokens = messages.reduce((sum, message) => sum + occasion.countTokens(message), 0);
          const last = backstop.plan({ ...occasion, messages, tokens });
          return last.edits.length === 0 ? decision : { ...last, edits: [...decision.edits, ...last.edits] };
        },
      };
    },
  };
}

function createNative({ session }: Briefing): Planner {
  const recorded = new Map(session.compactions.map((compaction) => [compaction.step, compaction]));
  const backstop = createBackstop();
  return {
    plan(occasion) {
      const compaction = recorded.get(occasion.step);
      return compaction ? compactAsRecorded(occasion, compaction) : backstop.plan(occasion);
    },
  };
}

function compactAsRecorded(occasion: Occasion, compaction: RecordedCompaction): Decision {
  return {
    edits: replaceSent(occasion, compaction.messages),
    asked: { outputTokens: compaction.summaryTokens, blockedMs: compaction.durationMs ?? BLOCKED_MS },
  };
}

/** A summary in words that nobody knows: it has a price and a place. */
function createBackstop(): Planner {
  let count = 0;
  return {
    plan(occasion) {
      const { baseTokens, tokens, windowTokens, step } = occasion;
      if (baseTokens + tokens <= windowTokens - COMPACTION_RESERVE_TOKENS) return NOTHING_TO_DO;
      const id = `summary:${++count}`;
      const text = "summary ".repeat(SUMMARY_TOKENS);
      const message: Message = {
        id,
        role: "user",
        blocks: [{ kind: "text", id: `${id}:${step}`, text, author: "host" }],
      };
      return {
        edits: replaceSent(occasion, [message]),
        asked: { outputTokens: SUMMARY_TOKENS, blockedMs: BLOCKED_MS },
        isWordless: true,
      };
    },
  };
}

/** Everything up to the last answer; that one stays with its results, because the next request continues it. */
function replaceSent({ messages }: Occasion, replacement: readonly Message[]): readonly Edit[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant") - 1;
  if (last < 0 || replacement.length === 0) return [];
  const change = { messages: replacement, by: "native", reason: "compacted", handles: [] };
  return [replaceSpan(messages.slice(0, last + 1), change)];
}
