/** If red: JSON output hides an unknown value or carries an escape that steers the terminal. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderJson } from "./style.ts";

test("what is not known is null, in objects and in lists", () => {
  expect(renderJson({ a: undefined, b: [undefined, { c: undefined }] })).toBe(
    '{\n  "a": null,\n  "b": [\n    null,\n    {\n      "c": null\n    }\n  ]\n}',
  );
});

test("what could steer a terminal is written as an escape of JSON", () => {
  expect(renderJson("\u001b[31m \u009b2J \u202e \u2066 \u007f")).toBe(
    '"\\u001b[31m \\u009b2J \\u202e \\u2066 \\u007f"',
  );
});

test("what was rendered is ASCII, and reads back as the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const rendered = renderJson(value);
      expect(rendered).toMatch(/^[\n -~]*$/);
      expect(JSON.parse(rendered)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
