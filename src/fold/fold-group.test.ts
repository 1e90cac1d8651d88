/** If red: outputs that are folded together cannot be distinguished when they are fetched back. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { repeat } from "../../test/support/preview.ts";
import { renderArtifactFile } from "./artifact-file.ts";
import { type GroupMember, planLast } from "./fold-group.ts";

const PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Grep.md";
const HANDLE = "plimsoll:1a2b3c4d5e6f";
const members = ["a", "b", "c", "d", "e"].map((name) => ({
  id: name,
  tool: "Grep",
  command: `find${name}`,
  text: repeat(40, (n) => `src/${name}.ts:${n}:  call(find${name}, ${n});`),
}));

/** The lines of the artifact file that a preview names. */
function readNamed(text: string, artifact: string): string {
  const file = renderArtifactFile({ tool: "Grep", generated: "x", command: "y", output: artifact }).split("\n");
  const [, first, last] = /md lines (\d+)-(\d+) \(plimsoll:[0-9a-f]{12}\)/.exec(text) ?? [];
  return file.slice(Number(first) - 1, Number(last)).join("\n");
}

it("[R57] [R61] leaves a preview of the last in its place, which names its own lines in the file", () => {
  for (const [index, member] of members.entries()) {
    const { artifact, render } = planLast(members.slice(0, index), member);
    const text = render({ path: PATH, handle: HANDLE });
    expect(readNamed(text, artifact)).toBe(member.text);
    expect(text).toContain(HANDLE);
    expect(text).toContain(`src/${member.id}.ts`);
    expect(text.length).toBeLessThanOrEqual(480);
  }
});

it("[R57] keeps every output byte for byte below its heading, whatever is in it", () => {
  const arbitraryMember: fc.Arbitrary<GroupMember> = fc.record({
    id: fc.string(),
    command: fc.stringMatching(/^[\w\n ]{0,20}$/),
    text: arbitraryUnits(80),
  });
  fc.assert(
    fc.property(fc.array(arbitraryMember, { maxLength: 4 }), arbitraryMember, (earlier, last) => {
      let rest = planLast(earlier, last).artifact;
      for (const { text } of [...earlier, last]) {
        const [heading = "", length] = /^## \d\/\d \((\d+) chars\) .*\n/.exec(rest) ?? [];
        expect(Number(length)).toBe(text.length);
        expect(rest.slice(heading.length, heading.length + text.length + 2)).toBe(`${text}\n\n`);
        rest = rest.slice(heading.length + text.length + 2);
      }
      expect(rest).toBe("");
    }),
  );
});
