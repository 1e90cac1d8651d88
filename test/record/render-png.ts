import { crc32, deflateSync } from "node:zlib";

type Color = readonly [red: number, green: number, blue: number];

const BLUE: Color = [0, 91, 187];
const YELLOW: Color = [255, 213, 0];

/** A square flag, blue above yellow, as a whole PNG file. */
export function renderFlagPng(sidePixels: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePixels, 0);
  header.writeUInt32BE(sidePixels, 4);
  // Eight bits per channel, red green blue; the other three fields are zero.
  header.set([8, 2], 8);
  const rows = Array.from({ length: sidePixels }, (_, row) =>
    renderRow(row < sidePixels / 2 ? BLUE : YELLOW, sidePixels),
  );
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    renderChunk("IHDR", header),
    renderChunk("IDAT", deflateSync(Buffer.concat(rows))),
    renderChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Each row begins with its filter; 0 is none. */
function renderRow(color: Color, pixels: number): Buffer {
  return Buffer.from([0, ...Array.from({ length: pixels }, () => color).flat()]);
}

function renderChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
