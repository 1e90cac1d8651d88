import type { Cutter } from "./cutter.ts";
import { createProseCutter } from "./prose-cutter.ts";

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
