import { sumContextTokens } from "../../../src/core/usage.ts";
import type { LeftOut, ReplaySession } from "../../../src/replay/session.ts";

/** Where a recorded session is cut for reading: everything before `step` is the past, the rest is what really came next. */
export interface Cut {
  /** The request that is about to be sent. */
  readonly step: number;
  /** The first request after the recorded compaction; `undefined` where the client recorded none. */
  readonly compactedAt: number | undefined;
}

/** A memory is judged when work has gone on for a while: directly after a compaction everything is about the summary. */
const REQUESTS_AFTER = 8;
/** So many requests behind the cut, or nothing is known of what comes next. */
const LEAST_NEXT = 12;
/** Where the client compacts a window of 200,000 tokens, by itself. */
const CLIENT_LINE_TOKENS = 167_000;

/** Eight requests after the first compaction that leaves enough behind; without any compaction, where the client's usual line is. */
export function chooseCut({ name, steps, compactions }: ReplaySession): Cut | LeftOut {
  const leavesEnough = (step: number): boolean => steps.length - step >= LEAST_NEXT;
  const compacted = compactions.find((compaction) => leavesEnough(compaction.step + REQUESTS_AFTER));
  if (compacted) return { step: compacted.step + REQUESTS_AFTER, compactedAt: compacted.step };
  if (compactions.length > 0)
    return { name, why: `no compaction with ${REQUESTS_AFTER + LEAST_NEXT} requests behind it` };
  const step = steps.findIndex(({ usage }) => sumContextTokens(usage) >= CLIENT_LINE_TOKENS);
  if (step < 0) return { name, why: `no compaction, and never above ${CLIENT_LINE_TOKENS} tokens` };
  if (!leavesEnough(step))
    return { name, why: `fewer than ${LEAST_NEXT} requests after it came to ${CLIENT_LINE_TOKENS} tokens` };
  return { step, compactedAt: undefined };
}
