import type { Usage } from "../../../core/usage.ts";
import type { Instrument } from "../../../survive/restore/name-dropped.ts";
import { readTail } from "../session-files.ts";

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

/** Some dozens of requests, even of a client that records each of them; we look again at every event. */
const MAX_BYTES = 8 << 20;

/** The transcript from the line with the boundary on; `undefined` until it is there, so that nothing is parsed before. */
export function readBehind(transcript: string, fromByte: number, boundary: string): string | undefined {
  const { bytes } = readTail(transcript, MAX_BYTES, fromByte);
  const at = bytes.indexOf(boundary);
  return at < 0 ? undefined : bytes.toString("utf8", bytes.lastIndexOf(10, at) + 1);
}

/** What some lines at the end of a transcript tell of the window. */
export interface TailLoad {
  /** Of the last request on the main conversation after the last compaction among these lines. */
  readonly usage: Usage | undefined;
  readonly model: string;
  readonly stepId: string;
  readonly version: string;
  readonly compactions: readonly { readonly trigger: string; readonly preTokens: number | undefined }[];
  readonly hasNews: boolean;
}

/** The tools by which a model gets at an original, as its client names them. */
export interface WayBack {
  /** Takes a handle; absent where no server is there to answer it. */
  readonly recallTool?: string | undefined;
  /** Reads a file; absent where it is called as usual. */
  readonly readTool?: string | undefined;
}
