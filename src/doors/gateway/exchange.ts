import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyPool } from "./http/body-pool.ts";
import type { MemoryRoom } from "./http/memory-room.ts";
import type { Pace } from "./http/pace.ts";
import type { Slices } from "./http/slices.ts";
import type { Sweep } from "./http/sweep.ts";
import type { Upstream } from "./http/upstream.ts";
import type { Metrics } from "./metrics.ts";
import type { CompactionSetting } from "./prepare-request.ts";
import type { Reader } from "./reader.ts";
import type { GatewayStore } from "./store/gateway-store.ts";
import type { Telemetry } from "./telemetry.ts";

/** One request of a client and the answer to it. */
export interface Exchange {
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
