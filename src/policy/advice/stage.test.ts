import fc from "fast-check";
import { expect, it } from "vitest";
import { parseStage, STAGES } from "./stage.ts";

it.each(STAGES)("%s is known by its name, in any case", (stage) => {
  expect(parseStage(stage)).toBe(stage);
  expect(parseStage(` ${stage.toUpperCase()} `)).toBe(stage);
});

it.each([
  ["next feature", "next-feature"],
  ["Next_Feature", "next-feature"],
  ["4", "implementation"],
  ["5", "quality"],
  ["7", "commit"],
])("%s is understood", (text, stage) => {
  expect(parseStage(text)).toBe(stage);
});

it("nothing else is", () => {
  for (const text of ["", "6", "constructor", "toString", "lunch"]) expect(parseStage(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([undefined, ...STAGES]).toContain(parseStage(text));
    }),
  );
});
