import { type CodeBlock, findCodeBlocks } from "./code-blocks.ts";
import { type FoldedOutput, type FoldOutputOptions, foldOutput } from "./fold-output.ts";
import { DEFAULT_LIMITS, MEMBER_BUDGET } from "./thresholds.ts";

export interface FoldedBlock extends FoldedOutput {
  /** The message with the block's marker in its place. */
  readonly message: string;
  /** The block itself, fences included: what has to be stored. */
  readonly original: string;
}

/** A long block inside a message makes room for its outline; the words around it stay. */
export function foldCodeBlock(message: string, block: CodeBlock, options: FoldOutputOptions = {}): FoldedBlock {
  const original = message.slice(block.from, block.to);
  const path = block.language === "" ? undefined : `block.${block.language}`;
  const folded = foldOutput(original, { tool: "code block", path }, options);
  const feed = original.endsWith("\n") ? "\n" : "";
  return { ...folded, original, message: message.slice(0, block.from) + folded.text + feed + message.slice(block.to) };
}

/** Every block of more than 200 lines by a small outline of itself, without a way back of its own: the caller has the whole message. */
export function foldCodeBlocks(message: string): { readonly message: string; readonly blocks: number } {
  const { codeBlockLines, leastCharacters } = DEFAULT_LIMITS;
  if (message.length <= Math.max(codeBlockLines, leastCharacters)) return { message, blocks: 0 };
  const long = findCodeBlocks(message).filter(
    ({ lines, from, to }) => lines > codeBlockLines && to - from >= leastCharacters,
  );
  // From the end, so that the places of those before stay true.
  const folded = long.reduceRight(
    (text, block) => foldCodeBlock(text, block, { budget: MEMBER_BUDGET, hasHandle: false }).message,
    message,
  );
  return { message: folded, blocks: long.length };
}
