/** If red: ordinary code is taken for encoded data and its preview shows nothing of it. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

const LINE = "QmFzZTY0IGlzIGEgd2F5IHRvIHdyaXRlIGJ5dGVzIGFzIHRleHQu";

it.each([
  ["base64", repeat(120, () => LINE), "encoded or binary data, about"],
  ["a data URI", `data:image/png;base64,${LINE.repeat(100)}`, "image/png, about"],
  ["a PNG", `iVBORw0KGgo${LINE.repeat(100)}`, "PNG image (base64), about"],
  ["bytes", `\u0000\u0001\u0002\ufffd`.repeat(2000), "encoded or binary data, about"],
])("says of %s what and how much it is", (_name, text, words) => {
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("encoded data");
  expect(lines[0]).toContain(words);
  expect(lines.join("\n").length).toBeLessThan(400);
});

it("takes ordinary code for what it is", () => {
  expect(previewOf(repeat(130, (n) => `const value${n} = call(${n});`)).kind).toBe("code");
});
