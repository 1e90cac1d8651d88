import type { Assertion, PatternFlags, PatternNode } from "./parse-pattern.ts";

/** What to do at one place of a program; `next` and `other` are places. */
export type Instruction =
  | { readonly kind: "take"; isTaken(code: number): boolean; readonly next: number }
  | { readonly kind: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly next: number; readonly other: number }
  | { readonly kind: "match" };

/** A repetition is written out as often as it may occur: a pattern that grows beyond this is none that anybody means. */
const MAX_INSTRUCTIONS = 400;

/** From the end of the text to its beginning, so that every instruction knows the next one. `undefined` for what is too large. */
export function compilePattern(tree: PatternNode, flags: PatternFlags): readonly Instruction[] | undefined {
  if (countInstructions(tree) > MAX_INSTRUCTIONS) return undefined;
  const program: Instruction[] = [{ kind: "match" }];
  const add = (instruction: Instruction): number => program.push(instruction) - 1;
  const write = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case "atom":
        return add({ kind: "take", isTaken: createTaker(node.source, flags), next });
      case "assert":
        return add({ kind: "assert", what: node.what, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => write(part, after), next);
      case "either":
        return node.options
          .map((option) => write(option, next))
          .reduceRight((other, start) => add({ kind: "split", next: start, other }));
      case "repeat":
        return writeRepeat(node, next);
    }
  };
  const writeRepeat = ({ part, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number => {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = add({ kind: "split", next, other: next });
      program[loop] = { kind: "split", next: write(part, loop), other: next };
      start = loop;
    } else
      for (let count = least; count < most; count++)
        start = add({ kind: "split", next: write(part, start), other: next });
    for (let count = 0; count < least; count++) start = write(part, start);
    return start;
  };
  const start = write(tree, 0);
  // Where a program begins is where its last instruction leads.
  add({ kind: "split", next: start, other: start });
  return program;
}

function countInstructions(node: PatternNode): number {
  switch (node.kind) {
    case "atom":
    case "assert":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + countInstructions(part), 0);
    case "either":
      return node.options.reduce((sum, option) => sum + 1 + countInstructions(option), 0);
    case "repeat": {
      const times = node.most === Number.POSITIVE_INFINITY ? node.least + 1 : Math.max(node.least, node.most);
      return times * (1 + countInstructions(node.part));
    }
  }
}

/** Whether one character is meant: asked of the language's own expressions, once for each, since letters have many cases. */
function createTaker(source: string, flags: PatternFlags): (code: number) => boolean {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const isTaken = expression.test(String.fromCodePoint(code));
    known.set(code, isTaken);
    return isTaken;
  };
}
