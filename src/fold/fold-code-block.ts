import type { CodeBlock } from "./code-blocks.ts";
import { type FoldedOutput, type FoldOutputOptions, foldOutput } from "./fold-output.ts";

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
