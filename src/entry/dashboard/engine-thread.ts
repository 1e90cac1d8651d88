import { Worker } from "node:worker_threads";
import type { Advance, EngineOptions } from "./engine.ts";
import type { PageQuery } from "./question.ts";

export type EngineThread = ReturnType<typeof startEngineThread>;

export interface EngineThreadOptions {
  readonly worker: string;
  readonly engine: Omit<EngineOptions, "nowMs" | "clockMs" | "accountsOnly" | "onLook">;
  onAdvance(report: AdvanceReport): void;
}

/** Enough for the largest file that gets a close look. Beyond it the thread dies, but the server survives. */
const MOST_HEAP_MEGABYTES = 200;
/** A young generation of this size collects a file's garbage before it piles up. */
const YOUNG_MEGABYTES = 8;

/** The engine in a thread of its own, which is restarted if it dies. */
export function startEngineThread({ worker, engine, onAdvance }: EngineThreadOptions) {
  const waiting = new Map<number, { resolve(text: string | undefined): void; reject(error: Error): void }>();
  const accountsOnly: string[] = [];
  let lookedAt: string | undefined;
  let count = 0;
  let isWatched = false;
  let isClosed = false;
  let thread = start();

  function start(): Worker {
    const next = new Worker(worker, {
      workerData: { ...engine, accountsOnly },
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    next.on("message", hear);
    next.on("error", (error: Error) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      if (isClosed) return;
      // From now on the file that killed the thread is read for its accounts only. If no file is to blame, the thread is not restarted.
      if (lookedAt === undefined) return;
      accountsOnly.push(lookedAt);
      lookedAt = undefined;
      thread = start();
      send({ kind: "watch", isWatched });
    });
    return next;
  }

  function hear(report: EngineReport): void {
    if (report.kind === "look") lookedAt = report.path;
    else if (report.kind === "advance") onAdvance(report);
    else {
      const asked = waiting.get(report.id);
      waiting.delete(report.id);
      if (report.why === undefined) asked?.resolve(report.text);
      else asked?.reject(new Error(report.why));
    }
  }

  function send(order: EngineOrder): void {
    thread.postMessage(order);
  }

  return {
    /** The answer as JSON text; `undefined` if there is nothing of that name. */
    ask(question: PageQuery): Promise<string | undefined> {
      const id = ++count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ kind: "ask", id, question });
      });
    },
    watch(is: boolean): void {
      isWatched = is;
      send({ kind: "watch", isWatched });
    },
    async close(): Promise<void> {
      isClosed = true;
      const gone = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
      send({ kind: "close" });
      await gone;
    },
  };
}

export type EngineOrder =
  | { readonly kind: "ask"; readonly id: number; readonly question: PageQuery }
  | { readonly kind: "watch"; readonly isWatched: boolean }
  | { readonly kind: "close" };

export type EngineReport =
  | { readonly kind: "answer"; readonly id: number; readonly text?: string | undefined; readonly why?: string }
  | AdvanceReport
  | { readonly kind: "look"; readonly path: string };

interface AdvanceReport extends Pick<Advance, "isChanged" | "progress"> {
  readonly kind: "advance";
  /** A message for the page, ready to be sent. */
  readonly now: string | undefined;
}
