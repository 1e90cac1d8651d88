import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { repeat } from "../../test/support/preview.ts";
import { renderArtifactFile } from "./artifact-file.ts";
import { combineOutputs, foldGroup, splitCombined } from "./fold-group.ts";

const PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Grep.md";
const members = ["a", "b", "c", "d", "e"].map((name) => ({
  id: name,
  tool: "Grep",
  command: `find${name}`,
  text: repeat(40, (n) => `src/${name}.ts:${n}:  call(find${name}, ${n});`),
}));

it("[R57] makes one artifact of five outputs, from which each comes back byte for byte", () => {
  const { artifact, handle, sha256 } = foldGroup(members, PATH);
  expect(splitCombined(artifact)?.map(({ output }) => output)).toEqual(members.map(({ text }) => text));
  expect(handle).toBe(`plimsoll:${sha256.slice(0, 12)}`);
});

it("[R57] [R61] leaves a preview of each in its place, which names its own lines in the file", () => {
  const { artifact, replacements, handle } = foldGroup(members, PATH);
  const file = renderArtifactFile({ tool: "Grep", generated: "x", command: "y", output: artifact }).split("\n");
  for (const [index, { id, text }] of replacements.entries()) {
    const [, first, last] = /md lines (\d+)-(\d+) \(plimsoll:[0-9a-f]{12}\)\nUse Read/.exec(text) ?? [];
    expect(file.slice(Number(first) - 1, Number(last)).join("\n")).toBe(members[index]?.text);
    expect(text).toContain(handle);
    expect(text).toContain(`src/${id}.ts`);
    expect(text.length).toBeLessThanOrEqual(480);
  }
});

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
