import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

const PRIVATE = 0o600;

/** Appends in one write, so that sixty processes at once leave sixty lines. Loads nothing else, for hooks. */
export function appendLine(file: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = openSync(file, flags, PRIVATE);
  try {
    writeSync(handle, text);
  } finally {
    closeSync(handle);
  }
}

export interface Tail {
  readonly bytes: Buffer;
  readonly from: number;
  readonly size: number;
}

/** At most so many bytes from the end of a file, and none before an offset. */
export function readTail(file: string, maxBytes: number, notBefore = 0): Tail {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(handle);
    const from = Math.max(0, size - maxBytes, Math.min(notBefore, size));
    const bytes = Buffer.allocUnsafe(size - from);
    let got = 0;
    while (got < bytes.length) {
      const read = readSync(handle, bytes, got, bytes.length - got, from + got);
      if (read === 0) break;
      got += read;
    }
    return { bytes: bytes.subarray(0, got), from, size };
  } finally {
    closeSync(handle);
  }
}

interface NewLines {
  readonly text: string;
  /** After the last whole line. */
  readonly nextOffset: number;
  /** The file continues from where it was; one that became shorter is a different file. */
  readonly isSame: boolean;
}

/** The whole lines since an offset, as far as they are among the last so many bytes. */
export function readNewLines(file: string, maxBytes: number, offset: number): NewLines {
  const { bytes, from, size } = readTail(file, maxBytes, offset);
  if (size < offset) return { ...readNewLines(file, maxBytes, 0), isSame: false };
  const start = from === offset ? 0 : bytes.indexOf(10) + 1;
  const end = bytes.lastIndexOf(10) + 1;
  return { text: bytes.toString("utf8", start, Math.max(start, end)), nextOffset: from + end, isSame: true };
}
