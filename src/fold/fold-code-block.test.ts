/** If red: a long code block stays whole in the window, or its preview leaves out what it defines. */
import { expect, it } from "vitest";
import { repeat } from "../../test/support/preview.ts";
import { findCodeBlocks, foldCodeBlock, foldCodeBlocks } from "./fold-code-block.ts";

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

it("[R58] folds every block above 200 lines of a message, and none of 200", () => {
  const block = (lines: number, name: string): string =>
    `\`\`\`ts\n${repeat(lines, (n) => `export const ${name}${n} = ${n};`)}\n\`\`\``;
  const short = block(200, "short");
  const message = `One:\n${block(201, "one")}\nTwo:\n${short}\nThree:\n${block(300, "three")}\nEnd.`;
  const folded = foldCodeBlocks(message);
  expect(folded.blocks).toBe(2);
  expect(folded.message).toContain(short);
  expect(folded.message).toMatch(/^One:\n\[FOLDED: code block output — 203 lines/);
  expect(folded.message).toMatch(/\nThree:\n\[FOLDED: code block output — 302 lines[\s\S]*\nEnd\.$/);
  expect(foldCodeBlocks(short)).toEqual({ message: short, blocks: 0 });
});

it("finds fenced blocks, their language and their lines", () => {
  const text = "a\n```ts\none\ntwo\n```\nb\n~~~\nthree\n~~~";
  expect(findCodeBlocks(text)).toEqual([
    { from: 2, to: 20, lines: 2, language: "ts" },
    { from: 22, to: 35, lines: 1, language: "" },
  ]);
});

it("closes a fence only with one as long, without a language", () => {
  expect(findCodeBlocks("````\n```\nx\n```\n````\n")).toMatchObject([{ lines: 3 }]);
  expect(findCodeBlocks("```\n```js\n```\n")).toMatchObject([{ lines: 1 }]);
});

it("takes a block that is never closed to the end", () => {
  expect(findCodeBlocks("```\na\nb")).toEqual([{ from: 0, to: 7, lines: 2, language: "" }]);
});

it("finds none in plain words", () => {
  expect(findCodeBlocks("`a` and ``b``")).toEqual([]);
});
