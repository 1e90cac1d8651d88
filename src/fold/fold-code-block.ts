import { type FoldedOutput, type FoldOutputOptions, foldOutput } from "./fold-output.ts";
import { DEFAULT_LIMITS, MEMBER_BUDGET } from "./thresholds.ts";

export interface FoldedBlock extends FoldedOutput {
  readonly message: string;
  /** The block including its fences, which has to be stored. */
  readonly original: string;
}

/** Replaces a long code block in a message with its outline; the text around it stays. */
export function foldCodeBlock(message: string, block: CodeBlock, options: FoldOutputOptions = {}): FoldedBlock {
  const original = message.slice(block.from, block.to);
  const path = block.language === "" ? undefined : `block.${block.language}`;
  const folded = foldOutput(original, { tool: "code block", path }, options);
  const feed = original.endsWith("\n") ? "\n" : "";
  return { ...folded, original, message: message.slice(0, block.from) + folded.text + feed + message.slice(block.to) };
}

/** Replaces every block of more than 200 lines with a small outline. The outlines have no handle of their own: the caller has the whole message. */
export function foldCodeBlocks(message: string): { readonly message: string; readonly blocks: number } {
  const long = findLongBlocks(message);
  // From the end, so that the positions of earlier blocks stay valid.
  const folded = long.reduceRight(
    (text, block) => foldCodeBlock(text, block, { budget: MEMBER_BUDGET, hasHandle: false }).message,
    message,
  );
  return { message: folded, blocks: long.length };
}

export function findLongBlocks(message: string): readonly CodeBlock[] {
  const { codeBlockLines, leastCharacters } = DEFAULT_LIMITS;
  if (message.length < leastCharacters) return [];
  return findCodeBlocks(message).filter(
    ({ lines, from, to }) => lines > codeBlockLines && to - from >= leastCharacters,
  );
}

/** A fenced block inside a message; positions in characters, fences included. */
export interface CodeBlock {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
  readonly language: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,40})/;

/** The fenced blocks of a text, in order. An unclosed block reaches to the end. */
export function findCodeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { from: number; fence: string; language: string; line: number } | undefined;
  let line = 0;
  for (let from = 0; from < text.length; line++) {
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed + 1;
    const fence = FENCE.exec(text.slice(from, Math.min(end, from + 80)));
    if (fence && !open) open = { from, fence: fence[1] ?? "", language: fence[2] ?? "", line };
    // A block ends with the same character, at least as often.
    else if (fence && open && fence[1]?.startsWith(open.fence) && fence[2] === "") {
      blocks.push({ from: open.from, to: end, lines: line - open.line - 1, language: open.language });
      open = undefined;
    }
    from = end;
  }
  if (open) blocks.push({ from: open.from, to: text.length, lines: line - open.line - 1, language: open.language });
  return blocks;
}
