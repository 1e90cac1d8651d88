import { expect, it } from "vitest";
import { repeat } from "../../test/support/preview.ts";
import { findCodeBlocks } from "./code-blocks.ts";
import { foldCodeBlock } from "./fold-code-block.ts";

it("[R58] puts an outline in the place of a long block, and leaves the words around it", () => {
  const code = repeat(70, (n) => `export function part${n}(): number {\n  return ${n};\n}`);
  const message = `Here it is:\n\`\`\`ts\n${code}\n\`\`\`\nThat is all.`;
  const [block] = findCodeBlocks(message);
  if (!block) throw new Error("no block");
  const folded = foldCodeBlock(message, block, { path: "kept.md" });
  expect(folded.message).toMatch(
    /^Here it is:\n\[FOLDED: code block output — 212 lines, \d+ chars\]\nPreview \(code\):\n/,
  );
  expect(folded.message).toMatch(/needed\.\nThat is all\.$/);
  expect(folded.message).toContain("part1:");
  expect(message).toContain(folded.original);
});
