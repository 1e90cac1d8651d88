import { Worker } from "node:worker_threads";
import { messagesWire } from "../messages-wire.ts";
import { createUnchanged, type Lighter, type Prepared } from "../prepared.ts";
import type { Reader } from "../reader.ts";
import type { RecallService } from "../recall/recall-service.ts";
import type { RecalledCall } from "../recall/round.ts";
import { TimeSpentError, within } from "../request/patience.ts";
import { type CompactionBody, UnexpandedError, type Wire } from "../wire.ts";
import {
  type Ask,
  type BodyPiece,
  joinPieces,
  type Reply,
  type ThreadFigures,
  type ThreadStart,
  type ToldLighter,
  type ToldRead,
} from "./thread-words.ts";

export interface ThreadReader extends Reader {
  lost(): number;
  /** Whether the thread answers; starts it if needed. */
  isRunning(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ThreadOptions {
  readonly file: string;
  readonly start: ThreadStart;
  /** A thread that has not read a body by then is considered stuck, and ended. */
  readonly stuckMs?: number | undefined;
  onStoreError(operation: string): void;
}

type Question = Ask extends infer One ? (One extends Ask ? Omit<One, "call"> : never) : never;

interface Pending {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** A body in the other thread's queue is in memory twice, so the rest waits here. */
const MAX_SENT_BYTES = 64 * 1024 * 1024;
const BEGIN_MS = 1_000;
/** On a quiet machine its code loads in a tenth of this. */
const ANSWER_MS = 10_000;
/** Longer than the wait for a locked ledger. */
const STUCK_MS = 30_000;
/** Weight of a new duration in the moving average. */
const NEWEST = 0.2;
const NOTHING: ThreadFigures = { sessions: 0, bytes: 0, slicesWaiting: 0, memoryWaiting: 0, lost: 0 };

class ThreadGoneError extends Error {
  override readonly name = "ThreadGoneError";
}

/**
 * Reads bodies in a thread of its own, so that a large conversation does not delay other requests.
 * If that thread ends, its bodies are sent unchanged, and the next body starts another thread.
 */
export function createThreadReader({ file, start, stuckMs = STUCK_MS, onStoreError }: ThreadOptions): ThreadReader {
  const pending = new Map<number, Pending>();
  const waiting: (() => void)[] = [];
  let thread: Worker | undefined;
  let calls = 0;
  let sentBytes = 0;
  let meanMs = 0;
  let endedMs = 0;
  let figures = NOTHING;
  let lostBefore = 0;
  let hasAnswered = false;

  const end = (gone: Worker): void => {
    if (thread !== gone) return;
    thread = undefined;
    hasAnswered = false;
    lostBefore += figures.lost;
    figures = NOTHING;
    const asked = [...pending.values()];
    pending.clear();
    for (const { reject } of asked) reject(new ThreadGoneError("the thread that reads request bodies has ended"));
  };
  const open = (): Worker => {
    const opened = new Worker(file, { workerData: start });
    opened.unref();
    opened.on("message", (words: Reply & { readonly value: never }) => {
      if (words.kind === "storeError") return onStoreError(words.operation);
      figures = words.figures;
      hasAnswered = true;
      const asked = pending.get(words.call);
      pending.delete(words.call);
      if (words.kind === "done") asked?.resolve(words.value);
      else asked?.reject(words.isUnexpanded ? new UnexpandedError(words.why) : new Error(words.why));
    });
    opened.once("error", () => end(opened));
    opened.once("exit", () => end(opened));
    return opened;
  };
  const ask = <Value>(question: Question): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      const call = ++calls;
      pending.set(call, { resolve, reject });
      thread ??= open();
      thread.postMessage({ ...question, call });
    });
  const tell = (question: Question): void => void (thread && ask(question).catch(() => undefined));
  const released = new FinalizationRegistry((of: number) => tell({ kind: "release", of }));

  const whenRoom = async <Value>(bytes: number, work: () => Promise<Value>): Promise<Value> => {
    while (sentBytes > 0 && sentBytes + bytes > MAX_SENT_BYTES)
      await new Promise<void>((resolve) => void waiting.push(resolve));
    sentBytes += bytes;
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      sentBytes -= bytes;
      // Several are sent at once, so each is timed from when the one before it was done.
      const nowMs = performance.now();
      meanMs += NEWEST * (nowMs - Math.max(beganMs, endedMs) - meanMs);
      endedMs = nowMs;
      for (const go of waiting.splice(0)) go();
    }
  };

  const serveRecall = ({ of, tool }: ToldLighter, bytes: Buffer, wire: Wire): RecallService | undefined => {
    if (tool === undefined) return undefined;
    const service: RecallService = {
      tool,
      wire,
      answer: (asked) => ask<RecalledCall>({ kind: "answer", of, asked }),
      goOn: async (messages) => joinPieces(await ask<readonly BodyPiece[]>({ kind: "goOn", of, messages }), bytes),
      keep: (rounds) => ask<boolean>({ kind: "keep", of, rounds }).catch(() => false),
    };
    return service;
  };
  const toPrepared = (told: ToldRead, bytes: Buffer, wire: Wire): Prepared => {
    const { of, pieces, tool: _tool, unread: _unread, ...facts } = told;
    const prepared: Prepared = {
      ...facts,
      pieces: joinPieces(pieces, bytes),
      recall: serveRecall(told, bytes, wire),
      async compact() {
        const answer = await ask<CompactionBody | undefined>({ kind: "compact", of }).catch(() => undefined);
        return answer && { ...answer, body: Buffer.from(answer.body) };
      },
      async react(status, body) {
        const lighter = await ask<ToldLighter | undefined>({ kind: "react", of, status, body });
        return lighter && toLighter(lighter, bytes, wire);
      },
      finish: (usage) => tell({ kind: "finish", of, usage }),
    };
    released.register(prepared, of);
    return prepared;
  };
  const toLighter = (told: ToldLighter, bytes: Buffer, wire: Wire): Lighter => {
    const { of, pieces, tool: _tool, ...facts } = told;
    const recall = serveRecall(told, bytes, wire);
    if (recall) released.register(recall, of);
    else tell({ kind: "release", of });
    return { ...facts, pieces: joinPieces(pieces, bytes), recall };
  };

  // A thread takes a moment to start: start it before it is needed, but after the gateway itself.
  const beginning = setTimeout(() => {
    thread ??= open();
  }, BEGIN_MS).unref();

  return {
    async read(bytes, sender, { purpose, wire = messagesWire, usage }) {
      const startMs = performance.now();
      try {
        return await whenRoom(bytes.length, async () => {
          const queuedMs = performance.now() - startMs;
          const question = { kind: "read", bytes, sender, purpose, route: wire.route, usage, queuedMs } as const;
          const told = await within(stuckMs, ask<ToldRead>(question));
          return { prepared: toPrepared(told, bytes, wire), unread: told.unread };
        });
      } catch (error) {
        if (error instanceof UnexpandedError) throw error;
        if (error instanceof TimeSpentError) void thread?.terminate();
        return { prepared: createUnchanged(bytes, ["exception"], startMs) };
      }
    },
    expectedMs: () => waiting.length * meanMs,
    forget: () => tell({ kind: "forget" }),
    figures: () => ({ ...figures, slicesWaiting: figures.slicesWaiting + waiting.length }),
    lost: () => lostBefore + figures.lost,
    async isRunning() {
      if (!hasAnswered) await within(ANSWER_MS, ask<void>({ kind: "forget" })).catch(() => undefined);
      return hasAnswered;
    },
    async close() {
      clearTimeout(beginning);
      if (!thread) return;
      const closing = thread;
      await ask<void>({ kind: "close" }).catch(() => undefined);
      await closing.terminate();
    },
  };
}
