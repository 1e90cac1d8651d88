/** If red: a preview of plain text leaves out its beginning, its end or its errors. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("keeps how it begins, how it ends and what looks like trouble", () => {
  const text = repeat(400, (n) => (n === 200 ? "~~ fatal: it broke here" : `~~ item ${n} ~~`));
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("plain");
  const shown = lines.join("\n");
  for (const words of ["1: ~~ item 1 ~~", "200: ~~ fatal: it broke here", "400: ~~ item 400 ~~"])
    expect(shown).toContain(words);
});

it("shows the start of a text without any line feed", () => {
  expect(previewOf("lorem ipsum ".repeat(900)).lines[0]).toMatch(/^1: lorem ipsum/);
});
