import type { Usage } from "../../../core/usage.ts";
import { readTail } from "../../../files/read-tail.ts";
import type { Instrument } from "../../../survive/restore/name-dropped.ts";

export interface Aftermath {
  readonly hasBoundary: boolean;
  /** The summary as the client sends it; empty if none is recorded yet. */
  readonly summary: string;
  /** The summary is encrypted for its maker; `summary` has only what is next to it. */
  readonly isSealed?: boolean;
  /** What hooks added after the boundary, as it is sent. */
  readonly contexts: string;
  readonly answers: readonly RecordedAnswer[];
  readonly instruments: readonly Instrument[];
}

export interface RecordedAnswer {
  readonly id: string;
  readonly atMs: number;
}

export const NOTHING_YET: Aftermath = { hasBoundary: false, summary: "", contexts: "", answers: [], instruments: [] };

/** Some dozens of requests, even in a client that records each of them; every event looks again. */
const MAX_BYTES = 8 << 20;

/** The transcript from the boundary's line on; `undefined` until it is there, so that nothing is parsed before. */
export function readBehind(transcript: string, fromByte: number, boundary: string): string | undefined {
  const { bytes } = readTail(transcript, MAX_BYTES, fromByte);
  const at = bytes.indexOf(boundary);
  return at < 0 ? undefined : bytes.toString("utf8", bytes.lastIndexOf(10, at) + 1);
}

export interface TailLoad {
  /** Of the main conversation's last request after the last compaction in these lines. */
  readonly usage: Usage | undefined;
  readonly model: string;
  readonly stepId: string;
  readonly version: string;
  readonly compactions: readonly { readonly trigger: string; readonly preTokens: number | undefined }[];
  readonly hasNews: boolean;
}

/** The client's names of the tools with which a model reads an original. */
export interface WayBack {
  /** Takes a handle; absent if no server can answer it. */
  readonly recallTool?: string | undefined;
  /** Reads a file; absent if it has the usual name. */
  readonly readTool?: string | undefined;
}
