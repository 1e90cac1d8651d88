import type { BodyPool } from "../http/body-pool.ts";
import type { KnownLedger, SessionFacts } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";
import { countCommonBytes } from "./json-spans.ts";
import type { ReplayedView } from "./replay-view.ts";

/** What an instance remembers of a conversation. Another instance reads the same from the store, more slowly. */
export interface SessionMemory {
  readonly session: string;
  readonly request: ParsedRequest;
  readonly replayed: ReplayedView;
  readonly ledger: KnownLedger;
  readonly facts: SessionFacts | undefined;
  readonly rest: Rest | undefined;
}

interface SessionMemories {
  /** The remembered request that the body most likely continues. */
  guess(hint: string, bytes: Buffer): SessionMemory | undefined;
  find(session: string): SessionMemory | undefined;
  keep(hint: string, memory: SessionMemory): void;
  size(): RememberedSize;
  /** Memory is short: drops the least recently used half. */
  shrink(): void;
}

export interface RememberedSize {
  readonly sessions: number;
  readonly bytes: number;
}

/** Clients without agent ids have several conversations under one hint. */
const SESSIONS_PER_HINT = 4;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_SESSIONS = 2_000;

/** Bounded by the memory of the bodies; the least recently used goes first. */
export function createSessionMemories(
  pool: Pick<BodyPool, "hold" | "release">,
  maxBytes: number = MAX_BYTES,
): SessionMemories {
  const memories = new Map<string, SessionMemory>();
  const hints = new Map<string, readonly string[]>();
  let bytes = 0;
  const forget = (session: string): void => {
    const body = memories.get(session)?.request.bytes;
    if (!body) return;
    bytes -= body.buffer.byteLength;
    memories.delete(session);
    pool.release(body);
  };
  return {
    guess(hint, body) {
      const candidates = (hints.get(hint) ?? []).flatMap((session) => memories.get(session) ?? []);
      if (candidates.length <= 1) return candidates[0];
      const common = candidates.map(({ request }) => countCommonBytes(body, request.bytes));
      return candidates[common.indexOf(Math.max(...common))];
    },
    find: (session) => memories.get(session),
    size: () => ({ sessions: memories.size, bytes }),
    shrink() {
      for (const session of [...memories.keys()].slice(0, Math.ceil(memories.size / 2))) forget(session);
    },
    keep(hint, memory) {
      pool.hold(memory.request.bytes);
      forget(memory.session);
      memories.set(memory.session, memory);
      bytes += memory.request.bytes.buffer.byteLength;
      const others = (hints.get(hint) ?? []).filter((session) => session !== memory.session && memories.has(session));
      hints.delete(hint);
      hints.set(hint, [memory.session, ...others].slice(0, SESSIONS_PER_HINT));
      for (const [oldest] of memories) {
        if (bytes <= maxBytes && memories.size <= MAX_SESSIONS) break;
        forget(oldest);
      }
      const [oldest = ""] = hints.keys();
      if (hints.size > MAX_SESSIONS) hints.delete(oldest);
    },
  };
}

/** Planning took too long: how long it is not tried again for this conversation. */
export interface Rest {
  readonly untilMs: number;
  readonly lengthMs: number;
}

/** A machine that was briefly busy recovers soon; a conversation that is too large to plan stays too large. */
const FIRST_MS = 250;
const LONGEST_MS = 60_000;

/** A clock that was set back to before the rest began ends it. Otherwise it would rest for an extra hour. */
export function isResting(rest: Rest | undefined, nowMs: number): boolean {
  return rest !== undefined && nowMs < rest.untilMs && nowMs >= rest.untilMs - rest.lengthMs;
}

/** Twice as long each time in a row. */
export function prolong(rest: Rest | undefined, nowMs: number): Rest {
  const lengthMs = rest ? Math.min(LONGEST_MS, rest.lengthMs * 2) : FIRST_MS;
  return { untilMs: nowMs + lengthMs, lengthMs };
}
