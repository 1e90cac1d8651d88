import fc from "fast-check";
import { expect, it } from "vitest";
import { createByteFinder } from "./byte-finder.ts";

it("finds what a plain search finds, in whatever order it is asked", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 30 }),
      (parts, places) => {
        const bytes = Buffer.from(parts.join(""));
        const finder = createByteFinder(Buffer.from("ab"));
        for (const place of places) expect(finder.find(bytes, place)).toBe(bytes.indexOf("ab", place));
      },
    ),
  );
});

it("looks anew once it was told that the buffer holds something else", () => {
  const bytes = Buffer.from("..ab..");
  const finder = createByteFinder(Buffer.from("ab"));
  expect(finder.find(bytes, 0)).toBe(2);
  bytes.write("ab....");
  finder.forget();
  expect(finder.find(bytes, 0)).toBe(0);
});

it("keeps two buffers apart", () => {
  const finder = createByteFinder(Buffer.from("ab"));
  expect(finder.find(Buffer.from("...ab"), 0)).toBe(3);
  expect(finder.find(Buffer.from("ab..."), 0)).toBe(0);
});
