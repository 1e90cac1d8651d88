/** If red: a preview of a diff leaves out a changed file. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

const file = (name: string): string => `diff --git a/src/${name} b/src/${name}
index 1111111..2222222 100644
--- a/src/${name}
+++ b/src/${name}
@@ -10,7 +10,9 @@ function total() {
 unchanged
-const tax = 12;
+const tax = 13;
+const name = "${name}";
${repeat(40, () => " unchanged line of code")}`;

it("keeps every file with its counts, the hunks and the first changes", () => {
  const text = `commit abc\nAuthor: Ann\n\n    Raise the tax\n\n${["a.ts", "b.ts", "c.ts"].map(file).join("\n")}`;
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("diff");
  const shown = lines.join("\n");
  for (const name of ["a.ts", "b.ts", "c.ts"]) expect(shown).toContain(`src/${name} (+2 -1)`);
  for (const words of ["Raise the tax", "@@ -10,7 +10,9 @@ function total()", "-const tax = 12;", "+const tax = 13;"])
    expect(shown).toContain(words);
  expect(shown).not.toContain("index 1111111");
});

it("reads a diff that git did not make", () => {
  const text = `--- old/a.ts\n+++ new/a.ts\n@@ -1,3 +1,3 @@\n-one\n+two\n${repeat(140, () => " same")}`;
  expect(previewOf(text).lines.join("\n")).toContain("new/a.ts (+1 -1)");
});
