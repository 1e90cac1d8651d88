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

/** A fenced block inside a message: from its opening fence to its closing one, in characters. */
export interface CodeBlock {
  readonly from: number;
  readonly to: number;
  /** Lines between the fences. */
  readonly lines: number;
  readonly language: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,40})/;

/** The fenced blocks of a text, in order. A block that is never closed reaches to the end. */
export function findCodeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    | { readonly from: number; readonly fence: string; readonly language: string; readonly line: number }
    | undefined;
  let line = 0;
  for (let from = 0; from < text.length; line++) {
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed + 1;
    const fence = FENCE.exec(text.slice(from, Math.min(end, from + 80)));
    if (fence && !open) open = { from, fence: fence[1] ?? "", language: fence[2] ?? "", line };
    else if (fence && open && closes(fence[1] ?? "", open.fence) && fence[2] === "") {
      blocks.push({ from: open.from, to: end, lines: line - open.line - 1, language: open.language });
      open = undefined;
    }
    from = end;
  }
  if (open) blocks.push({ from: open.from, to: text.length, lines: line - open.line - 1, language: open.language });
  return blocks;
}

/** The same mark, at least as long. */
function closes(fence: string, opening: string): boolean {
  return fence[0] === opening[0] && fence.length >= opening.length;
}
