/** If red: a preview of a web page leaves out its title, headings or links. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("keeps the title, headings and where links lead", () => {
  const text = `<!doctype html><html><head><title>Shop manual</title></head><body>
<h1>Prices</h1>
${repeat(80, (n) => `<p class="x">Paragraph ${n} with words that nobody needs.</p>`)}
<h2 id="tax">Tax</h2><a href="/rates">Rates</a>
</body></html>`;
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("markup");
  const shown = lines.join("\n");
  for (const words of ["<title> Shop manual", "<h1> Prices", '<h2 id="tax"> Tax', '<a href="/rates"> Rates', "p 80"])
    expect(shown).toContain(words);
});

it("shows the outer elements of XML", () => {
  const text = `<?xml version="1.0"?>\n<project>\n  <modules>\n${repeat(120, (n) => `    <module>part-${n}</module>`)}\n  </modules>\n</project>`;
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("markup");
  expect(lines.join("\n")).toMatch(/<project>[\s\S]+<modules>/);
});
