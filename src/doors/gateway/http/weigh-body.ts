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
  const { length } = body;
  if (length <= SAMPLES * SAMPLE_BYTES) return length * PER_BYTE + weighThings(body, 0, length);
  const step = length / SAMPLES;
  let things = 0;
  for (let index = 0; index < SAMPLES; index++) {
    const from = Math.floor(index * step + random() * Math.max(0, step - SAMPLE_BYTES));
    things += weighThings(body, from, from + SAMPLE_BYTES);
  }
  return Math.ceil(length * PER_BYTE + (things / (SAMPLES * SAMPLE_BYTES)) * length);
}

function weighThings(body: Buffer, from: number, to: number): number {
  let weight = 0;
  for (let index = from; index < to; index++) {
    const byte = body[index];
    if (byte === 0x7b || byte === 0x5b) weight += PER_OPENER;
    else if (byte === 0x2c || byte === 0x3a) weight += PER_SEPARATOR;
  }
  return weight;
}
