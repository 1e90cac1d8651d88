/** Somebody whose bytes come as long as nobody pauses it. */
export interface Flow {
  pause(): unknown;
  resume(): unknown;
}

/** Has all bodies together read no faster than everybody else can be served in between. */
export interface Pace {
  /** So many bytes of it came; it pauses where this round of the loop has had its fill. */
  came(flow: Flow, bytes: number): void;
  /** Somebody has connected, and others may wait behind: until nobody comes any more as little is read as can be. */
  connected(): void;
  /** Nobody reads it any more. */
  leave(flow: Flow): void;
}

/**
 * The loop takes one new connection a round, and reads up to 2 MB from every other one in it. Of a hundred that have megabytes to say a
 * round took 0.4 s, and whoever connected behind them waited for a hundred rounds; so much takes about a millisecond.
 */
const ROUND_BYTES = 512 * 1024;
/** Of whoever is resumed at least so much comes. */
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
