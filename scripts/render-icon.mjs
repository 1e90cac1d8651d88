// Draws the plugins' icon, a Plimsoll mark: a circle crossed by the load line. `node scripts/render-icon.mjs`, the same bytes
// every time.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const SIDE = 512;
/** Samples per pixel and direction: what smooths the edges. */
const SAMPLES = 4;
const HULL = [11, 57, 84];
const PAINT = [255, 255, 255];

const CIRCLE = { x: 256, y: 256, outer: 150, inner: 112 };
const LINE = { left: 56, right: 456, top: 237, bottom: 275 };

function isPainted(x, y) {
  const distance = Math.hypot(x - CIRCLE.x, y - CIRCLE.y);
  const isOnRing = distance <= CIRCLE.outer && distance >= CIRCLE.inner;
  const isOnLine = x >= LINE.left && x <= LINE.right && y >= LINE.top && y <= LINE.bottom;
  return isOnRing || isOnLine;
}

function coverage(column, row) {
  let painted = 0;
  for (let down = 0; down < SAMPLES; down++)
    for (let along = 0; along < SAMPLES; along++)
      if (isPainted(column + (along + 0.5) / SAMPLES, row + (down + 0.5) / SAMPLES)) painted++;
  return painted / SAMPLES ** 2;
}

/** Each row begins with its filter; 0 is none. */
function renderRow(row) {
  const bytes = [0];
  for (let column = 0; column < SIDE; column++) {
    const share = coverage(column, row);
    for (const [index, hull] of HULL.entries()) bytes.push(Math.round(hull + (PAINT[index] - hull) * share));
  }
  return Buffer.from(bytes);
}

function renderChunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

function renderIcon() {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // Eight bits per channel, red green blue; the other three fields are zero.
  header.set([8, 2], 8);
  const rows = Array.from({ length: SIDE }, (_, row) => renderRow(row));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    renderChunk("IHDR", header),
    renderChunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    renderChunk("IEND", Buffer.alloc(0)),
  ]);
}

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const icon = renderIcon();
for (const plugin of ["plugin", "plugin-classic"]) {
  const folder = path.join(root, plugin, ".claude-plugin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "icon.png"), icon);
}
