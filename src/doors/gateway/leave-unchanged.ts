import type { Usage } from "../../core/usage.ts";
import type { Incident } from "./decide-together.ts";
import type { Prepared } from "./prepared.ts";

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
