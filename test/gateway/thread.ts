import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ReadingThread } from "../../src/entry/gateway/gateway.ts";
import { createFolder } from "./open-gateway.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../dist/reading-thread.cjs");

/** Has every body of a gateway with its store in this folder read in a thread of its own. */
export function readApart(folder: string, more: Partial<ReadingThread> = {}): ReadingThread {
  const settings = {
    store: folder,
    planner: {},
    compaction: "pass",
    baseLife: undefined,
    memoryBytes: undefined,
  } as const;
  return { file: PROGRAM, settings, leastBytes: 0, ...more };
}

/** The same program with a fault: it does this as soon as it reads a message that says "sink". */
export function plantInThread(fault: string): string {
  return plant(`const { parse } = JSON;
JSON.parse = (text, ...more) => {
  if (String(text).includes("sink")) ${fault}
  return parse(text, ...more);
};`);
}

/** The same program, which never ends once it is asked for this. */
export function hangThreadAt(kind: string): string {
  return plant(`const { parentPort } = require("node:worker_threads");
const on = parentPort.on.bind(parentPort);
parentPort.on = (name, listen) => on(name, (asked) => {
  while (asked.kind === ${JSON.stringify(kind)});
  listen(asked);
});`);
}

function plant(before: string): string {
  const folder = path.join(createFolder(), "thread");
  mkdirSync(folder);
  const file = path.join(folder, "reading-thread.cjs");
  writeFileSync(file, `${before}\nrequire(${JSON.stringify(PROGRAM)});\n`);
  return file;
}
