/** Reuses memory for large bodies: fresh memory for 5 MB would trigger a full garbage collection with every other request. */
export interface BodyPool {
  /** A buffer of exactly so many bytes with arbitrary content, held once. */
  take(bytes: number): Buffer;
  /** Adds a holder. No effect on a buffer from elsewhere. */
  hold(body: Buffer): void;
  /** Removes a holder. After the last one the memory is reused for another body; a forgotten release only costs a garbage collection. */
  release(body: Buffer): void;
}

/** The pieces as one body, which the caller releases: a thousand small writes take longer than one copy. */
export function gather(pieces: readonly Buffer[], pool: BodyPool): Buffer {
  const body = pool.take(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(body, at);
  return body;
}

/** Smaller buffers are cheap to allocate. */
const LEAST_BYTES = 128 * 1024;
/** Free memory beyond this is given back, and so is a buffer that is larger than `MAX_SHARE` of it. */
const MAX_FREE_BYTES = 64 * 1024 * 1024;
const MAX_SHARE = 0.25;

export function createBodyPool(maxFreeBytes: number = MAX_FREE_BYTES): BodyPool {
  /** Least recently used first: a conversation leaves sizes behind that are not needed again. */
  const free: ArrayBuffer[] = [];
  const holders = new WeakMap<Buffer, number>();
  let freeBytes = 0;
  const takeFree = (size: number): ArrayBuffer | undefined => {
    const index = free.findLastIndex(({ byteLength }) => byteLength === size);
    if (index < 0) return undefined;
    freeBytes -= size;
    return free.splice(index, 1)[0];
  };
  return {
    take(bytes) {
      if (bytes < LEAST_BYTES) return Buffer.allocUnsafeSlow(bytes);
      const size = roundUp(bytes);
      const body = Buffer.from(takeFree(size) ?? new ArrayBuffer(size), 0, bytes);
      holders.set(body, 1);
      return body;
    },
    hold(body) {
      const count = holders.get(body);
      if (count !== undefined) holders.set(body, count + 1);
    },
    release(body) {
      const count = holders.get(body);
      if (count === undefined) return;
      if (count > 1) return void holders.set(body, count - 1);
      holders.delete(body);
      const { buffer } = body;
      if (!(buffer instanceof ArrayBuffer) || buffer.byteLength > maxFreeBytes * MAX_SHARE) return;
      free.push(buffer);
      freeBytes += buffer.byteLength;
      while (freeBytes > maxFreeBytes) freeBytes -= free.shift()?.byteLength ?? 0;
    },
  };
}

/** Four sizes per doubling: the next body of a conversation is a little larger than the last, and mostly fits. */
function roundUp(bytes: number): number {
  const step = 2 ** (Math.floor(Math.log2(bytes)) - 2);
  return Math.ceil(bytes / step) * step;
}
