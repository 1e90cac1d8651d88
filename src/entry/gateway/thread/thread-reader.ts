import { Worker } from "node:worker_threads";
import { renderFailure } from "../../../core/render-failure.ts";
import { messagesWire } from "../messages-wire.ts";
import { createUnchanged, type Prepared } from "../prepared.ts";
import type { Reader } from "../reader.ts";
import type { RecallService } from "../recall/recall-service.ts";
import type { RecalledCall } from "../recall/round.ts";
import { TimeSpentError, within } from "../request/patience.ts";
import { UnexpandedError, type Wire } from "../wire.ts";
import {
  type Ask,
  joinPieces,
  type Reply,
  type ThreadCalls,
  type ThreadFigures,
  type ThreadStart,
  type TransferredRequest,
} from "./thread-words.ts";

interface ThreadReader extends Reader {
  lost(): number;
  /** Whether the thread answers; starts it if needed. */
  isRunning(): Promise<boolean>;
  close(): Promise<void>;
}

interface ThreadOptions {
  readonly file: string;
  readonly start: ThreadStart;
  /** A thread that has not answered by then is considered stuck, and ended. */
  readonly stuckMs?: number | undefined;
  onStoreError(operation: string): void;
}

interface Pending {
  resolve(value: never): void;
  reject(error: Error): void;
}

type Given<Kind extends keyof ThreadCalls> = Parameters<ThreadCalls[Kind]>;
type ThreadReply<Kind extends keyof ThreadCalls> = Awaited<ReturnType<ThreadCalls[Kind]>>;

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

/** Reads large bodies in a thread of its own. If it ends, its bodies are sent unchanged, and the next body starts another. */
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
    for (const { reject } of asked) reject(new Error("the thread that reads request bodies has ended"));
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
  const ask = async <Kind extends keyof ThreadCalls>(kind: Kind, ...given: Given<Kind>): Promise<ThreadReply<Kind>> => {
    thread ??= open();
    const asked = thread;
    const answer = new Promise<ThreadReply<Kind>>((resolve, reject) => {
      const question: Ask = { call: ++calls, kind, given };
      pending.set(question.call, { resolve, reject });
      asked.postMessage(question);
    });
    try {
      return await within(stuckMs, answer);
    } catch (error) {
      if (error instanceof TimeSpentError) {
        // At once, so that the next question is not put to a thread that is ending.
        end(asked);
        void asked.terminate();
      }
      throw error;
    }
  };
  const post = <Kind extends keyof ThreadCalls>(kind: Kind, ...given: Given<Kind>): void =>
    void (thread && ask(kind, ...given).catch(() => undefined));
  const released = new FinalizationRegistry((of: number) => post("release", of));

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

  const serveRecall = ({ of, tool }: TransferredRequest, bytes: Buffer, wire: Wire): RecallService | undefined => {
    if (tool === undefined) return undefined;
    return {
      tool,
      wire,
      async answer(asked) {
        const fail = (error: unknown): RecalledCall => {
          const parts = [{ kind: "text", text: `Recall failed: ${renderFailure(error)}` }] as const;
          return { ...asked, tool, parts, isError: true, needs: [] };
        };
        return ask("answer", of, asked).catch(fail);
      },
      goOn: async (messages) => joinPieces(await ask("goOn", of, messages), bytes),
      keep: (rounds) => ask("keep", of, rounds).catch(() => false),
    };
  };
  const toPrepared = (transferred: TransferredRequest, bytes: Buffer, wire: Wire): Prepared => {
    const { of, pieces, tool, ...facts } = transferred;
    const prepared: Prepared = {
      ...facts,
      pieces: joinPieces(pieces, bytes),
      recall: serveRecall(transferred, bytes, wire),
      async compact() {
        const answer = await ask("compact", of).catch(() => undefined);
        return answer && { ...answer, body: Buffer.from(answer.body) };
      },
      async react(status, body) {
        const lighter = await ask("react", of, status, body);
        return lighter && toPrepared(lighter, bytes, wire);
      },
      finish: (usage) => post("finish", of, usage),
    };
    released.register(prepared, of);
    return prepared;
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
          const preparing = { purpose, route: wire.route, usage, queuedMs };
          const { unread, ...transferred } = await ask("read", bytes, sender, preparing);
          return { prepared: toPrepared(transferred, bytes, wire), unread };
        });
      } catch (error) {
        if (error instanceof UnexpandedError) throw error;
        return { prepared: createUnchanged(bytes, ["exception"], startMs) };
      }
    },
    expectedMs: () => waiting.length * meanMs,
    forget: () => post("forget"),
    figures: () => ({ ...figures, slicesWaiting: figures.slicesWaiting + waiting.length }),
    lost: () => lostBefore + figures.lost,
    async isRunning() {
      if (!hasAnswered) await within(ANSWER_MS, ask("forget")).catch(() => undefined);
      return hasAnswered;
    },
    async close() {
      clearTimeout(beginning);
      if (!thread) return;
      const closing = thread;
      await ask("close").catch(() => undefined);
      await closing.terminate();
    },
  };
}
