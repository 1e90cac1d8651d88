import type { Instrument } from "../../../survive/restore/name-dropped.ts";

/** What the client has recorded behind a place in its transcript. */
export interface Aftermath {
  readonly hasBoundary: boolean;
  /** The summary as the client sends it; empty where none is recorded yet. */
  readonly summary: string;
  /** The summary is in a form that only its maker reads: what is told here is what stands beside it. */
  readonly isSealed?: boolean;
  /** What hooks added behind the boundary, as it is sent. */
  readonly contexts: string;
  readonly answers: readonly RecordedAnswer[];
  readonly instruments: readonly Instrument[];
}

export interface RecordedAnswer {
  readonly id: string;
  readonly atMs: number;
}

export const NOTHING_YET: Aftermath = { hasBoundary: false, summary: "", contexts: "", answers: [], instruments: [] };
