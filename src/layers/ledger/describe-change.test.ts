/** If red: a change in the ledger does not name what it changed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeChange, listNames } from "./describe-change.ts";

describe("a change in a phrase", () => {
  test.each([
    [
      "the lines that it put in",
      { old_string: "tar();", new_string: "oil(deck);\nfunction seal() {}" },
      "oil(deck); function seal() {}",
    ],
    ["only lines that say something", { old_string: "", new_string: "import x;\n// why\n\n{\nseal(2);" }, "seal(2);"],
    ["what was only taken out", { old_string: "keep();\nleak();", new_string: "keep();" }, "without leak();"],
    ["a document", { content: "\n# Hull\ntext" }, "# Hull text"],
    [
      "each of several",
      { edits: [{ old_string: "a", new_string: "tar()" }, { new_string: "oil()" }] },
      "a -> tar(); oil()",
    ],
    [
      "the value that changed, behind its name",
      { old_string: "  const planks = 3;", new_string: "  const planks = 5;" },
      "const planks = 3 -> 5;",
    ],
    [
      "a condition that changed among lines that stayed",
      { old_string: "go();\nif (depth > 3) sink();", new_string: "go();\nif (depth > 3 && open) sink();\nbail();" },
      "if (depth > 3 + && open bail();",
    ],
    [
      "the whole line where a word was put in front",
      { old_string: "x = sail();", new_string: "const x = sail();" },
      "const x = sail();",
    ],
    [
      "what stands behind the change, too",
      { old_string: "const a = this.harbour.find(id);", new_string: "const ship = this.harbour.find(id);" },
      "const a -> ship = this.harbour.find(id);",
    ],
    [
      "what was put in between",
      { old_string: 'use = ["tar"]', new_string: 'use = ["tar", "oil"]' },
      'use = ["tar" + , "oil"',
    ],
    [
      "what was taken out of a line",
      { old_string: "seal(hull, deck)", new_string: "seal(hull)" },
      "seal(hull without , deck",
    ],
    [
      "an import that grew",
      { old_string: "import { a } from 'x';", new_string: "import { a, b } from 'x';" },
      "import { a + , b",
    ],
    ["a line that gave way to quite another", { old_string: "'#9ca3af'", new_string: "seal" }, "'#9ca3af' -> seal"],
    [
      "a whole file",
      { content: "import x;\nexport async function seal() {\n}\nclass Hull {}\nexport const TAR = 2;\n" },
      "export async function seal() { … class Hull {} export const TAR = 2;",
    ],
    [
      "both sides of a patch",
      {
        patch: "*** Begin Patch\n*** Update File: a.ts\n@@ hull\n-const planks = 3;\n+const planks = 5;\n*** End Patch",
      },
      "const planks = 3 -> 5;",
    ],
    [
      "every line of a patch",
      { diff: "@@ hull\n-leak();\n+function tar() {}\n+oil(deck);" },
      "function tar() {} oil(deck);",
    ],
    ["a remark where it is all", { old_string: "x", new_string: "x\n// nolint: depth" }, "// nolint: depth"],
    ["nothing where nothing is told", { old_string: "x", new_string: "x" }, ""],
    ["nothing of a call that it does not know", { mode: 3 }, ""],
  ])("tells %s", (_, input, phrase) => {
    expect(describeChange(input, "/a.ts", 90)).toBe(phrase);
  });

  test("names what is in a file that there is no room for, before its beginning", () => {
    const rest = Array.from({ length: 99 }, (_, at) => `caulk(${at});`);
    const content = ["function seal() {}", "function tar() {}", ...rest].join("\n");
    const reported = describeChange({ content }, "/a.ts", 60);
    expect(reported).toMatch(/^seal, tar: function seal\(\) \{\} function tar\(\) \{\} caul/);
    expect(reported.length).toBeLessThanOrEqual(60);
  });

  test("is one line within its room, whatever was written", () => {
    expect(describeChange({ content: `x ${"y".repeat(9999)}` }, "a", 90).length).toBeLessThanOrEqual(90);
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", ".", "(", "\u{1F6A2}", "\t"), maxLength: 300 });
    fc.assert(
      fc.property(line, line, (before, after) => {
        const reported = describeChange({ old_string: before, new_string: after }, "/a.ts", 90);
        expect(reported).not.toMatch(/[\r\n]/);
        expect(reported.length).toBeLessThanOrEqual(90);
        expect(reported).not.toMatch(/\p{Surrogate}/u);
        if (before.trim() === after.trim()) expect(reported).toBe("");
      }),
    );
  });
});

describe("the names in a file", () => {
  test.each([
    ["hull.py", "import x\n\nclass Hull:\n    def inner(self): pass\n\nasync def seal():\n    pass\n", "Hull, seal"],
    ["hull.rs", "use x;\npub struct Hull {}\npub(crate) fn seal() {}\n    fn inner() {}\n", "Hull, seal"],
    ["hull.go", "package x\nfunc (h *Hull) Seal() {}\nfunc Sink() {}\n", "Seal, Sink"],
    ["make.sh", "set -e\nseal() {\n}\nfunction sink() {\n}\n", "seal, sink"],
    ["README.md", "# Hull\ntext\n## Seal it\n#### deep\n", "# Hull, ## Seal it"],
    ["a.json", '{\n  "name": "x",\n  "scripts": {\n    "inner": 1\n  }\n}', "name, scripts"],
    ["a.yaml", "on: push\njobs:\n  build:\n    steps: []\n", "on, jobs"],
    ["Cargo.toml", "[package]\nname = 1\n[[bin]]\n", "package, bin"],
    ["one.ts", "export function seal() {}\n", ""],
    ["none.html", "<p>a</p>", ""],
  ])("%s", (path, content, names) => {
    expect(listNames(content, path)).toBe(names);
  });

  test("are a handful, and say how many there are", () => {
    const many = Array.from({ length: 40 }, (_, index) => `function seal${index}() {}`).join("\n");
    expect(listNames(many, "a.js")).toBe("seal0, seal1, seal2, seal3, seal4, seal5, seal6, seal7, … (40)");
    const long = Array.from({ length: 9 }, (_, index) => `## ${index} ${"plank ".repeat(12)}`).join("\n");
    expect(listNames(long, "a.md").length).toBeLessThanOrEqual(175);
  });
});
