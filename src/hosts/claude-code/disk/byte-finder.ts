/** Finds a needle in a chunk of bytes; asked for rising places, it sweeps the chunk once however many lines it holds. */
export interface ByteFinder {
  /** The first occurrence at or after a place, or -1. */
  find(bytes: Buffer, from: number): number;
  /** To be called when a buffer that was asked about gets other contents. */
  forget(): void;
}

export function createByteFinder(needle: Buffer): ByteFinder {
  let known: Buffer | undefined;
  let askedFrom = 0;
  let found = -1;
  return {
    find(bytes, from) {
      if (bytes === known && from >= askedFrom && (found < 0 || found >= from)) return found;
      known = bytes;
      askedFrom = from;
      found = bytes.indexOf(needle, from);
      return found;
    },
    forget() {
      known = undefined;
    },
  };
}
