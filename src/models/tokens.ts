import type { Block, ImageBlock, ImagePart, Message, ResultPart } from "../core/message.ts";
import { computeOnce, renderInput } from "../core/message.ts";
import { findModel } from "./find-model.ts";
import { countLexemes, type LexicalCounts } from "./lexical.ts";
import type { Tokenizer } from "./model-row.ts";

export type { Tokenizer } from "./model-row.ts";

export function tokenizerOf(model: string): Tokenizer {
  return findModel(model).tokenizer;
}

/**
 * Tokens per lexical feature, fitted to the growth of recorded requests (`npm run lab -- bench fit`): over recorded tool results of 3,000
 * characters and more the median error is 4 %, half of what the best single ratio of tokens to characters gives.
 */
const SEED_WEIGHTS: Readonly<Record<Tokenizer, LexicalCounts>> = {
  classic: {
    words: 0.5,
    letters: 0.11,
    digits: 0.8,
    marks: 0.09,
    markRuns: 1.01,
    lines: 1.16,
    spaces: 0.13,
    spaceRuns: 0,
    wide: 1.1,
    other: 0.7,
  },
  dense: {
    words: 0.98,
    letters: 0.14,
    digits: 0.65,
    marks: 0.18,
    markRuns: 1.23,
    lines: 1.58,
    spaces: 0.11,
    spaceRuns: -0.07,
    wide: 1.1,
    other: 0.93,
  },
};

/** Error of a single estimate, as a share of it: 95 % of recorded results are within. */
export const SEED_ERROR = 0.24;

/** Characters of a thinking block's signature per token of its thinking. */
const SIGNATURE_CHARS_PER_TOKEN: Readonly<Record<Tokenizer, number>> = { classic: 5.4, dense: 4.7 };

const DEFAULT_IMAGE_TOKENS = 1500;
/** A reference loads the schema of a deferred tool; the client's own are larger than the 356 tokens of a mean MCP tool. */
const TOKENS_PER_TOOL_SCHEMA = 800;
const TOKENS_PER_CALL = 75;
const TOKENS_PER_RESULT = 16;

export function estimateTextTokens(text: string, tokenizer: Tokenizer): number {
  const counts = countLexemes(text);
  const weights = SEED_WEIGHTS[tokenizer];
  return (
    counts.words * weights.words +
    counts.letters * weights.letters +
    counts.digits * weights.digits +
    counts.marks * weights.marks +
    counts.markRuns * weights.markRuns +
    counts.lines * weights.lines +
    counts.spaces * weights.spaces +
    counts.spaceRuns * weights.spaceRuns +
    counts.wide * weights.wide +
    counts.other * weights.other
  );
}

/** Only the content of a block, without its frame. Counted once, because a block is weighed by the meter, by a price and by a plan. */
export function estimateBlockTokens(block: Block, tokenizer: Tokenizer): number {
  return estimateOnce[tokenizer](block);
}

const estimateOnce: Readonly<Record<Tokenizer, (block: Block) => number>> = {
  classic: computeOnce((block) => estimateContent(block, "classic")),
  dense: computeOnce((block) => estimateContent(block, "dense")),
};

function estimateContent(block: Block, tokenizer: Tokenizer): number {
  switch (block.kind) {
    case "text":
      return estimateTextTokens(block.text, tokenizer);
    case "toolCall":
      return estimateTextTokens(renderInput(block), tokenizer);
    case "toolResult":
      return block.parts.reduce((total, part) => total + estimatePartTokens(part, tokenizer), 0);
    case "thinking":
      return block.signature === ""
        ? estimateTextTokens(block.text, tokenizer)
        : block.signature.length / SIGNATURE_CHARS_PER_TOKEN[tokenizer];
    case "image":
      return estimateImageTokens(block);
    case "opaque":
      return estimateTextTokens(JSON.stringify(block.raw), tokenizer);
  }
}

function estimatePartTokens(part: ResultPart, tokenizer: Tokenizer): number {
  if (part.kind === "text") return estimateTextTokens(part.text, tokenizer);
  if (part.kind === "image") return estimateImageTokens(part);
  if (part.raw.type === "tool_reference") return TOKENS_PER_TOOL_SCHEMA;
  return estimateTextTokens(JSON.stringify(part.raw), tokenizer);
}

/** A whole message with its frames, if nothing better was measured. Callers that meet the same blocks in several messages pass a caching `weigh`. */
export function estimateMessageTokens(
  message: Message,
  tokenizer: Tokenizer,
  weigh: typeof estimateBlockTokens = estimateBlockTokens,
): number {
  return message.blocks.reduce((total, block) => {
    const frame = block.kind === "toolCall" ? TOKENS_PER_CALL : block.kind === "toolResult" ? TOKENS_PER_RESULT : 4;
    return total + frame + weigh(block, tokenizer);
  }, 0);
}

/** Estimates for names and prose are at most this much too low, so budgets add this margin. */
const MARGIN = 1.1;

/** Upper bound of a text's tokens for every tokenizer. Its lines weigh together at least as much as the whole, so shares of a budget can be weighed alone. */
export function weighText(text: string): number {
  return MARGIN * Math.max(estimateTextTokens(text, "classic"), estimateTextTokens(text, "dense"));
}

/** Width times height over 750, after the provider has scaled it down; a PNG has its size in its first bytes. */
function estimateImageTokens(image: ImageBlock | ImagePart): number {
  const size = readPngSize(image);
  if (!size) return DEFAULT_IMAGE_TOKENS;
  const longest = Math.max(size.width, size.height);
  const scale = longest > 1568 ? 1568 / longest : 1;
  return Math.min(1600, (size.width * scale * size.height * scale) / 750);
}

function readPngSize(image: ImageBlock | ImagePart): { readonly width: number; readonly height: number } | undefined {
  const source = image.raw.source;
  const data = typeof source === "object" && source !== null && "data" in source ? source.data : undefined;
  if (typeof data !== "string" || !data.startsWith("iVBORw0KGgo")) return undefined;
  // Bytes 16 to 23 of a PNG are its width and height; in base64 they are within characters 20 to 32.
  const bytes = decodeBase64(data.slice(20, 32));
  const read = (from: number): number => bytes.slice(from, from + 4).reduce((value, byte) => value * 256 + byte, 0);
  const size = { width: read(1), height: read(5) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function decodeBase64(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let index = 0; index + 3 < text.length; index += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = [...text.slice(index, index + 4)].map((letter) => BASE64.indexOf(letter));
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return bytes;
}
