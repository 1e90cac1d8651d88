import type { JsonObject } from "./json.ts";
import type { Block, Role } from "./message.ts";
import type { Usage } from "./usage.ts";

/** What happens in a session, in order, whether it came from a transcript, hook events or API messages. */
export type SessionEvent = Output | Arrival | Compaction | Microcompaction;

interface Situated {
  /** The host's own id of the record; empty if it has none. */
  readonly origin: string;
  /** Milliseconds since 1970; `undefined` if the host does not say. */
  readonly atMs: number | undefined;
}

/** Blocks of a model's answer. One answer may come in several outputs with the same `stepId`; the last usage counts. */
export interface Output extends Situated {
  readonly kind: "output";
  readonly stepId: string;
  readonly model: string;
  readonly usage: Usage | undefined;
  /** Whether `usage.outputTokens` is the final count rather than the value at the start of streaming. */
  readonly isOutputFinal: boolean;
  /** The model had finished and no call follows. Absent if the host does not say. */
  readonly isTurnEnd?: boolean | undefined;
  /** The model's window size according to the client. Absent if it does not say. */
  readonly windowTokens?: number | undefined;
  readonly blocks: readonly Block[];
}

/** A block that joined the conversation before the next request. */
export interface Arrival extends Situated {
  readonly kind: "arrival";
  readonly source: ArrivalSource;
  /** The tool's name, the attachment's kind, or a copy of the source. */
  readonly label: string;
  readonly role: Role;
  readonly block: Block;
  /** What the host records about a result beyond its text, in the host's format. */
  readonly detail: JsonObject | undefined;
}

export type ArrivalSource = "prompt" | "toolResult" | "attachment" | "reminder" | "summary";

/** The window was compacted: everything before is gone from it, except the messages in `preserved`. */
export interface Compaction extends Situated {
  readonly kind: "compaction";
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly durationMs: number | undefined;
  /** Origins of the messages kept word for word; they follow the summary although they were recorded before it. */
  readonly preserved: readonly string[];
}

/** A compaction about which only its position is known. */
export function unreportedCompaction(origin: string, atMs: number | undefined): Compaction {
  const unknown = { preTokens: undefined, postTokens: undefined, durationMs: undefined };
  return { kind: "compaction", origin, atMs, trigger: "unknown", ...unknown, preserved: [] };
}

/** Old results were cleared in place. */
export interface Microcompaction extends Situated {
  readonly kind: "microcompaction";
  readonly preTokens: number | undefined;
  readonly savedTokens: number | undefined;
  readonly clearedCallIds: readonly string[];
}
