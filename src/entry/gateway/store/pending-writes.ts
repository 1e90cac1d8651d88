import type { GatewayStore, JournalEntry, SessionFacts } from "./gateway-store.ts";

export interface Pending {
  readonly facts: Map<string, SessionFacts>;
  readonly entries: JournalEntry[];
  /** How many could not be written. */
  lost: number;
}

interface PendingWrites extends Pick<GatewayStore, "saveFacts" | "note" | "lost"> {
  facts(session: string): SessionFacts | undefined;
  flush(): Promise<void>;
}

const SOON_MS = 500;
/** Requests are answered during the pause, if `write` leaves something for after it. */
const PAUSE_MS = 45;
const MAX_WAITING = 10_000;

/** Collects writes that nothing waits for. `write` takes out what it writes: all of it at the end, or else as much as it likes. */
export function createPendingWrites(write: (pending: Pending, isEnd: boolean) => Promise<void>): PendingWrites {
  const pending: Pending = { facts: new Map(), entries: [], lost: 0 };
  let timer: NodeJS.Timeout | undefined;
  const writeSome = async (): Promise<void> => {
    timer = undefined;
    await write(pending, false);
    if (pending.facts.size > 0) later(PAUSE_MS);
  };
  const later = (ms: number): void => {
    timer ??= setTimeout(() => void writeSome(), ms).unref();
  };
  return {
    facts: (session) => pending.facts.get(session),
    saveFacts(session, value) {
      pending.facts.set(session, value);
      later(SOON_MS);
    },
    note(entry) {
      if (pending.entries.length < MAX_WAITING) pending.entries.push(entry);
      else pending.lost++;
      later(SOON_MS);
    },
    lost: () => pending.lost,
    flush() {
      clearTimeout(timer);
      timer = undefined;
      return write(pending, true);
    },
  };
}
