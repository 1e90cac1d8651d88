/** Bytes that belong together, copied off the chunks they came in. */
export interface CutFrame {
  readonly raw: Uint8Array;
  readonly isPartial: boolean;
}

export interface FrameCutter {
  feed(bytes: Uint8Array): readonly CutFrame[];
  rest(): CutFrame;
}

const LF = 10;
const CR = 13;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** Finds the blank lines that end frames. Looks at each byte once and keeps no bytes but those of the frame it is in. */
export function createFrameCutter(maxFrameBytes: number): FrameCutter {
  let pieces: Uint8Array[] = [];
  let size = 0;
  /** Of the stream, as long as a byte order mark can still be there. */
  let bomBytes = 0;
  let isAtLineStart = true;
  let isAfterCr = false;
  let isAfterBlank = false;
  let isOversized = false;

  /** Whether a byte ends a frame: after itself, or, where a bare CR already had, before. */
  const stepByte = (byte: number): "after" | "before" | undefined => {
    if (isAfterCr) {
      isAfterCr = false;
      if (byte === LF) return isAfterBlank ? "after" : undefined;
      if (isAfterBlank) return "before";
    }
    if (byte === CR) {
      isAfterCr = true;
      isAfterBlank = isAtLineStart;
      isAtLineStart = true;
    } else if (byte === LF) {
      bomBytes = BOM.length;
      if (isAtLineStart) return "after";
      isAtLineStart = true;
    } else if (bomBytes < BOM.length && byte === BOM[bomBytes]) {
      // A mark is no part of the first line; half a mark is.
      bomBytes++;
      isAtLineStart = bomBytes === BOM.length;
      return undefined;
    } else isAtLineStart = false;
    bomBytes = BOM.length;
    return undefined;
  };

  const take = (isPartial: boolean): CutFrame => {
    const raw = joinBytes(pieces, size);
    pieces = [];
    size = 0;
    return { raw, isPartial: isPartial || isOversized };
  };

  const keep = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    pieces.push(piece.slice());
    size += piece.length;
  };

  const feed = (bytes: Uint8Array): readonly CutFrame[] => {
    const frames: CutFrame[] = [];
    let from = 0;
    const cutAt = (end: number, isPartial: boolean): void => {
      keep(bytes.subarray(from, end));
      from = end;
      if (size > 0) frames.push(take(isPartial));
      isOversized = isPartial;
    };
    const endFrame = (end: number): void => {
      cutAt(end, false);
      isAtLineStart = true;
      isAfterBlank = false;
    };
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      let ended = stepByte(byte);
      if (ended === "before") {
        endFrame(index);
        ended = stepByte(byte);
      }
      if (ended === "after") endFrame(index + 1);
      else if (size + index + 1 - from >= maxFrameBytes) cutAt(index + 1, true);
    }
    keep(bytes.subarray(from));
    return frames;
  };

  return {
    feed,
    // A blank line that a bare CR ended is complete when nothing follows it any more.
    rest: () => take(!(isAfterCr && isAfterBlank)),
  };
}

function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
