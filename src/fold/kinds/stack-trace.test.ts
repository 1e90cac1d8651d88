/** If red: a preview of a stack trace leaves out the message, the cause or the project's own frames. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("keeps the message, the cause and our own frames", () => {
  const text = `TypeError: price is not a function
    at total (/work/shop/src/total.ts:14:7)
${repeat(60, (n) => `    at run${n} (/work/shop/node_modules/library/index.js:${n}:1)`)}
Caused by: Error: no rates
    at load (/work/shop/src/rates.ts:3:9)
${repeat(60, (n) => `    at node:internal/modules/run_main:${n}:1`)}`;
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("stack trace");
  const shown = lines.join("\n");
  for (const words of [
    "price is not a function",
    "src/total.ts:14:7",
    "Caused by: Error: no rates",
    "src/rates.ts:3:9",
  ])
    expect(shown).toContain(words);
});

it("keeps the last line of a Python traceback", () => {
  const text = `Traceback (most recent call last):
${repeat(60, (n) => `  File "/work/shop/part_${n}.py", line ${n}, in run`)}
KeyError: 'price'`;
  expect(previewOf(text).lines.join("\n")).toContain("KeyError: 'price'");
});
