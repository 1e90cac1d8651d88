/** A block of code in a document. */
export interface CodeBlock {
  /** Where its first line stands, from 1. */
  readonly line: number;
  /** Empty where the fence names none, and for a block that is set in by four spaces. */
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a document, and those that are set in behind an empty line. */
export function listCodeBlocks(document: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    | { readonly line: number; readonly language: string; readonly isFenced: boolean; lines: string[] }
    | undefined;
  let before = "";
  const close = (): void => {
    if (open) blocks.push({ line: open.line, language: open.language, text: open.lines.join("\n") });
    open = undefined;
  };
  for (const [index, line] of document.split("\n").entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (fence && open?.isFenced) close();
    else if (open?.isFenced) open.lines.push(line);
    else if (fence) {
      close();
      open = { line: index + 2, language: fence[1] ?? "", isFenced: true, lines: [] };
    } else if (line.startsWith("    ") && (open || before === "")) {
      open ??= { line: index + 1, language: "", isFenced: false, lines: [] };
      open.lines.push(line.slice(4));
    } else close();
    before = line;
  }
  close();
  return blocks;
}

/** The commands of ours in a block, without what is said of them: behind `#`, or behind two spaces and more. */
export function listCommands({ line, text }: CodeBlock): readonly { readonly line: number; readonly text: string }[] {
  return text.split("\n").flatMap((written, index) => {
    const command = /^(?:\$ )?(?:npx )?((?:[A-Z_]+=\S+(?: -d\))? )?plimsoll [^ ].*)$/.exec(written)?.[1];
    const bare = command?.replace(/(?: {2,}| +# ).*$/, "").trim();
    return bare === undefined ? [] : [{ line: line + index, text: bare }];
  });
}
