export interface Import {
  readonly target: string;
  readonly line: number;
}

/** What an instruction file imports with `@path`, outside of code. */
export function listImports(text: string): readonly Import[] {
  const found: Import[] = [];
  let isInFence = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence;
    if (isInFence) continue;
    for (const [, target = ""] of line.replace(/`[^`]*`/g, "").matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[^\s@]+)/g)) {
      const clean = target.replace(/[.,;:)]+$/, "");
      if (/[./]/.test(clean)) found.push({ target: clean, line: index + 1 });
    }
  }
  return found;
}
