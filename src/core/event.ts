import type { JsonObject } from "./json.ts";
import type { Block, Role } from "./message.ts";
import type { Usage } from "./usage.ts";

/** What happens in a session, in order, whatever told us: a transcript, hook events or API messages. */
export type SessionEvent = Output | Arrival | Compaction | Microcompaction;

interface Situated {
  /** The host's own id of the record that told us; empty where it has none. */
  readonly origin: string;
  /** Milliseconds since 1970; `undefined` where the host does not say. */
  readonly atMs: number | undefined;
}

/** Blocks that the model answered with. One answer may come in several outputs with the same `stepId`; the last usage counts. */
export interface Output extends Situated {
  readonly kind: "output";
  readonly stepId: string;
  readonly model: string;
  /** Absent where the host recorded none. */
  readonly usage: Usage | undefined;
  /** Whether `usage.outputTokens` is the final count and not the value at the start of streaming. */
  readonly isOutputFinal: boolean;
  /** Whether the model had finished with it: no call follows. Absent where the host does not tell. */
  readonly isTurnEnd?: boolean | undefined;
  /** How large the client takes the model's window to be. Absent where it does not tell. */
  readonly windowTokens?: number | undefined;
  readonly blocks: readonly Block[];
}

/** A block that joined the conversation before the next request. */
export interface Arrival extends Situated {
  readonly kind: "arrival";
  readonly source: ArrivalSource;
  /** The tool's name, the attachment's kind, or the source again. */
  readonly label: string;
  readonly role: Role;
  readonly block: Block;
  /** What the host knows of a result beyond its text, as the host tells it. */
  readonly detail: JsonObject | undefined;
}

export type ArrivalSource = "prompt" | "toolResult" | "attachment" | "reminder" | "summary";

/** The window was compacted: what came before is gone from it, except what is named as preserved. */
export interface Compaction extends Situated {
  readonly kind: "compaction";
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly durationMs: number | undefined;
  /** Origins of the messages kept word for word; they follow the summary though they were told before it. */
  readonly preserved: readonly string[];
}

/** A compaction of which no more is known than where it was. */
export function untoldCompaction(origin: string, atMs: number | undefined): Compaction {
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
