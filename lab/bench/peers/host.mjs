// The thread in which peers run. It is asked one thing at a time and wakes the one who waits.
import { workerData } from "node:worker_threads";

const { port, flag } = workerData;
const planners = new Map();
// What peers print is not part of a report.
for (const name of ["log", "info", "debug"]) console[name] = () => {};

const NO_CHANGE = { cleared: [], dropped: [] };

async function answer(call) {
  if (call.kind === "open") {
    const { create } = await import(`./${call.peer}`);
    planners.set(call.planner, await create(call));
    return NO_CHANGE;
  }
  if (call.kind === "close") {
    planners.delete(call.planner);
    return NO_CHANGE;
  }
  return { ...NO_CHANGE, ...(await planners.get(call.planner).plan(call)) };
}

port.on("message", async ({ turn, call }) => {
  try {
    port.postMessage({ change: await answer(call) });
  } catch (error) {
    port.postMessage({ error: `${call.peer ?? "a peer"}: ${error instanceof Error ? error.stack : error}` });
  }
  Atomics.store(flag, 0, turn);
  Atomics.notify(flag, 0);
});
