import type { MemoryRoom } from "./http/memory-room.ts";
import type { Slices } from "./http/slices.ts";
import type { Preparing, RequestPreparer } from "./prepare-request.ts";
import { createUnchanged, type Prepared } from "./prepared.ts";
import type { Sender } from "./request/identify-session.ts";
import type { RememberedSize } from "./request/session-memory.ts";
import { startClock } from "./request/work-budget.ts";
import { UnexpandedError } from "./wire.ts";

/** Why a body leaves as it came. */
export type Unread = "body" | "encoding" | "memory";

export interface ReadBody {
  readonly prepared: Prepared;
  /** It was not understood, or there was no room to look into it. */
  readonly unread?: Unread | undefined;
}

/** Parses bodies and decides about them, in this thread or in another one. */
export interface Reader {
  /** Fails open: whatever goes wrong with deciding, the bytes that came are what is sent. */
  read(bytes: Buffer, sender: Sender, preparing: Preparing): Promise<ReadBody>;
  /** About how long a body of so many bytes that comes now would wait. */
  expectedMs(bytes: number): number;
  /** Memory is short: lets go of what can be read again. */
  forget(): void;
  figures(): ReaderFigures;
}

export interface ReaderFigures extends RememberedSize {
  readonly slicesWaiting: number;
  readonly memoryWaiting: number;
}

export interface ReaderParts {
  readonly preparer: RequestPreparer;
  readonly slices: Slices;
  readonly room: MemoryRoom;
}

/** Each body once there is room for what it takes. What finds none leaves as it came. */
export function createReader({ preparer, slices, room }: ReaderParts): Reader {
  const prepare = async (...[bytes, sender, preparing]: Parameters<Reader["read"]>): Promise<ReadBody> => {
    const startMs = performance.now();
    try {
      const prepared = await preparer.prepare(bytes, sender, preparing);
      const isUnread = prepared.session === "" && prepared.incidents.length === 0;
      return { prepared, unread: isUnread ? "body" : undefined };
    } catch (error) {
      if (error instanceof UnexpandedError) throw error;
      return { prepared: createUnchanged(bytes, { startMs, incidents: ["exception"] }) };
    }
  };
  return {
    async read(bytes, sender, preparing) {
      const since = startClock();
      const prepareNow = (): Promise<ReadBody> => {
        const queuedMs = (preparing.queuedMs ?? 0) + since();
        return prepare(bytes, sender, { ...preparing, queuedMs });
      };
      const wanted = { heapBytes: estimateParsedBytes(bytes) };
      // What waits takes nothing yet: whether there is room is asked when it is parsed.
      const atOnce = await slices.run(() => (room.has(wanted) ? { done: prepareNow() } : undefined));
      if (atOnce) return atOnce.done;
      const parsing = await room.find(wanted);
      if (parsing) return slices.run(prepareNow).finally(parsing);
      return { prepared: createUnchanged(bytes, { startMs: performance.now(), incidents: [] }), unread: "memory" };
    },
    expectedMs: slices.expectedMs,
    forget: preparer.forget,
    figures: () => ({ ...preparer.remembered(), slicesWaiting: slices.waiting(), memoryWaiting: room.waiting() }),
  };
}

/** Large bodies in one, all others in the other. */
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
      const [some, others] = [small.figures(), large.figures()];
      return {
        sessions: some.sessions + others.sessions,
        bytes: some.bytes + others.bytes,
        slicesWaiting: some.slicesWaiting + others.slicesWaiting,
        memoryWaiting: some.memoryWaiting + others.memoryWaiting,
      };
    },
  };
}

/** How a text weighs once it is parsed, in bytes: measured over bodies of any shape, and rather too much than too little. */
const PER_BYTE = 2;
/** An object of a few bytes becomes a message or a block with a name of its own. */
const PER_OPENER = 700;
const PER_SEPARATOR = 160;

const SAMPLES = 32;
const SAMPLE_BYTES = 256;

/**
 * About what a body will take of the heap while it is read. Three bytes of it can become six hundred, or two: what counts is how
 * many things it says, and that is told from pieces of it, taken where nobody knows beforehand.
 */
export function estimateParsedBytes(body: Buffer, random: () => number = Math.random): number {
  const { length } = body;
  if (length <= SAMPLES * SAMPLE_BYTES) return length * PER_BYTE + weighThings(body, 0, length);
  const step = length / SAMPLES;
  let things = 0;
  for (let index = 0; index < SAMPLES; index++) {
    const from = Math.floor(index * step + random() * Math.max(0, step - SAMPLE_BYTES));
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
