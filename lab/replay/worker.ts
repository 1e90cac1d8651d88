import { workerData } from "node:worker_threads";
import { answerTasks } from "../../src/entry/cli/replay/replay-file.ts";
import { loadPolicies } from "./load-policies.ts";

/** One of the threads of a replay in the lab. */
const module: unknown = workerData;
answerTasks(loadPolicies(typeof module === "string" ? module : undefined));
