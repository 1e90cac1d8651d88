export interface Flow {
  pause(): unknown;
  resume(): unknown;
}

/** Reads all bodies together no faster than other requests can be served in between. */
export interface Pace {
  /** So many bytes came. Pauses the flow if this round of the event loop has read enough. */
  came(flow: Flow, bytes: number): void;
  /** A client has connected, and others may wait behind it: until no more connect, as little as possible is read. */
  connected(): void;
  leave(flow: Flow): void;
}

/**
 * The event loop accepts one new connection a round, and reads up to 2 MB from every other one. With a hundred large bodies
 * a round took 0.4 s, and a client that connected behind them waited for a hundred rounds; this much takes about 1 ms.
 */
const ROUND_BYTES = 512 * 1024;
/** A resumed flow delivers at least this much. */
const PIECE_BYTES = 64 * 1024;

export function createPace(nextRound: (begin: () => void) => void = setImmediate): Pace {
  const waiting = new Set<Flow>();
  let roundBytes = 0;
  let mayBytes = ROUND_BYTES;
  let hasConnected = false;
  let isBegun = false;

  const begin = (): void => {
    isBegun = true;
    nextRound(() => {
      isBegun = false;
      roundBytes = 0;
      mayBytes = hasConnected ? PIECE_BYTES : ROUND_BYTES;
      hasConnected = false;
      let resumedBytes = 0;
      for (const flow of waiting) {
        if (resumedBytes >= mayBytes) break;
        resumedBytes += PIECE_BYTES;
        waiting.delete(flow);
        flow.resume();
      }
      if (waiting.size > 0) begin();
    });
  };

  return {
    came(flow, bytes) {
      roundBytes += bytes;
      if (!isBegun) begin();
      if (roundBytes < mayBytes) return;
      flow.pause();
      waiting.add(flow);
    },
    connected() {
      hasConnected = true;
      if (!isBegun) begin();
    },
    leave: (flow) => void waiting.delete(flow),
  };
}
