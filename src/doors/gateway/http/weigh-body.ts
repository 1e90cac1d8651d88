/** How a text weighs once it is parsed, in bytes: measured over bodies of any shape, and rather too much than too little. */
const PER_BYTE = 2;
/** An object of a few bytes becomes a message or a block with a name of its own. */
const PER_OPENER = 700;
const PER_SEPARATOR = 160;

const SAMPLES = 32;
const SAMPLE_BYTES = 256;

/**
 * About what a body will take of the heap while it is read. Three bytes of it can become six hundred, or two: what counts is how
 * many things it says, and that is told from pieces of it, taken where nobody knows beforehand.
 */
export function estimateParsedBytes(body: Buffer, random: () => number = Math.random): number {
  const pieces = listPieces(body, random);
  const looked = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const things = pieces.reduce((sum, piece) => sum + weighThings(piece), 0);
  return Math.ceil(body.length * PER_BYTE + (looked === 0 ? 0 : (things / looked) * body.length));
}

function listPieces(body: Buffer, random: () => number): readonly Buffer[] {
  if (body.length <= SAMPLES * SAMPLE_BYTES) return [body];
  const step = body.length / SAMPLES;
  return Array.from({ length: SAMPLES }, (_, index) => {
    const from = Math.floor(index * step + random() * Math.max(0, step - SAMPLE_BYTES));
    return body.subarray(from, from + SAMPLE_BYTES);
  });
}

function weighThings(piece: Buffer): number {
  let weight = 0;
  for (let index = 0; index < piece.length; index++) {
    const byte = piece[index];
    if (byte === 0x7b || byte === 0x5b) weight += PER_OPENER;
    else if (byte === 0x2c || byte === 0x3a) weight += PER_SEPARATOR;
  }
  return weight;
}
