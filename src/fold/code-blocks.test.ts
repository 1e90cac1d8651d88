import { expect, it } from "vitest";
import { findCodeBlocks } from "./code-blocks.ts";

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
