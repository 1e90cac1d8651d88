import type { Edit } from "../../core/edit.ts";
import type { Usage } from "../../core/usage.ts";
import type { Incident } from "./decide-together.ts";
import type { RecallService } from "./recall/recall-service.ts";
import type { JournalEntry } from "./store/gateway-store.ts";
import type { CompactionBody } from "./wire.ts";

/** Fields that go to the journal; the session is empty if the body was not understood. */
type Accounted = "session" | "model" | "replayed" | "dropped" | "tokensBefore" | "tokensAfter" | "planMs";

export interface Prepared extends Pick<JournalEntry, Accounted> {
  /** The body, in pieces: the very bytes that came if nothing changes. */
  readonly pieces: readonly Buffer[];
  readonly isCompaction: boolean;
  /** Decisions of this request, and earlier ones. */
  readonly edits: readonly Edit[];
  readonly incidents: readonly Incident[];
  /** The answer to a compaction; `undefined` if it cannot be given without losing something. */
  compact(): Promise<CompactionBody | undefined>;
  /** Lets the model fetch back what was removed, with a tool that the client does not know. */
  readonly recall: RecallService | undefined;
  /** The API refused it: a lighter request, once, if that was an overflow and something is left to remove. */
  react(status: number, body: string): Promise<Prepared | undefined>;
  finish(usage: Usage): void;
  /** It was sent before it was read: reads it, once, and returns what was found. */
  behind?(): Promise<Prepared>;
}

export function createUnchanged(
  bytes: Buffer,
  incidents: readonly Incident[] = [],
  startMs: number = performance.now(),
): Prepared {
  return {
    pieces: [bytes],
    session: "",
    model: "",
    isCompaction: false,
    edits: [],
    replayed: 0,
    dropped: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    planMs: performance.now() - startMs,
    incidents,
    compact: async () => undefined,
    recall: undefined,
    react: async () => undefined,
    finish: () => undefined,
  };
}

/**
 * A request from which nothing can be removed is sent at once, and read when its answer is over: two hundred that begin at the same moment
 * would otherwise wait for each other's reading. The client continues only after that answer, so only an overflow needs it earlier.
 */
export function createAhead(bytes: Buffer, read: (usage: Usage | undefined) => Promise<Prepared>): Prepared {
  let reading: Promise<Prepared> | undefined;
  const unread = createUnchanged(bytes);
  const behind = (usage?: Usage): Promise<Prepared> => {
    reading ??= read(usage).catch(() => ({ ...unread, incidents: ["exception"] }));
    return reading;
  };
  return {
    ...unread,
    behind,
    react: async (status, body) => (await behind()).react(status, body),
    finish(usage) {
      if (reading) void reading.then((prepared) => prepared.finish(usage));
      else void behind(usage);
    },
  };
}
