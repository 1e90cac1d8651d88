import type { Compaction, Output } from "../../../core/event.ts";
import type { Usage } from "../../../core/usage.ts";
import type { CachedRequest } from "../../../measure/cache-miss.ts";
import { followCache, type WatchedMiss } from "../../../measure/cache-watch.ts";
import { createTranscriptReader, type LineTally } from "../transcript-reader.ts";
import { readAppendedLines } from "./file-cursor.ts";

/** What one request cost in tokens. */
export interface StepUsage {
  readonly stepId: string;
  readonly model: string;
  readonly atMs: number | undefined;
  readonly usage: Usage;
  readonly isSidechain: boolean;
}

export type RecordedCompaction = Pick<Compaction, "trigger" | "preTokens" | "durationMs">;

export interface UsageScan {
  /** One per answer, split lines joined, in the order they began. */
  readonly steps: readonly StepUsage[];
  readonly misses: readonly WatchedMiss[];
  readonly compactions: readonly RecordedCompaction[];
  readonly toolCalls: number;
  readonly sessionId: string;
  /** Of the lines that were read; the others say nothing about usage and were not decoded. */
  readonly tally: LineTally;
  readonly unreadLines: number;
}

/**
 * The accounts of a transcript without its contents: only answers and boundaries are decoded, which are a quarter of the
 * bytes. A line is known by its bytes: inside a JSON string the quotes of these needles would be escaped.
 */
export function scanUsage(path: string): UsageScan {
  const reader = createTranscriptReader({ withoutBlockIds: true });
  const steps = new Map<string, StepUsage>();
  const compactions: RecordedCompaction[] = [];
  const windowStarts = new Set<string>();
  let toolCalls = 0;
  let unreadLines = 0;
  let sessionId = "";
  let isFreshWindow = false;
  readAppendedLines(path, {
    accepts: (bytes, from, to) => {
      const isWanted = isAboutUsage(bytes, from, to);
      if (!isWanted && to > from) unreadLines++;
      return isWanted;
    },
    onLine: (line) => {
      const entry = reader.read(line);
      if (!entry) return;
      sessionId = entry.sessionId || sessionId;
      for (const event of entry.events) {
        if (event.kind === "compaction") {
          compactions.push(event);
          isFreshWindow = true;
        }
        if (event.kind !== "output" || !event.usage) continue;
        toolCalls += event.blocks.filter((block) => block.kind === "toolCall").length;
        if (isFreshWindow && !entry.isSidechain) windowStarts.add(event.stepId);
        isFreshWindow &&= entry.isSidechain;
        steps.set(event.stepId, joinSplitLines(steps.get(event.stepId), event, event.usage, entry.isSidechain));
      }
    },
    onOverlongLine: () => reader.skip(),
  });
  const list = [...steps.values()];
  return {
    steps: list,
    misses: findMisses(list, windowStarts),
    compactions,
    toolCalls,
    sessionId,
    tally: reader.tally(),
    unreadLines,
  };
}

/** Same counts on every line of an answer, but for the output: there the largest is the final one. */
function joinSplitLines(known: StepUsage | undefined, event: Output, usage: Usage, isSidechain: boolean): StepUsage {
  const outputTokens = Math.max(known?.usage.outputTokens ?? 0, usage.outputTokens);
  return {
    stepId: event.stepId,
    model: event.model,
    atMs: known?.atMs ?? event.atMs,
    usage: { ...usage, outputTokens },
    isSidechain,
  };
}

function findMisses(steps: readonly StepUsage[], windowStarts: ReadonlySet<string>): readonly WatchedMiss[] {
  const misses: WatchedMiss[] = [];
  let cached: CachedRequest | undefined;
  for (const step of steps) {
    if (step.isSidechain) continue;
    const followed = followCache(cached, { ...step, followsCompaction: windowStarts.has(step.stepId) });
    cached = followed.cached;
    if (followed.miss) misses.push(followed.miss);
  }
  return misses;
}

const ANSWER = Buffer.from('"type":"assistant"');
const BOUNDARY = Buffer.from('"subtype":"compact_boundary"');
/** The type of every line but an answer stands in its first few hundred bytes. */
const HEAD_BYTES = 512;

function isAboutUsage(bytes: Buffer, from: number, to: number): boolean {
  const head = bytes.toString("latin1", from, Math.min(to, from + HEAD_BYTES));
  if (head.includes('"type":"user"') || head.includes('"type":"progress"')) return false;
  if (head.includes('"type":"assistant"') || head.includes('"role":"assistant"')) return true;
  const line = bytes.subarray(from, to);
  return line.includes(ANSWER) || line.includes(BOUNDARY);
}
