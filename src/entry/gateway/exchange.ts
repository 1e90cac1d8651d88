import type { IncomingMessage, ServerResponse } from "node:http";
import { groupBy } from "../../core/group-by.ts";
import type { Usage } from "../../core/usage.ts";
import { guard } from "./http/answer.ts";
import type { BodyPool } from "./http/body-pool.ts";
import type { MemoryRoom, Sweep } from "./http/memory-room.ts";
import type { Pace } from "./http/pace.ts";
import type { Slices } from "./http/slices.ts";
import type { Upstream } from "./http/upstream.ts";
import type { Metrics } from "./metrics.ts";
import type { CompactionSetting } from "./prepare-request.ts";
import type { Prepared } from "./prepared.ts";
import type { Reader } from "./reader.ts";
import type { GatewayStore, JournalEntry } from "./store/gateway-store.ts";
import type { Telemetry } from "./telemetry.ts";
import type { Wire } from "./wire.ts";

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

export interface HttpCall extends Connection {
  /** The user's name; empty if there is only one person. */
  readonly user: string;
}

export interface MessageCall extends HttpCall {
  readonly purpose: "messages" | "count";
  readonly wire: Wire;
}

/** What all exchanges share. */
export interface GatewayContext {
  readonly upstream: Upstream;
  readonly pool: BodyPool;
  readonly sweep: Sweep;
  readonly reader: Reader;
  readonly store: GatewayStore;
  readonly metrics: Metrics;
  /** Requests that are still to be written to the journal; each ends when it is. */
  readonly accounts: Set<Promise<void>>;
  readonly telemetry: Telemetry | undefined;
  readonly compaction: CompactionSetting;
  readonly maxBodyBytes: number;
  /** A compressed body that decodes to more is not read. */
  readonly maxDecodedBytes: number;
  readonly room: MemoryRoom;
  readonly pace: Pace;
  readonly slices: Slices;
  readonly nowMs: () => number;
}

/** Writes down, once, what became of a request. A failure to write is counted and otherwise ignored. */
export interface Account {
  answered(): void;
  /** The request did not fit, and a lighter one was sent instead. */
  resent(lighter: Prepared): void;
  close(status: number, usage: Usage | undefined): void;
}

/** `bytesIn` is the length of the body as it was read, decoded if it came compressed. */
export function createAccount(
  call: MessageCall,
  prepared: Prepared,
  bytesIn: number,
  context: GatewayContext,
): Account {
  const { metrics, store, telemetry, accounts } = context;
  const { user, wire, purpose } = call;
  const route = purpose === "messages" ? wire.route : "count_tokens";
  const startMs = performance.now();
  const atMs = context.nowMs();
  let firstByteMs = 0;
  let sent = prepared;
  let close: Account["close"] = () => undefined;
  const closed = new Promise<Pick<JournalEntry, "status" | "usage" | "durationMs">>((resolve) => {
    close = (status, usage) => resolve({ status, usage, durationMs: performance.now() - startMs });
  });

  const write = async (): Promise<void> => {
    const { status, usage, durationMs } = await closed;
    const { session, model, replayed, dropped, planMs, incidents } = (await prepared.behind?.()) ?? prepared;
    const { pieces, edits, tokensBefore, tokensAfter } = sent;
    const bytesOut = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const decided = { edits: edits.length, editsByLayer: countByLayer(edits), replayed, dropped };
    const figures = { tokensBefore, tokensAfter, planMs, firstByteMs, durationMs, incidents, usage };
    const entry = { atMs, session, user, model, route, status, bytesIn, bytesOut, ...decided, ...figures };
    for (const record of [metrics.count, store.note, telemetry?.record])
      if (record) guard(record, () => metrics.add("incidents", 'cause="exception"'))(entry);
  };
  const written: Promise<void> = write()
    .catch(() => metrics.add("incidents", 'cause="exception"'))
    .finally(() => accounts.delete(written));
  accounts.add(written);

  return {
    answered() {
      firstByteMs = performance.now() - startMs;
    },
    resent(lighter) {
      sent = lighter;
    },
    close,
  };
}

function countByLayer(edits: Prepared["edits"]): Readonly<Record<string, number>> {
  return Object.fromEntries([...groupBy(edits, ({ by }) => by)].map(([layer, group]) => [layer, group.length]));
}
