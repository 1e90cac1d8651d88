import type { IncomingMessage, ServerResponse } from "node:http";
import type { Usage } from "../../core/usage.ts";
import { guard } from "./http/answer.ts";
import type { BodyPool } from "./http/body-pool.ts";
import type { MemoryRoom, Sweep } from "./http/memory-room.ts";
import type { Pace } from "./http/pace.ts";
import type { Slices } from "./http/slices.ts";
import type { Upstream } from "./http/upstream.ts";
import type { Metrics } from "./metrics.ts";
import type { CompactionSetting } from "./prepare-request.ts";
import type { Lighter, Prepared } from "./prepared.ts";
import type { Reader } from "./reader.ts";
import type { GatewayStore } from "./store/gateway-store.ts";
import type { Telemetry } from "./telemetry.ts";

export interface HttpCall {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The user's name; empty if there is only one person. */
  readonly user: string;
}

/** What all exchanges share. */
export interface Door {
  readonly upstream: Upstream;
  readonly pool: BodyPool;
  readonly sweep: Sweep;
  readonly reader: Reader;
  readonly store: GatewayStore;
  readonly metrics: Metrics;
  /** Requests that are still to be written to the journal. */
  readonly accounts: UnderWay;
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

interface UnderWay {
  /** The returned function ends it. */
  begin(): () => void;
  settled(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let count = 0;
  let waiting: (() => void)[] = [];
  const end = (): void => {
    count--;
    if (count > 0) return;
    for (const tell of waiting) tell();
    waiting = [];
  };
  return {
    begin() {
      count++;
      return end;
    },
    settled: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
  };
}

/** Writes down, once, what became of a request. A failure to write is counted and otherwise ignored. */
export interface Account {
  answered(): void;
  /** The request did not fit, and a lighter one was sent instead. */
  resent(lighter: Lighter): void;
  close(status: number, usage: Usage | undefined): void;
}

interface Sent {
  readonly prepared: Prepared;
  /** The body as it was read, decoded if it came compressed. */
  readonly bytes: Buffer;
  readonly purpose: "messages" | "count";
  readonly route: string;
}

export function createAccount(
  { user }: HttpCall,
  { prepared, bytes, purpose, route: name }: Sent,
  { metrics, store, telemetry, accounts, nowMs }: Door,
): Account {
  const startMs = performance.now();
  const atMs = nowMs();
  let firstByteMs = 0;
  let isClosed = false;
  const end = accounts.begin();
  let sent: Lighter = prepared;
  return {
    answered() {
      firstByteMs = performance.now() - startMs;
    },
    resent(lighter) {
      sent = lighter;
    },
    close(status, usage) {
      if (isClosed) return;
      isClosed = true;
      const durationMs = performance.now() - startMs;
      const write = (known: Prepared): void => {
        const { session, model, replayed, dropped, planMs, incidents } = known;
        const { pieces, edits, tokensBefore, tokensAfter } = sent;
        const bytesOut = pieces.reduce((sum, piece) => sum + piece.length, 0);
        const route = purpose === "messages" ? name : "count_tokens";
        const decided = {
          edits: edits.length,
          editsByLayer: countByLayer(edits),
          replayed,
          dropped,
          tokensBefore,
          tokensAfter,
        };
        const figures = { ...decided, planMs, firstByteMs, durationMs, incidents, usage };
        const entry = { atMs, session, user, model, route, status, bytesIn: bytes.length, bytesOut, ...figures };
        for (const tell of [metrics.count, store.note, telemetry?.record])
          if (tell) guard(tell, () => metrics.add("incidents", 'cause="exception"'))(entry);
        end();
      };
      if (prepared.behind) void prepared.behind().then(write);
      else write(prepared);
    },
  };
}

function countByLayer(edits: Lighter["edits"]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { by } of edits) counts[by] = (counts[by] ?? 0) + 1;
  return counts;
}
