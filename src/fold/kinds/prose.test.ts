/** If red: a preview of a document leaves out its headings or the files that it names. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

const section = (n: number): string =>
  `## Part ${n}\n\nThe first sentence of part ${n} says what it is about.\n\n${repeat(12, (k) => `Sentence ${k} goes on and on about it without saying anything new.`)}\n\n- See \`src/part-${n}.ts:12\` for the bug.\n`;

it("keeps the opening, the headings and the lines that name files", () => {
  const text = `Here is what I found in the shop.\n\n# Report\n\n${repeat(6, section)}\nThe conclusion is that tax is wrong.`;
  const { kind, lines } = previewOf(text, { tool: "Task" });
  expect(kind).toBe("prose");
  const shown = lines.join("\n");
  expect(lines[0]).toBe("1: Here is what I found in the shop.");
  for (let n = 1; n <= 6; n++) expect(shown).toContain(`## Part ${n}`);
  expect(shown).toContain("src/part-1.ts");
});

it("takes no heading from inside a block of code", () => {
  const text = `# Title\n\n\`\`\`sh\n# not a heading\n\`\`\`\n${repeat(60, (n) => `Sentence ${n} goes on and on about it without saying anything new.`)}\n## Last`;
  const { lines } = previewOf(text, { path: "a.md" });
  expect(lines.slice(0, 1)).toEqual(["1: # Title"]);
  expect(lines.join("\n")).toContain("## Last");
});
