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

/** One request of a client and the answer to it. */
export interface HttpCall {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Whose it is; empty where there is only one person. */
  readonly user: string;
}

/** What every exchange shares. */
export interface Door {
  readonly upstream: Upstream;
  readonly pool: BodyPool;
  readonly sweep: Sweep;
  readonly reader: Reader;
  readonly store: GatewayStore;
  readonly metrics: Metrics;
  /** Requests that are still to be written down. */
  readonly accounts: UnderWay;
  readonly telemetry: Telemetry | undefined;
  readonly compaction: CompactionSetting;
  readonly maxBodyBytes: number;
  /** Beyond it a compressed body is not looked into. */
  readonly maxDecodedBytes: number;
  readonly room: MemoryRoom;
  readonly pace: Pace;
  readonly slices: Slices;
  readonly nowMs: () => number;
}

/** What has begun and not ended. */
interface UnderWay {
  /** The returned function ends it. */
  begin(): () => void;
  /** Once nothing is; at once where nothing was. */
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

/** Writes down, once, what became of a request. Where that fails it is counted, and nobody else is told. */
export interface Account {
  answered(): void;
  /** It did not fit, and something else was sent in its place. */
  resent(lighter: Lighter): void;
  close(status: number, usage: Usage | undefined): void;
}

interface Sent {
  readonly prepared: Prepared;
  /** The body as it was read, decoded where it came compressed. */
  readonly bytes: Buffer;
  readonly purpose: "messages" | "count";
  /** As its wire is called. */
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
