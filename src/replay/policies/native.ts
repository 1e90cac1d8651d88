import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import { type Message, renderResultText } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { splitExchanges } from "../../layers/history/exchanges.ts";
import { listCalls } from "../../layers/history/list-calls.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import {
  type Briefing,
  NOTHING_TO_DO,
  type Planner,
  type Policy,
  type ReplayDecision,
  type StepView,
} from "../policy.ts";
import type { RecordedCompaction, ReplaySession } from "../session.ts";

/** The client compacts when this many tokens are left of its window. */
export const COMPACTION_RESERVE_TOKENS = 33_000;
/** Used if no summary was recorded: the median of those that Claude Code writes today, and the time to write one. */
const SUMMARY_TOKENS = 4_488;
/** Claude Code puts the last read files back after a compaction: this many files, and this much of each. */
const FILES_PUT_BACK = 5;
const MOST_FILE_TOKENS = 5_000;
const FILLER = "summary ";
const BLOCKED_MS = 90_000;

export const native: Policy = {
  name: "native",
  about:
    "the agent that recorded the session, without Plimsoll: its compactions as recorded, and otherwise as Claude Code compacts today, at window - 33k, with the five files read last put back (other agents put none back)",
  create: createNative,
};

/** From so many tokens on, after 0.9 of an hour's cache without a request (2.1.325). */
const IDLE = { fromTokens: 200_000, afterMs: 0.9 * CACHE_LIFE_MS.long } as const;

/** The client since 2.1.299, where its maker has switched this on: it compacts an idle session before the cache expires. */
export const nativeIdle: Policy = {
  name: "native+idle",
  about:
    "the same agent where it also compacts sessions of at least 200k tokens that have been idle for 54 minutes, with a one-hour cache: a server's setting decides who has that",
  create(briefing) {
    const [own, backstop] = [createNative(briefing), createBackstop(briefing)];
    let lastMs = Number.POSITIVE_INFINITY;
    return {
      plan(occasion) {
        const { nowMs, share1h, baseTokens, tokens } = occasion;
        const isIdle = share1h > 0.5 && nowMs - lastMs > IDLE.afterMs && baseTokens + tokens >= IDLE.fromTokens;
        lastMs = nowMs;
        if (!isIdle) return own.plan(occasion);
        const decision = backstop.plan({ ...occasion, windowTokens: COMPACTION_RESERVE_TOKENS });
        return decision.asked ? { ...decision, asked: { ...decision.asked, isAhead: true } } : decision;
      },
    };
  },
};

/** The same client with a smaller window set; as recorded if its window is no larger anyway. */
export const smallerWindows: readonly Policy[] = [200_000, 100_000].map(setWindow);

function setWindow(windowTokens: number): Policy {
  const name = `native@${windowTokens / 1000}k`;
  const line = `${(windowTokens - COMPACTION_RESERVE_TOKENS) / 1000}k`;
  return {
    name,
    about: `the same agent set to a window of ${windowTokens / 1000}k: its own compaction at ${line}, with summaries of the usual size and the files that it puts back`,
    create(briefing) {
      if (briefing.session.windowTokens <= windowTokens) return createNative(briefing);
      const backstop = createBackstop(briefing);
      return { plan: (occasion) => backstop.plan({ ...occasion, windowTokens }) };
    },
  };
}

/** The fallback of every other policy that does not keep the view below the window by itself. */
export function withBackstop(policy: Policy): Policy {
  return {
    ...policy,
    create(briefing) {
      const own = policy.create(briefing);
      const backstop = createBackstop(briefing);
      return {
        plan(occasion) {
          const decision = own.plan(occasion);
          if (decision.edits.length === 0) return backstop.plan(occasion);
          const messages = decision.view ?? applyEdits(occasion.messages, decision.edits, undefined, "mayGo").messages;
          const tokens = messages.reduce((sum, message) => sum + occasion.countTokens(message), 0);
          const last = backstop.plan({ ...occasion, messages, tokens });
          return last.edits.length === 0 ? decision : { ...last, edits: [...decision.edits, ...last.edits] };
        },
      };
    },
  };
}

function createNative(briefing: Briefing): Planner {
  const recorded = new Map(briefing.session.compactions.map((compaction) => [compaction.step, compaction]));
  const backstop = createBackstop(briefing);
  return {
    plan(occasion) {
      const compaction = recorded.get(occasion.step);
      return compaction ? compactAsRecorded(occasion, compaction) : backstop.plan(occasion);
    },
  };
}

export function compactAsRecorded(occasion: StepView, compaction: RecordedCompaction): ReplayDecision {
  return {
    edits: replaceSent(occasion, compaction.messages),
    asked: { outputTokens: compaction.summaryTokens, blockedMs: compaction.durationMs ?? BLOCKED_MS },
  };
}

/** A summary with a price and a place, whose words are unknown. */
export function createBackstop({ session }: Pick<Briefing, "session">): Planner {
  let count = 0;
  return {
    plan(occasion) {
      const { baseTokens, tokens, windowTokens, step, model } = occasion;
      if (baseTokens + tokens <= windowTokens - COMPACTION_RESERVE_TOKENS) return NOTHING_TO_DO;
      const id = `summary:${++count}`;
      const texts = [writeFiller(model), ...putFilesBack(occasion, session)];
      const message: Message = {
        id,
        role: "user",
        blocks: texts.map((text, at) => ({ kind: "text", id: `${id}:${step}:${at}`, text, author: "host" })),
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
function replaceSent({ messages }: StepView, replacement: readonly Message[]): readonly Edit[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant") - 1;
  if (last < 0 || replacement.length === 0) return [];
  const change = { messages: replacement, by: "native", reason: "compacted", handles: [] };
  return [replaceSpan(messages.slice(0, last + 1), change)];
}

/** The last reads of files whose text leaves, each up to its limit; nothing if the client does not do this. */
export function putFilesBack(
  { messages, model }: Pick<StepView, "messages" | "model">,
  { restoresFiles, vocabulary }: Pick<ReplaySession, "restoresFiles" | "vocabulary">,
): readonly string[] {
  if (!restoresFiles) return [];
  const files = new Map<string, string>();
  const leaving = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "assistant"),
  );
  for (const { meaning, result } of listCalls(leaving, splitExchanges(leaving), vocabulary)) {
    if (meaning.kind !== "read" || meaning.path === undefined || !result) continue;
    files.delete(meaning.path);
    files.set(meaning.path, renderResultText(result));
  }
  return [...files.values()].slice(-FILES_PUT_BACK).map((text) => {
    const tokens = estimateTextTokens(text, tokenizerOf(model));
    return tokens <= MOST_FILE_TOKENS ? text : text.slice(0, Math.floor((text.length * MOST_FILE_TOKENS) / tokens));
  });
}

function writeFiller(model: string): string {
  const sample = estimateTextTokens(FILLER.repeat(100), tokenizerOf(model)) / 100;
  return FILLER.repeat(Math.round(SUMMARY_TOKENS / sample));
}
