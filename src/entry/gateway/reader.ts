import type { MemoryRoom } from "./http/memory-room.ts";
import type { Slices } from "./http/slices.ts";
import type { Preparing, RequestPreparer } from "./prepare-request.ts";
import { createUnchanged, type Prepared } from "./prepared.ts";
import type { Sender } from "./request/identify-session.ts";
import type { RememberedSize } from "./request/session-memory.ts";
import { startClock } from "./request/work-budget.ts";
import { UnexpandedError } from "./wire.ts";

export type Unread = "body" | "encoding" | "memory";

interface ReadBody {
  readonly prepared: Prepared;
  /** Set if it was not understood, or if there was no room to read it. */
  readonly unread?: Unread | undefined;
}

export interface Reader {
  /** Fails open: if deciding fails, the original bytes are sent. */
  read(bytes: Buffer, sender: Sender, preparing: Preparing): Promise<ReadBody>;
  expectedMs(bytes: number): number;
  forget(): void;
  figures(): ReaderFigures;
}

export interface ReaderFigures extends RememberedSize {
  readonly slicesWaiting: number;
  readonly memoryWaiting: number;
}

/** Reads each body once there is room for it. A body without room is sent unchanged. */
export function createReader(preparer: RequestPreparer, slices: Slices, room: MemoryRoom): Reader {
  return {
    async read(bytes, sender, preparing) {
      const since = startClock();
      const prepare = async (): Promise<ReadBody> => {
        const startMs = performance.now();
        const queuedMs = (preparing.queuedMs ?? 0) + since();
        try {
          const prepared = await preparer.prepare(bytes, sender, { ...preparing, queuedMs });
          const isUnread = prepared.session === "" && prepared.incidents.length === 0;
          return { prepared, unread: isUnread ? "body" : undefined };
        } catch (error) {
          if (error instanceof UnexpandedError) throw error;
          return { prepared: createUnchanged(bytes, ["exception"], startMs) };
        }
      };
      const wanted = { heapBytes: estimateParsedBytes(bytes) };
      // A waiting body takes nothing yet, so room is checked when it is parsed.
      const atOnce = await slices.run(() => (room.has(wanted) ? { done: prepare() } : undefined));
      if (atOnce) return atOnce.done;
      const parsing = await room.find(wanted);
      if (parsing) return slices.run(prepare).finally(parsing);
      return { prepared: createUnchanged(bytes), unread: "memory" };
    },
    expectedMs: slices.expectedMs,
    forget: preparer.forget,
    figures: () => ({ ...preparer.remembered(), slicesWaiting: slices.waiting(), memoryWaiting: room.waiting() }),
  };
}

export function createReaderBySize(small: Reader, large: Reader, leastBytes: number): Reader {
  const choose = (bytes: number): Reader => (bytes < leastBytes ? small : large);
  return {
    read: (bytes, ...asked) => choose(bytes.length).read(bytes, ...asked),
    expectedMs: (bytes) => choose(bytes).expectedMs(bytes),
    forget() {
      small.forget();
      large.forget();
    },
    figures() {
      const all = [small.figures(), large.figures()];
      const sum = (field: keyof ReaderFigures): number => all.reduce((total, one) => total + one[field], 0);
      const remembered = { sessions: sum("sessions"), bytes: sum("bytes") };
      return { ...remembered, slicesWaiting: sum("slicesWaiting"), memoryWaiting: sum("memoryWaiting") };
    },
  };
}

/** Heap bytes per byte of JSON once parsed: measured over bodies of many shapes, and rather too high than too low. */
const PER_BYTE = 2;
/** An object of a few bytes becomes a message or a block with a name of its own. */
const PER_OPENER = 700;
const PER_SEPARATOR = 160;

const SAMPLES = 32;
const SAMPLE_BYTES = 256;

/** The heap that reading a body takes, by its number of values. Samples are at random places, which a sender cannot foresee. */
export function estimateParsedBytes(body: Buffer): number {
  const { length } = body;
  if (length <= SAMPLES * SAMPLE_BYTES) return length * PER_BYTE + weighThings(body, 0, length);
  const step = length / SAMPLES;
  let things = 0;
  for (let index = 0; index < SAMPLES; index++) {
    const from = Math.floor(index * step + Math.random() * Math.max(0, step - SAMPLE_BYTES));
    things += weighThings(body, from, from + SAMPLE_BYTES);
  }
  return Math.ceil(length * PER_BYTE + (things / (SAMPLES * SAMPLE_BYTES)) * length);
}

function weighThings(body: Buffer, from: number, to: number): number {
  let weight = 0;
  for (let index = from; index < to; index++) {
    const byte = body[index];
    if (byte === 0x7b || byte === 0x5b) weight += PER_OPENER;
    else if (byte === 0x2c || byte === 0x3a) weight += PER_SEPARATOR;
  }
  return weight;
}
