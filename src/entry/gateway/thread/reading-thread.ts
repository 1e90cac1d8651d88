import { type MessagePort, parentPort, threadId, workerData } from "node:worker_threads";
import { renderFailure } from "../../../core/render-failure.ts";
import { createBodyPool } from "../http/body-pool.ts";
import { createMemoryRoom, measureProcess } from "../http/memory-room.ts";
import { createSlices } from "../http/slices.ts";
import { messagesWire } from "../messages-wire.ts";
import { createRequestPlanner } from "../plan-request.ts";
import { createRequestPreparer } from "../prepare-request.ts";
import type { Prepared } from "../prepared.ts";
import { createReader, type Reader } from "../reader.ts";
import { responsesWire } from "../responses/responses-wire.ts";
import { openStore } from "../store/catalogue.ts";
import { type GatewayStore, watchStore } from "../store/gateway-store.ts";
import { keepWhileFull } from "../store/keep-while-full.ts";
import { tryWarmUp } from "../warm-up.ts";
import { UnexpandedError } from "../wire.ts";
import {
  type Ask,
  READING,
  type Reply,
  shareMemory,
  splitPieces,
  type ThreadCalls,
  type ThreadFigures,
  type ThreadStart,
  type TransferredRequest,
} from "./thread-words.ts";

/** The thread that reads large bodies. To the store it is one more instance, to the gateway a reader. */

interface Held {
  readonly bytes: Buffer;
  readonly prepared: Prepared;
}

/** Exported for its tests only: a thread serves as soon as it is loaded. */
export async function serveReading(start: ThreadStart, port: MessagePort): Promise<void> {
  const reply = (words: Reply): void => port.postMessage(words);
  const planner = createRequestPlanner(start.planner);
  await tryWarmUp(planner);
  const onStoreError = (operation: string): void => reply({ kind: "storeError", operation });
  const store = keepWhileFull(watchStore(await openStore(start.store), onStoreError));
  const slices = createSlices();
  const parts = { store, planner, slices, pool: createBodyPool(), nowMs: Date.now };
  const { budgetMs, compaction, baseLife, maxRememberedBytes } = start;
  const preparer = createRequestPreparer({ ...parts, budgetMs, compaction, baseLife, maxRememberedBytes });
  const measured = measureProcess(start.memoryBytes);
  const used = shareMemory(measured.used, start.used, READING);
  const room = createMemoryRoom({ ...measured, used, forget: preparer.forget });
  const reader = createReader(preparer, slices, room);
  const calls = createCalls(reader, store);
  const figures = (): ThreadFigures => ({ ...reader.figures(), lost: store.lost() });

  port.on("message", ({ call, kind, given }: Ask) => {
    const asked: Promise<unknown> = Reflect.apply(calls[kind], undefined, given);
    asked.then(
      (value) => reply({ kind: "done", call, value, figures: figures() }),
      (error: unknown) => {
        const isUnexpanded = error instanceof UnexpandedError;
        reply({ kind: "failed", call, isUnexpanded, why: renderFailure(error), figures: figures() });
      },
    );
  });
}

function createCalls(reader: Reader, store: GatewayStore): ThreadCalls {
  const held = new Map<number, Held>();
  // A number of a thread that has ended must not name a request of the next one.
  let last = threadId * 2 ** 32;
  const hold = (bytes: Buffer, prepared: Prepared): TransferredRequest => {
    const of = ++last;
    held.set(of, { bytes, prepared });
    // Functions do not pass from thread to thread.
    const { pieces, recall, compact, react, finish, behind, ...facts } = prepared;
    return { ...facts, of, pieces: splitPieces(pieces, bytes), tool: recall?.tool };
  };
  const requireRecall = (of: number) => {
    const { prepared, bytes } = held.get(of) ?? {};
    if (!prepared?.recall || !bytes) throw new Error("there is nothing to fetch back for this request");
    return { recall: prepared.recall, bytes };
  };
  return {
    async read({ buffer, byteOffset, length }, sender, { route, ...preparing }) {
      const bytes = Buffer.from(buffer, byteOffset, length);
      const wire = route === responsesWire.route ? responsesWire : messagesWire;
      const { prepared, unread } = await reader.read(bytes, sender, { ...preparing, wire });
      return { ...hold(bytes, prepared), unread };
    },
    async react(of, status, body) {
      const known = held.get(of);
      const lighter = await known?.prepared.react(status, body);
      return known && lighter && hold(known.bytes, lighter);
    },
    compact: async (of) => held.get(of)?.prepared.compact(),
    async finish(of, usage) {
      held.get(of)?.prepared.finish(usage);
      // After the answer there are no further questions about it.
      held.delete(of);
    },
    answer: async (of, asked) => requireRecall(of).recall.answer(asked),
    async goOn(of, messages) {
      const { recall, bytes } = requireRecall(of);
      return splitPieces(await recall.goOn(messages), bytes);
    },
    keep: async (of, rounds) => requireRecall(of).recall.keep(rounds),
    release: async (of) => void held.delete(of),
    forget: async () => reader.forget(),
    close: () => store.close(),
  };
}

const begun: ThreadStart = workerData;
if (parentPort) void serveReading(begun, parentPort);
