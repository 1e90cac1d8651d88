import { existsSync } from "node:fs";
import path from "node:path";
import { within } from "./request/patience.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

export interface PartCheck {
  readonly name: "thread" | "store" | "budget" | "users" | "licences";
  readonly isThere: boolean;
  /** One sentence without a full stop. */
  readonly detail: string;
}

export const THREAD_FILE = "reading-thread.cjs";
const LICENCES_FILE = "THIRD-PARTY-LICENSES.txt";

export function checkFiles(folder: string): readonly PartCheck[] {
  const check = (name: PartCheck["name"], file: string, without: string): PartCheck => {
    const isThere = existsSync(path.join(folder, file));
    return { name, isThere, detail: isThere ? `${file} exists` : `${file} is not next to the program: ${without}` };
  };
  return [
    check("thread", THREAD_FILE, "without it, the thread that serves requests also reads large request bodies"),
    check("licences", LICENCES_FILE, "ship the licences of bundled libraries with the program"),
  ];
}

/** Heap that reading a body takes, as a multiple of the body. */
const HEAP_PARTS = 3;
const MEGABYTE = 1_000_000;

function checkBudget({ budgetMs, heapBytes, maxReadBytes }: CheckOptions["budget"]): PartCheck {
  const isThere = heapBytes >= HEAP_PARTS * maxReadBytes;
  const [heap, body] = [heapBytes, maxReadBytes].map((bytes) => Math.floor(bytes / MEGABYTE));
  const detail = isThere
    ? `${budgetMs} ms a request, ${heap} MB of heap`
    : `the heap has only ${heap} MB, but reading a body of ${body} MB needs ${HEAP_PARTS} times its size; a body that large is sent unchanged`;
  return { name: "budget", isThere, detail };
}

export function renderChecks(parts: readonly PartCheck[]): string {
  return parts
    .toSorted((one, other) => Number(one.isThere) - Number(other.isThere))
    .map(({ name, isThere, detail }) => `${isThere ? "ok" : "missing"} ${name}: ${detail}\n`)
    .join("");
}

export interface CheckOptions {
  readonly store: Pick<GatewayStore, "check">;
  /** `undefined` if the gateway has no reading thread. */
  readonly isThreadRunning: (() => Promise<boolean>) | undefined;
  readonly files: readonly PartCheck[];
  readonly hasUsers: boolean;
  readonly budget: { readonly budgetMs: number; readonly heapBytes: number; readonly maxReadBytes: number };
}

const CHECK_MS = 1_000;

export function createCheck(options: CheckOptions): () => Promise<readonly PartCheck[]> {
  const { store, isThreadRunning, files, hasUsers, budget } = options;
  const missingThread = files.find(({ name, isThere }) => name === "thread" && !isThere);
  return async () => {
    const writing = within(CHECK_MS, store.check()).then(
      () => true,
      () => false,
    );
    const [canKeep, isRunning] = await Promise.all([writing, isThreadRunning?.() ?? false]);
    const threads = isRunning ? "2 threads" : "1 thread, which serves requests and also reads large bodies";
    const thread: PartCheck = { name: "thread", isThere: isRunning, detail: threads };
    return [
      missingThread ?? thread,
      { name: "store", isThere: canKeep, detail: canKeep ? "writable" : "not writable" },
      checkBudget(budget),
      { name: "users", isThere: true, detail: hasUsers ? "every user has a token" : "no token is required" },
      ...files.filter(({ name }) => name !== "thread"),
    ];
  };
}
