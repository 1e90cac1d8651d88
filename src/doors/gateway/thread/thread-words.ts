import type { Usage } from "../../../core/usage.ts";
import type { RoomOptions } from "../http/memory-room.ts";
import type { PlannerOptions } from "../plan-request.ts";
import type { BaseLife, CompactionSetting, Preparing } from "../prepare-request.ts";
import type { Lighter, Prepared } from "../prepared.ts";
import type { ReaderFigures, Unread } from "../reader.ts";
import type { AskedBack, RecalledRound } from "../recall/round.ts";
import type { Sender } from "../request/identify-session.ts";

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

export type Ask = { readonly call: number } & (
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      readonly sender: Sender;
      readonly purpose: Preparing["purpose"];
      readonly route: string;
      readonly usage: Usage | undefined;
      readonly queuedMs: number;
    }
  | { readonly kind: "react"; readonly of: number; readonly status: number; readonly body: string }
  | { readonly kind: "compact"; readonly of: number }
  | { readonly kind: "finish"; readonly of: number; readonly usage: Usage }
  | { readonly kind: "answer"; readonly of: number; readonly asked: AskedBack }
  | { readonly kind: "goOn"; readonly of: number; readonly messages: readonly Uint8Array[] }
  | { readonly kind: "keep"; readonly of: number; readonly rounds: readonly RecalledRound[] }
  | { readonly kind: "release"; readonly of: number }
  | { readonly kind: "forget" }
  | { readonly kind: "close" }
);

/** A part of a body: bytes that the other thread has are not sent back to it. */
export type BodyPiece = { readonly from: number; readonly to: number } | Uint8Array;

type Plain<Told> = Omit<Told, "pieces" | "recall" | "compact" | "react" | "finish" | "behind">;

interface Told {
  /** The number that further questions refer to. */
  readonly of: number;
  readonly pieces: readonly BodyPiece[];
  readonly tool: string | undefined;
}

export type ToldLighter = Told & Plain<Lighter>;
export type ToldRead = Told & Plain<Prepared> & { readonly unread: Unread | undefined };

export type Reply =
  | { readonly kind: "done"; readonly call: number; readonly value: unknown; readonly figures: ThreadFigures }
  | {
      readonly kind: "failed";
      readonly call: number;
      /** A stored history cannot be read: the client gets an error instead of a conversation without it. */
      readonly isUnexpanded: boolean;
      readonly why: string;
      readonly figures: ThreadFigures;
    }
  | { readonly kind: "storeError"; readonly operation: string };

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
