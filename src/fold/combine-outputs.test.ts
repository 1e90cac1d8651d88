import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { combineOutputs, splitCombined } from "./combine-outputs.ts";

it("[R57] makes one text of five outputs and says where each stands", () => {
  const parts = ["a", "b", "c", "d", "e"].map((name) => ({ title: `Grep ${name}`, output: `${name}1\n${name}2` }));
  const { text, places } = combineOutputs(parts);
  const lines = text.split("\n");
  expect(text.split("\n")[0]).toBe("## 1/5 (5 chars) Grep a");
  expect(places.map(({ firstLine, lastLine }) => lines.slice(firstLine - 1, lastLine).join("\n"))).toEqual(
    parts.map(({ output }) => output),
  );
});

it("[R57] gives every output back byte for byte, whatever is in it", () => {
  const part = fc.record({ title: fc.stringMatching(/^[\w ]{0,20}$/), output: arbitraryUnits(80) });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      expect(splitCombined(combineOutputs(parts).text)).toEqual(parts);
    }),
  );
});

it("splits nothing that was not combined", () => {
  expect(splitCombined("## a heading\n")).toBeUndefined();
  expect(splitCombined("## 1/1 (99 chars) x\nshort\n\n")).toBeUndefined();
});
