import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { parentPort, Worker } from "node:worker_threads";
import { renderFailure } from "../../../core/render-failure.ts";
import { type FileAnswer, type FileTask, type KnownPolicy, replayFile } from "./replay-file.ts";

export interface Replaying {
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  /** The module from which threads load further policies. */
  readonly module: string | undefined;
  isOver(): boolean;
  /** Called in any order. */
  onAnswer(index: number, answer: FileAnswer): void;
}

/** Absent if the program runs from its sources: then everything happens in this thread. */
export function locateWorker(): string | undefined {
  const worker = fileURLToPath(new URL("./replay-worker.cjs", import.meta.url));
  return existsSync(worker) ? worker : undefined;
}

/**
 * How much code of a function runs before V8 optimises it; twelve times its own measure. A replay is over before most of that has paid for
 * itself: compiling, in each thread anew, took a third of its processor time.
 */
const OPTIMISE_LATER = "--interrupt-budget=1600000";
/** Another version may know it by another name, and would say so on the screen. */
const KNOWS_IT = /^v2[0-4]\./;

/** Replays the tasks on all cores in the given order. Give the largest first for an even load. */
export async function replayInThreads(tasks: readonly FileTask[], replaying: Replaying): Promise<void> {
  const worker = locateWorker();
  // Only where the process is a replay's own: from the sources it may go on with other work.
  if (worker !== undefined && KNOWS_IT.test(process.version)) setFlagsFromString(OPTIMISE_LATER);
  const threads = Math.min(availableParallelism(), tasks.length);
  if (worker === undefined || threads < 2) {
    for (const [index, task] of tasks.entries()) {
      if (replaying.isOver()) return;
      replaying.onAnswer(index, await replayFile(task, replaying.policies));
      // Lets the bar be drawn and an interrupt be handled between two files.
      await new Promise(setImmediate);
    }
    return;
  }
  const queue = tasks.entries();
  await Promise.all(Array.from({ length: threads }, () => workThrough(queue, worker, replaying)));
}

/** A thread that dies loses only its current file, which is reported, and is replaced. */
async function workThrough(
  queue: Iterable<[number, FileTask]>,
  worker: string,
  { module, onAnswer, isOver }: Replaying,
): Promise<void> {
  let thread: Worker | undefined;
  for (const [index, task] of queue) {
    if (isOver()) break;
    thread ??= new Worker(worker, { workerData: module });
    try {
      onAnswer(index, await ask(thread, task));
    } catch (error) {
      const why = `the thread that replayed this session ended: ${renderFailure(error)}`;
      onAnswer(index, { kind: "failed", why });
      await thread.terminate();
      thread = undefined;
    }
  }
  await thread?.terminate();
}

function ask(thread: Worker, task: FileTask): Promise<FileAnswer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number): void => reject(new Error(`exit status ${code}`));
    thread.once("error", reject);
    thread.once("exit", onExit);
    thread.once("message", (answer: FileAnswer) => {
      thread.off("error", reject);
      thread.off("exit", onExit);
      resolve(answer);
    });
    thread.postMessage(task);
  });
}

/** The loop of a thread: replays each file it is given and posts the result. */
export function answerTasks(known: Replaying["policies"] | Promise<Replaying["policies"]>): void {
  parentPort?.on("message", async (task: FileTask) => {
    const policies = await known;
    parentPort?.postMessage(await replayFile(task, policies));
  });
}
