import { describe, expect, test } from "vitest";
import { listNames } from "./list-names.ts";

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
