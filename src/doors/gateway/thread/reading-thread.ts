import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { renderFailure } from "../../../core/render-failure.ts";
import { createBodyPool } from "../http/body-pool.ts";
import { createMemoryRoom, measureProcess } from "../http/memory-room.ts";
import { createSlices } from "../http/slices.ts";
import { messagesWire } from "../messages-wire.ts";
import { createRequestPlanner } from "../plan-request.ts";
import { createRequestPreparer } from "../prepare-request.ts";
import type { Lighter, Prepared } from "../prepared.ts";
import { createReader } from "../reader.ts";
import type { RecallService } from "../recall/recall-service.ts";
import { responsesWire } from "../responses/responses-wire.ts";
import { openStore } from "../store/catalogue.ts";
import { watchStore } from "../store/gateway-store.ts";
import { tryWarmUp } from "../warm-up.ts";
import { UnexpandedError } from "../wire.ts";
import { type Ask, READING, type Reply, shareMemory, splitPieces, type ThreadStart } from "./thread-words.ts";

/** The thread that reads large bodies. To the store it is one more instance, to the gateway a reader. */

interface Held {
  readonly bytes: Buffer;
  readonly prepared?: Prepared;
  readonly recall: RecallService | undefined;
}

async function serve(start: ThreadStart, port: MessagePort): Promise<void> {
  const reply = (words: Reply): void => port.postMessage(words);
  const planner = createRequestPlanner(start.planner);
  tryWarmUp(planner);
  const store = watchStore(await openStore(start.store), (operation) => reply({ kind: "storeError", operation }));
  const slices = createSlices();
  const preparer = createRequestPreparer({
    store,
    planner,
    slices,
    pool: createBodyPool(),
    nowMs: Date.now,
    budgetMs: start.budgetMs,
    compaction: start.compaction,
    baseLife: start.baseLife,
    maxRememberedBytes: start.maxRememberedBytes,
  });
  const measured = measureProcess(start.memoryBytes);
  const used = shareMemory(measured.used, start.used, READING);
  const room = createMemoryRoom({ ...measured, used, forget: preparer.forget });
  const reader = createReader(preparer, slices, room);
  const held = new Map<number, Held>();

  function hold(of: number, bytes: Buffer, told: Prepared | Lighter) {
    const { pieces, recall, edits, tokensBefore, tokensAfter } = told;
    held.set(of, { bytes, recall, ...("finish" in told ? { prepared: told } : {}) });
    return { of, pieces: splitPieces(pieces, bytes), tool: recall?.tool, edits, tokensBefore, tokensAfter };
  }

  async function perform(ask: Ask): Promise<unknown> {
    switch (ask.kind) {
      case "read": {
        const { buffer, byteOffset, length } = ask.bytes;
        const bytes = Buffer.from(buffer, byteOffset, length);
        const wire = ask.route === responsesWire.route ? responsesWire : messagesWire;
        const { purpose, usage, queuedMs } = ask;
        const { prepared, unread } = await reader.read(bytes, ask.sender, { purpose, wire, usage, queuedMs });
        const { session, model, isStream, isCompaction, replayed, dropped, planMs, incidents } = prepared;
        const facts = { session, model, isStream, isCompaction, replayed, dropped, planMs, incidents };
        return { ...hold(ask.call, bytes, prepared), ...facts, unread };
      }
      case "react": {
        const known = held.get(ask.of);
        const lighter = await known?.prepared?.react(ask.status, ask.body);
        return known && lighter && hold(ask.call, known.bytes, lighter);
      }
      case "compact":
        return held.get(ask.of)?.prepared?.compact();
      case "finish":
        held.get(ask.of)?.prepared?.finish(ask.usage);
        // After the answer there are no further questions about it.
        held.delete(ask.of);
        return undefined;
      case "answer":
        return requireRecall(ask.of).recall.answer(ask.asked);
      case "goOn": {
        const { recall, bytes } = requireRecall(ask.of);
        return splitPieces(await recall.goOn(ask.messages), bytes);
      }
      case "keep":
        return requireRecall(ask.of).recall.keep(ask.rounds);
      case "release":
        held.delete(ask.of);
        return undefined;
      case "forget":
        return reader.forget();
      case "close":
        return store.close();
    }
  }

  function requireRecall(of: number): { readonly recall: RecallService; readonly bytes: Buffer } {
    const { recall, bytes } = held.get(of) ?? {};
    if (!recall || !bytes) throw new Error("there is nothing to fetch back for this request");
    return { recall, bytes };
  }

  port.on("message", (ask: Ask) => {
    const { call } = ask;
    const figures = () => ({ ...reader.figures(), lost: store.lost() });
    perform(ask).then(
      (value) => reply({ kind: "done", call, value, figures: figures() }),
      (error: unknown) =>
        reply({
          kind: "failed",
          call,
          isUnexpanded: error instanceof UnexpandedError,
          why: renderFailure(error),
          figures: figures(),
        }),
    );
  });
}

const begun: ThreadStart = workerData;
if (parentPort) void serve(begun, parentPort);
