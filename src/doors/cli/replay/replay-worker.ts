import { parentPort, workerData } from "node:worker_threads";
import { loadPolicies } from "./load-policies.ts";
import { type FileTask, replayFile } from "./replay-file.ts";

/** One of the threads of `replay-threads.ts`: replays the file it is handed, answers, and waits for the next. */
const module: unknown = workerData;
const known = loadPolicies(typeof module === "string" ? module : undefined);
parentPort?.on("message", async (task: FileTask) => {
  const policies = await known;
  parentPort?.postMessage(await replayFile(task, (name) => policies.get(name)?.policy));
});
