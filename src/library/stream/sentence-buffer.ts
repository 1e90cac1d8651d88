/** Where a text may be cut, told character by character; a cutter sees every character once, whatever the chunks. */
interface Cutter {
  /** Takes the next character; how many characters of what is kept are ready, this one included or not; 0 for none. */
  step(character: string): number;
}

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
function createProseCutter(): Cutter {
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

  return { step: (character) => (BLANK.test(character) ? stepBlank(character) : stepInk(character)) };
}

/** Signs that end a sentence, with what may close after them: quotes, brackets, emphasis. */
const END = /[.!?;:。！？；：]["'”’»)\]}*_~」』）】]*$/;
const OPENERS = /^["'“‘«([{*_~]+/;
const CLOSERS = /["'”’»)\]}*_~]+$/;

/** Only those that hardly ever end a sentence: a boundary that is missed costs a moment, "The answer is no." would cost a sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "e.g. i.e. eg. ie. etc. vs. cf. approx. ca. resp. incl. excl. esp. fig. figs. eq. pp. dr. mr. mrs. ms. prof. z.b. d.h. bzw.".split(
    " ",
  ),
);

/** `J.`, `U.S.`, `a.m.`: letters with a full stop after each. */
const INITIALS = /^(?:\p{L}\.)+$/u;
/** `1.`, `a.`, `## 2.`, `> 3:` as all that a line has so far: what follows is the item. */
const LIST_MARKER = /^[\s>#*_+-]*(?:\d{1,3}|[A-Za-z])[.:]$/;

/** Whether a word ends its sentence, judged by its last characters and by its line so far (this word included). */
function isSentenceEnd(word: string, line: string): boolean {
  if (!END.test(word)) return false;
  const bare = word.replace(OPENERS, "").replace(CLOSERS, "");
  if (ABBREVIATIONS.has(bare.toLowerCase()) || INITIALS.test(bare)) return false;
  return !LIST_MARKER.test(line);
}

/** Follows lines of Markdown and knows whether the place reached is inside code. */
interface FenceTracker {
  step(character: string): void;
  /** Inside a fence, on a line that opens or closes one, or after an odd number of backticks on the line. */
  isCode(): boolean;
  /** The line so far, at most as much of it as can matter. */
  line(): string;
}

/** Fences stand at the beginning of a line, after quotation marks and list markers. */
const LINE_CHARACTERS = 64;
const OPENING = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})/;
const CLOSING = /^[\s>]*(`{3,}|~{3,})\s*$/;

function createFenceTracker(): FenceTracker {
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
    step: (character) => {
      if (character === "\n") return endLine();
      if (lineLength < LINE_CHARACTERS) line += character;
      lineLength++;
      if (character === "`") backticks++;
    },
    isCode: () => fence !== "" || backticks % 2 === 1 || findOpening() !== "",
    line: () => (lineLength <= LINE_CHARACTERS ? line : ""),
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
  /** What became complete with this chunk. All pieces in a row, with the flushed one, are the input. */
  feed(chunk: string): readonly string[];
  /** What is left, as one piece; the buffer is as new afterwards. */
  flush(): readonly string[];
}

const SHORT_REPLY_CHARACTERS = 100;

const CUTTERS: Readonly<Record<StreamMode, () => Cutter>> = {
  prose: createProseCutter,
  json: createJsonCutter,
  code: () => ({ step: () => 0 }),
};

/** Gives a streamed reply sentence by sentence. Any chunking of a text gives the same sentences. */
export function createSentenceBuffer(options: SentenceBufferOptions = {}): SentenceBuffer {
  const { mode = "prose", shortReplyCharacters = mode === "prose" ? SHORT_REPLY_CHARACTERS : 0 } = options;
  if (!Object.hasOwn(CUTTERS, mode))
    throw new TypeError(`mode takes ${Object.keys(CUTTERS).join(", ")}, not "${mode}": leave it out for prose`);
  if (!(shortReplyCharacters >= 0))
    throw new TypeError(`shortReplyCharacters takes a number of at least 0, not ${shortReplyCharacters}`);
  let cutter = CUTTERS[mode]();
  let total = 0;
  let kept = "";
  /** Complete, but the reply may still turn out to be short. */
  let held: string[] = [];

  const feed = (chunk: string): readonly string[] => {
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const ready = cutter.step(chunk.charAt(index));
      if (ready === 0) continue;
      // `kept` is only looked into when something is cut off it: until then appending to it costs nothing.
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

/** Cuts after the brace or bracket that closes a value at the top; whatever stands between values goes with the next one. */
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

  return {
    step: (character) => {
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
    },
  };
}
