/**
 * Finds where a text may be cut: takes the next character, and returns how many of the kept characters are ready, with or without this
 * one; 0 for none. It sees every character once, however the text is chunked.
 */
type Cutter = (character: string) => number;

/** Minimum length of a sentence, without the blanks before it. */
const LEAST_SENTENCE_CHARACTERS = 40;
/** Minimum length of a paragraph that ends with a blank line. */
const LEAST_PARAGRAPH_CHARACTERS = 15;

/** The end of a word is enough to see how it ends; anything longer is not an abbreviation. */
const TAIL_CHARACTERS = 24;
const BLANK = /\s/;
/** Full stops that no blank follows. */
const WIDE_END = /[。！？；：]/;
const WIDE_CLOSER = /[」』）】〉》”’"')\]。！？；：]/;

/**
 * Cuts before the blank that follows a sentence or a paragraph. A word is judged only when the blank after it arrives, so decimals,
 * versions and addresses stay whole, and the chunking makes no difference.
 */
function createProseCutter(): Cutter {
  const fences = createFenceTracker();
  /** Characters since the last cut, and up to the first and the last non-blank one. */
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
    isAfterWideEnd = false;
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

  return (character) => (BLANK.test(character) ? stepBlank(character) : stepInk(character));
}

/** Marks that end a sentence, with closing quotes, brackets or emphasis after them. */
const END = /[.!?;:。！？；：]["'”’»)\]}*_~」』）】]*$/;
const OPENERS = /^["'“‘«([{*_~]+/;
const CLOSERS = /["'”’»)\]}*_~]+$/;

/** Only those that hardly ever end a sentence: a missed boundary costs a moment, but with "no" in the list "The answer is no." would not be cut. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "e.g. i.e. eg. ie. etc. vs. cf. approx. ca. resp. incl. excl. esp. fig. figs. eq. pp. dr. mr. mrs. ms. prof. z.b. d.h. bzw.".split(
    " ",
  ),
);

/** `J.`, `U.S.`, `a.m.`: letters with a full stop after each. */
const INITIALS = /^(?:\p{L}\.)+$/u;
/** `1.`, `a.`, `## 2.`, `> 3:` alone on the line so far: the item follows. */
const LIST_MARKER = /^[\s>#*_+-]*(?:\d{1,3}|[A-Za-z])[.:]$/;

/** Whether a word ends its sentence, judged by its last characters and by its line so far, this word included. */
function isSentenceEnd(word: string, line: string): boolean {
  if (!END.test(word)) return false;
  const bare = word.replace(OPENERS, "").replace(CLOSERS, "");
  if (ABBREVIATIONS.has(bare.toLowerCase()) || INITIALS.test(bare)) return false;
  return !LIST_MARKER.test(line);
}

/** Fences come at the beginning of a line, after quotation marks and list markers. */
const LINE_CHARACTERS = 64;
const OPENING = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** Follows Markdown lines, and knows whether the current position is inside code. */
function createFenceTracker() {
  let fence = "";
  let line = "";
  let lineLength = 0;
  let backticks = 0;

  /** A backtick after the mark means code within a line: ```like this```. */
  const findOpening = (): string => {
    const mark = OPENING.exec(line)?.[1] ?? "";
    return mark.startsWith("~") || backticks === mark.length ? mark : "";
  };

  const endLine = (): void => {
    if (fence === "") fence = findOpening();
    else if (lineLength <= LINE_CHARACTERS) {
      const mark = CLOSING.exec(line)?.[1] ?? "";
      if (mark.startsWith(fence)) fence = "";
    }
    line = "";
    lineLength = 0;
    backticks = 0;
  };

  return {
    step(character: string): void {
      if (character === "\n") {
        endLine();
        return;
      }
      if (lineLength < LINE_CHARACTERS) line += character;
      lineLength++;
      if (character === "`") backticks++;
    },
    /** Inside a fence, on a line that opens or closes one, or after an odd number of backticks on the line. */
    isCode: (): boolean => fence !== "" || backticks % 2 === 1 || findOpening() !== "",
    /** The line so far, only as much as can matter. */
    line: (): string => (lineLength <= LINE_CHARACTERS ? line : ""),
  };
}

export interface SentenceBufferOptions {
  /** `json` waits for the closing brace of each value; `code` is never cut. */
  readonly mode?: StreamMode;
  /** A reply below so many characters comes whole, at the end: cutting it gains nothing. 0 cuts from the first sentence on. */
  readonly shortReplyCharacters?: number;
}

export type StreamMode = "prose" | "json" | "code";

export interface SentenceBuffer {
  /** Returns what became complete with this chunk. All pieces in order, including the flushed one, are the input. */
  feed(chunk: string): readonly string[];
  /** Returns the rest as one piece and resets the buffer. */
  flush(): readonly string[];
}

const SHORT_REPLY_CHARACTERS = 100;

const CUTTERS: Readonly<Record<StreamMode, () => Cutter>> = {
  prose: createProseCutter,
  json: createJsonCutter,
  code: () => () => 0,
};

/** Splits a streamed reply into sentences. Any chunking of a text gives the same sentences. */
export function createSentenceBuffer(options: SentenceBufferOptions = {}): SentenceBuffer {
  const { mode = "prose", shortReplyCharacters = mode === "prose" ? SHORT_REPLY_CHARACTERS : 0 } = options;
  if (!Object.hasOwn(CUTTERS, mode))
    throw new TypeError(`mode takes ${Object.keys(CUTTERS).join(", ")}, not "${mode}": leave it out for prose`);
  if (!(shortReplyCharacters >= 0))
    throw new TypeError(`shortReplyCharacters takes a number of at least 0, not ${shortReplyCharacters}`);
  let cutter = CUTTERS[mode]();
  let total = 0;
  let kept = "";
  /** Complete pieces, held back because the reply may still turn out to be short. */
  let held: string[] = [];

  const feed = (chunk: string): readonly string[] => {
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const ready = cutter(chunk.charAt(index));
      if (ready === 0) continue;
      // `kept` is only read when something is cut off it; until then appending to it costs nothing.
      kept += chunk.slice(from, index + 1);
      from = index + 1;
      held.push(kept.slice(0, ready));
      kept = kept.slice(ready);
    }
    kept += chunk.slice(from);
    total += chunk.length;
    if (total < shortReplyCharacters) return [];
    const pieces = held;
    held = [];
    return pieces;
  };

  const flush = (): readonly string[] => {
    const rest = [...held, kept].join("");
    cutter = CUTTERS[mode]();
    total = 0;
    kept = "";
    held = [];
    return rest === "" ? [] : [rest];
  };
  return { feed, flush };
}

/** Cuts after the brace or bracket that closes a top-level value. Anything between values goes with the next one. */
function createJsonCutter(): Cutter {
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const stepInString = (character: string): void => {
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = true;
    else if (character === '"') isInString = false;
  };

  return (character) => {
    length++;
    if (isInString) stepInString(character);
    else if (character === '"') isInString = depth > 0;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && depth > 0 && --depth === 0) {
      const ready = length;
      length = 0;
      return ready;
    }
    return 0;
  };
}
