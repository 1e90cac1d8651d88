import { foldOutput } from "../../src/fold/fold-output.ts";
import type { Hint } from "../../src/fold/hint.ts";

/** The kind of a text and the lines of its preview, without the marker's own. */
export function previewOf(
  text: string,
  hint: Hint = {},
  budget = 1200,
): { readonly kind: string; readonly lines: readonly string[] } {
  const folded = foldOutput(text, hint, { budget, hasHandle: false });
  const lines = folded.text.split("\n").slice(2);
  return { kind: folded.kind, lines };
}

/** `count` lines made by number, from 1. */
export function repeat(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index + 1)).join("\n");
}
