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
