import { parentPort, workerData } from "node:worker_threads";
import { isObject, textListField } from "../../core/json.ts";
import { type ScanAttempt, takeEach, tryScan } from "../../recorded/join-scans.ts";

/** A thread of `collect-usage.ts`: scans files until none is left, then posts all results at once. */
const order: unknown = workerData;
const scanned: [taken: number, attempt: ScanAttempt][] = [];
if (isObject(order) && order.next instanceof Int32Array)
  takeEach({ paths: textListField(order, "paths"), next: order.next }, (path, taken) =>
    scanned.push([taken, tryScan(path)]),
  );
parentPort?.postMessage(scanned);
