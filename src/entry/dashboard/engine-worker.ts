import { parentPort, workerData } from "node:worker_threads";
import { createEngine, type EngineOptions } from "./engine.ts";
import type { EngineOrder, EngineReport } from "./engine-thread.ts";

/** The reading thread. Orders are handled between slices of work, so an answer waits for one file at most. */

const SLICE_MS = 30;
const IDLE_MS = 120;

const given: Omit<EngineOptions, "nowMs" | "clockMs"> = workerData;
const report = (message: EngineReport): void => parentPort?.postMessage(message);
const engine = createEngine({
  ...given,
  nowMs: () => Date.now(),
  clockMs: () => performance.now(),
  onLook: (path) => report({ kind: "look", path }),
});

let isWatched = false;
let isReady = false;
let reported = "";
let timer: NodeJS.Timeout | undefined;

function advance(): void {
  const { hasMore, isChanged, progress, now } = engine.advance(SLICE_MS, isWatched);
  isReady = !hasMore;
  const replayed = `${progress.replay.isRunning} ${Math.floor(progress.replay.share * 100)}`;
  if (isChanged || now || replayed !== reported)
    report({ kind: "advance", isChanged, progress, now: now && JSON.stringify(now) });
  reported = replayed;
  // No page is open and everything is known, so stop polling the disk.
  if (isReady && !isWatched) timer = undefined;
  else timer = setTimeout(advance, hasMore ? 0 : IDLE_MS);
}

parentPort?.on("message", (order: EngineOrder) => {
  if (order.kind === "ask") return report(answer(order));
  if (order.kind === "close") {
    clearTimeout(timer);
    engine.save();
    parentPort?.close();
    return;
  }
  isWatched = order.isWatched;
  timer ??= setTimeout(advance, 0);
});

function answer({ id, question }: Extract<EngineOrder, { kind: "ask" }>): EngineReport {
  try {
    return { kind: "answer", id, text: JSON.stringify(engine.ask(question)) };
  } catch (error) {
    return { kind: "answer", id, why: error instanceof Error ? error.message : String(error) };
  }
}

advance();
