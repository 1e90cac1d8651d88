import type { Edit } from "../../core/edit.ts";
import type { Usage } from "../../core/usage.ts";
import type { Incident } from "./decide-together.ts";
import type { RecallService } from "./recall/recall-service.ts";
import type { JournalEntry } from "./store/gateway-store.ts";
import type { CompactionBody } from "./wire.ts";

/** What is sent in the place of a request that did not fit. */
export type Lighter = Pick<Prepared, "pieces" | "edits" | "tokensBefore" | "tokensAfter" | "recall">;

/** What the accounts take over; the session is empty where the body was not understood. */
type Accounted = "session" | "model" | "replayed" | "dropped" | "tokensBefore" | "tokensAfter" | "planMs";

/** A request as it is to be sent. */
export interface Prepared extends Pick<JournalEntry, Accounted> {
  /** The body, in pieces. The very bytes that came where nothing is to be changed. */
  readonly pieces: readonly Buffer[];
  readonly isStream: boolean;
  readonly isCompaction: boolean;
  /** Decisions of this request, and those that stood before. */
  readonly edits: readonly Edit[];
  readonly incidents: readonly Incident[];
  /** The answer to a compaction; nothing where it cannot be given without losing something. */
  compact(): Promise<CompactionBody | undefined>;
  /** The model can fetch back what left the conversation, by a tool that the client knows nothing of. */
  readonly recall: RecallService | undefined;
  /** The API refused it: a lighter body, once, where that was an overflow and something is left to take out. */
  react(status: number, body: string): Promise<Lighter | undefined>;
  /** The API has answered it. */
  finish(usage: Usage): void;
  /** It left before it was read: reads it, once, and tells what was found. */
  behind?(): Promise<Prepared>;
}

/** A request that leaves as it came, whatever the reason. */
export function createUnchanged(
  bytes: Buffer,
  { startMs, incidents }: { readonly startMs: number; readonly incidents: readonly Incident[] },
): Prepared {
  return {
    pieces: [bytes],
    session: "",
    model: "",
    isStream: false,
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
 * A request from which nothing can be taken leaves at once, and is read when its answer is over: two hundred that begin in the same
 * moment would otherwise wait for each other's reading. The client goes on only behind that answer, so nobody asks for it earlier,
 * but for an overflow.
 */
export function createAhead(bytes: Buffer, read: (usage: Usage | undefined) => Promise<Prepared>): Prepared {
  let reading: Promise<Prepared> | undefined;
  const unread = createUnchanged(bytes, { startMs: performance.now(), incidents: [] });
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
