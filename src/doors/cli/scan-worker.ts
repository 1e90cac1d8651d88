import { parentPort, workerData } from "node:worker_threads";
import { tryScan } from "../../recorded/try-scan.ts";

/** The second thread of `scan-files.ts`: scans the files it is handed and answers once with all of it. */
const files: readonly unknown[] = Array.isArray(workerData) ? workerData : [];
parentPort?.postMessage(files.map((file) => tryScan(String(file))));
