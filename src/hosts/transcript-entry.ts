import type { SessionEvent } from "../core/event.ts";

/** One understood record of a transcript: where it stands in the conversation, and what it says. */
export interface TranscriptEntry {
  readonly type: string;
  /** Empty for a record that is no part of a conversation, such as a title. */
  readonly uuid: string;
  readonly parentUuid: string;
  /** Where the conversation goes on across a compaction boundary that has no parent. */
  readonly logicalParentUuid: string;
  /** A subagent's, told in the file of the session that asked it. */
  readonly isSidechain: boolean;
  readonly agentId: string;
  readonly sessionId: string;
  readonly version: string;
  readonly cwd: string;
  /** Not sent to the model: an error notice or a line the client made up itself. */
  readonly isSynthetic: boolean;
  readonly title: string;
  readonly events: readonly SessionEvent[];
  /** What a subagent said, told in passing on this line: it is billed, but no part of this conversation. */
  readonly asides: readonly SessionEvent[];
}

/** An entry that says nothing. */
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

/** What became of the records: `parsed + ignored + malformed` is their number. Blank lines are none. */
export interface LineTally {
  readonly lines: number;
  readonly parsed: number;
  readonly ignored: number;
  readonly malformed: number;
  /** How many of the ignored ones have a type that no client version we know writes. */
  readonly unknown: number;
  /** How many of the ignored ones had been written before. */
  readonly repeated: number;
}

export const emptyTally: LineTally = { lines: 0, parsed: 0, ignored: 0, malformed: 0, unknown: 0, repeated: 0 };

/** What became of a record. `unknown` ones are ignored too, but counted apart: they are how a new client version is noticed. */
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
