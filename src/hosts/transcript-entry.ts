import type { SessionEvent } from "../core/event.ts";

export interface TranscriptEntry {
  readonly type: string;
  /** Empty for a record that is no part of a conversation, such as a title. */
  readonly uuid: string;
  readonly parentUuid: string;
  /** The parent across a compaction boundary, which has none itself. */
  readonly logicalParentUuid: string;
  /** A subagent's, in the file of the session that started it. */
  readonly isSidechain: boolean;
  readonly agentId: string;
  readonly sessionId: string;
  readonly version: string;
  readonly cwd: string;
  /** Not sent to the model: an error notice or a line that the client made up. */
  readonly isSynthetic: boolean;
  readonly title: string;
  readonly events: readonly SessionEvent[];
  /** What a subagent said, recorded on this line: it is billed, but no part of this conversation. */
  readonly asides: readonly SessionEvent[];
}

export const emptyEntry: TranscriptEntry = {
  type: "",
  uuid: "",
  parentUuid: "",
  logicalParentUuid: "",
  isSidechain: false,
  agentId: "",
  sessionId: "",
  version: "",
  cwd: "",
  isSynthetic: false,
  title: "",
  events: [],
  asides: [],
};

/** Counts of records: `parsed + ignored + malformed` is their number. Blank lines do not count. */
export interface LineTally {
  readonly lines: number;
  readonly parsed: number;
  readonly ignored: number;
  readonly malformed: number;
  /** Ignored records of a type that no known client version writes. */
  readonly unknown: number;
  /** Ignored records that had been written before. */
  readonly repeated: number;
}

export const emptyTally: LineTally = { lines: 0, parsed: 0, ignored: 0, malformed: 0, unknown: 0, repeated: 0 };

/** What became of a record. `unknown` ones are ignored too, but counted separately: they reveal a new client version. */
export type RecordFate = "parsed" | "ignored" | "unknown" | "repeated" | "malformed";

/** `parsed + ignored + malformed` stays the number of lines. */
export function countRecord(tally: LineTally, fate: RecordFate): LineTally {
  return {
    lines: tally.lines + 1,
    parsed: tally.parsed + (fate === "parsed" ? 1 : 0),
    ignored: tally.ignored + (fate === "parsed" || fate === "malformed" ? 0 : 1),
    malformed: tally.malformed + (fate === "malformed" ? 1 : 0),
    unknown: tally.unknown + (fate === "unknown" ? 1 : 0),
    repeated: tally.repeated + (fate === "repeated" ? 1 : 0),
  };
}

export type LineFate = Extract<RecordFate, "parsed" | "ignored" | "unknown">;

/** By the types of record that a client is known to write, in two lists of words. */
export function decideFateBy({ parsed, ignored }: { readonly parsed: string; readonly ignored: string }) {
  const read = new Set(parsed.split(/\s+/));
  const skipped = new Set(ignored.split(/\s+/));
  return (type: string): LineFate => {
    if (read.has(type)) return "parsed";
    return skipped.has(type) ? "ignored" : "unknown";
  };
}
