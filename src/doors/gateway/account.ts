import type { Usage } from "../../core/usage.ts";
import type { Door, Exchange } from "./exchange.ts";
import { guard } from "./http/answer.ts";
import type { Lighter, Prepared } from "./prepared.ts";

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
  { user }: Exchange,
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
