import type { SessionEvent } from "../../core/event.ts";

/** One understood line of a transcript: where it stands in the conversation, and what it says. */
export interface TranscriptEntry {
  readonly type: string;
  readonly uuid: string;
  readonly parentUuid: string;
  /** Where the conversation goes on across a compaction boundary, whose `parentUuid` is null. */
  readonly logicalParentUuid: string;
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

/** What became of one line. */
export type LineOutcome =
  | { readonly fate: "parsed" | "ignored" | "unknown"; readonly entry: TranscriptEntry }
  | { readonly fate: "malformed"; readonly why: string }
  | { readonly fate: "repeated" };
