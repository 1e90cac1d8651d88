import { expect, it } from "vitest";
import { findPersisted, parsePersisted } from "./persisted-output.ts";

const BLOCKS = [
  { type: "text", text: 'said "a"\nand b' },
  { type: "text", text: "end" },
];

it("finds where the client put an output, and only where the client says so", () => {
  const shown = "<persisted-output>\nOutput too large (9KB). Full output saved to: /p/x y.json\n\nPreview";
  expect(findPersisted(shown)).toBe("/p/x y.json");
  expect(findPersisted(`see ${shown}`)).toBeUndefined();
});

it("takes the words out of the blocks of an answer", () => {
  expect(parsePersisted("/p/toolu_1.json", JSON.stringify(BLOCKS, null, 2))).toBe('said "a"\nand b\nend');
});

it("leaves what a command printed as it is, also where it looks like blocks", () => {
  expect(parsePersisted("/p/toolu_1.txt", JSON.stringify(BLOCKS))).toBe(JSON.stringify(BLOCKS));
});

it.each([["[]"], ["{}"], ['[{"type":"text"'], [JSON.stringify([...BLOCKS, { type: "image" }])]])(
  "takes nothing from %s",
  (file) => {
    expect(parsePersisted("/p/toolu_1.json", file)).toBeUndefined();
  },
);
