import type { Usage } from "../../../core/usage.ts";
import type { RoomOptions } from "../http/memory-room.ts";
import type { PlannerOptions } from "../plan-request.ts";
import type { BaseLife, CompactionSetting, Preparing } from "../prepare-request.ts";
import type { Prepared } from "../prepared.ts";
import type { ReaderFigures, Unread } from "../reader.ts";
import type { AskedBack, RecalledCall, RecalledRound } from "../recall/round.ts";
import type { Sender } from "../request/identify-session.ts";
import type { CompactionBody } from "../wire.ts";

export interface ThreadSettings {
  /** As the person named it: each thread opens it for itself, as another instance would. */
  readonly store: string;
  readonly planner: PlannerOptions;
  readonly compaction: CompactionSetting;
  readonly baseLife: BaseLife | undefined;
  readonly memoryBytes: number | undefined;
}

/** What the thread starts with: its settings, and an array in which both threads publish their memory use. */
export type ThreadStart = ThreadSettings & {
  readonly budgetMs: number;
  readonly maxRememberedBytes: number;
  readonly used: Float64Array;
};

/** Places in `used` of the two threads. */
export const SERVING = 0;
export const READING = 1;

/** What the thread can be asked. `of` is the number of a request that it has read, or made lighter. */
export interface ThreadCalls {
  read(bytes: Uint8Array, sender: Sender, preparing: ThreadPreparing): Promise<TransferredRead>;
  react(of: number, status: number, body: string): Promise<TransferredRequest | undefined>;
  compact(of: number): Promise<CompactionBody | undefined>;
  finish(of: number, usage: Usage): Promise<void>;
  answer(of: number, asked: AskedBack): Promise<RecalledCall>;
  goOn(of: number, messages: readonly Uint8Array[]): Promise<readonly BodyPiece[]>;
  keep(of: number, rounds: readonly RecalledRound[]): Promise<boolean>;
  release(of: number): Promise<void>;
  forget(): Promise<void>;
  close(): Promise<void>;
}

export interface Ask {
  readonly call: number;
  readonly kind: keyof ThreadCalls;
  readonly given: readonly unknown[];
}

/** A wire does not pass from thread to thread, but the name of its route does. */
type ThreadPreparing = Omit<Preparing, "wire"> & { readonly route: string };

/** A part of a body: bytes that the other thread has are not sent back to it. */
export type BodyPiece = { readonly from: number; readonly to: number } | Uint8Array;

/** A prepared request; what it can do is asked for by its number. */
export type TransferredRequest = Omit<Prepared, "pieces" | "recall" | "compact" | "react" | "finish" | "behind"> & {
  readonly of: number;
  readonly pieces: readonly BodyPiece[];
  readonly tool: string | undefined;
};

export type TransferredRead = TransferredRequest & { readonly unread: Unread | undefined };

export type Reply =
  | { readonly kind: "storeError"; readonly operation: string }
  | ({ readonly call: number; readonly figures: ThreadFigures } & (
      | { readonly kind: "done"; readonly value: unknown }
      /** `isUnexpanded`: a stored history cannot be read, so the client gets an error instead of a conversation without it. */
      | { readonly kind: "failed"; readonly isUnexpanded: boolean; readonly why: string }
    ));

export type ThreadFigures = ReaderFigures & { readonly lost: number };

export function splitPieces(pieces: readonly Buffer[], whole: Buffer): readonly BodyPiece[] {
  return pieces.map((piece): BodyPiece => {
    const from = piece.byteOffset - whole.byteOffset;
    const isPart = piece.buffer === whole.buffer && from >= 0 && from + piece.length <= whole.length;
    return isPart ? { from, to: from + piece.length } : new Uint8Array(piece);
  });
}

export function joinPieces(pieces: readonly BodyPiece[], whole: Buffer): readonly Buffer[] {
  return pieces.map((piece) => {
    if (piece instanceof Uint8Array) return Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const isWhole = piece.from === 0 && piece.to === whole.length;
    return isWhole ? whole : whole.subarray(piece.from, piece.to);
  });
}

/** Publishes this thread's memory use, and adds the other's: they share the memory, but each has its own heap. */
export function shareMemory(own: RoomOptions["used"], used: Float64Array, place: number): RoomOptions["used"] {
  return () => {
    const { heapBytes, outsideBytes } = own();
    used[place] = heapBytes + outsideBytes;
    return { heapBytes, outsideBytes: outsideBytes + (used[1 - place] ?? 0) };
  };
}
