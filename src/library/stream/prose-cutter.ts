import type { Cutter } from "./cutter.ts";
import { createFenceTracker } from "./fence-tracker.ts";
import { isSentenceEnd } from "./sentence-end.ts";

/** A sentence has at least so many characters, counted without the blanks before it. */
const LEAST_SENTENCE_CHARACTERS = 40;
/** A paragraph that a blank line ends has at least so many. */
const LEAST_PARAGRAPH_CHARACTERS = 15;

/** A word's last characters are enough to see how it ends; what is longer is no abbreviation. */
const TAIL_CHARACTERS = 24;
const BLANK = /\s/;
/** Full stops that no blank follows. */
const WIDE_END = /[。！？；：]/;
const WIDE_CLOSER = /[」』）】〉》”’"')\]。！？；：]/;

/**
 * Cuts before the blank that follows a sentence or a paragraph. A word is judged when the blank after it arrives and never
 * earlier, so decimals, versions and addresses stay whole, and nothing depends on where a chunk ended.
 */
export function createProseCutter(): Cutter {
  const fences = createFenceTracker();
  /** Characters since the last cut; those up to the first and the last that are no blanks. */
  let length = 0;
  let begin = -1;
  let end = 0;
  let tail = "";
  let isAfterWideEnd = false;
  let lineFeeds = 0;

  const cut = (ready: number): number => {
    length -= ready;
    begin = -1;
    end = 0;
    return ready;
  };

  const stepBlank = (character: string): number => {
    const isEnd = tail !== "" && isSentenceEnd(tail, fences.line());
    const isFree = !fences.isCode();
    const size = begin < 0 ? 0 : end - begin;
    tail = "";
    if (character === "\n") lineFeeds++;
    fences.step(character);
    const isParagraph = lineFeeds > 1 && size >= LEAST_PARAGRAPH_CHARACTERS;
    length++;
    if (isFree && begin >= 0 && (isParagraph || (isEnd && size >= LEAST_SENTENCE_CHARACTERS))) return cut(end);
    return 0;
  };

  const stepInk = (character: string): number => {
    const isWide = isAfterWideEnd && !WIDE_CLOSER.test(character) && !fences.isCode();
    const isReady = isWide && begin >= 0 && end - begin >= LEAST_SENTENCE_CHARACTERS;
    isAfterWideEnd = WIDE_END.test(character) || (isAfterWideEnd && WIDE_CLOSER.test(character));
    lineFeeds = 0;
    tail = (tail + character).slice(-TAIL_CHARACTERS);
    fences.step(character);
    length++;
    const ready = isReady ? cut(end) : 0;
    if (begin < 0) begin = length - 1;
    end = length;
    return ready;
  };

  return {
    step: (character) => {
      if (!BLANK.test(character)) return stepInk(character);
      const ready = stepBlank(character);
      isAfterWideEnd = false;
      return ready;
    },
  };
}
