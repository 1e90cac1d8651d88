/** If red: a preview of source code shows wrong line numbers or misses definitions. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

const body = (indent: string): string => repeat(30, (n) => `${indent}doSomething(${n}, "with words", andMore);`);

it.each([
  [
    "TypeScript",
    "a.ts",
    `import { a } from "./core/a.ts";\nimport b from "left-pad";\n\nexport interface Price {\n  readonly cents: number;\n}\n\nexport async function findPrice(id: string): Promise<Price> {\n${body("  ")}\n}\n\nclass Shop {\n  private readonly items = [];\n\n  open(hour: number): void {\n${body("    ")}\n  }\n}\n\nexport const closeShop = (): void => {\n${body("  ")}\n};`,
    [
      "imports: ./core/a.ts left-pad",
      "interface Price",
      "async function findPrice(id: string): Promise<Price>",
      "class Shop",
      "open(hour: number): void",
      "const closeShop",
    ],
  ],
  [
    "Python",
    "a.py",
    `import os\nfrom shop.core import prices\n\n\nclass Shop:\n    def open(self, hour):\n${body("        ")}\n\nasync def find_price(item):\n${body("    ")}`,
    ["imports: os shop.core", "class Shop", "def open(self, hour)", "async def find_price(item)"],
  ],
  [
    "Go",
    "a.go",
    `package shop\n\ntype Price struct {\n\tCents int\n}\n\nfunc (s *Shop) Open(hour int) error {\n${body("\t")}\n}\n\nfunc FindPrice(id string) Price {\n${body("\t")}\n}`,
    ["type Price struct", "func (s *Shop) Open(hour int) error", "func FindPrice(id string) Price"],
  ],
  [
    "Rust",
    "a.rs",
    `use crate::core::Price;\n\npub struct Shop {\n    items: Vec<Item>,\n}\n\nimpl Shop {\n    pub async fn open(&mut self, hour: u8) -> Result<()> {\n${body("        ")}\n    }\n}`,
    ["imports: crate::core::Price", "pub struct Shop", "impl Shop", "pub async fn open(&mut self, hour: u8)"],
  ],
  [
    "Java",
    "A.java",
    `import java.util.List;\n\npublic final class Shop {\n    private static int open(int hour) {\n${body("        ")}\n    }\n}`,
    ["imports: java.util.List", "public final class Shop", "private static int open(int hour)"],
  ],
])("outlines %s", (_name, path, text, expected) => {
  const { kind, lines } = previewOf(text, { tool: "Read", path });
  expect(kind).toBe("code");
  for (const words of expected) expect(lines.join("\n")).toContain(words);
});

it("quotes the file's own numbers of lines, in both ways that a file is numbered", () => {
  const code = [
    "function first() {",
    ...body("  ").split("\n"),
    "}",
    "function second() {",
    ...body("  ").split("\n"),
    "}",
  ];
  for (const number of [(n: number) => `${String(n).padStart(6)}→`, (n: number) => `${n}\t`]) {
    const text = [...code, ...code, ...code, ...code].map((line, index) => number(index + 501) + line).join("\n");
    const { lines } = previewOf(text, { tool: "Read", path: "a.ts" });
    expect(lines).toContain("501: function first()");
    expect(lines).toContain("533: function second()");
  }
});

it("keeps the line in which the tool names the file", () => {
  const text = `The file src/a.ts has been updated:\n${repeat(200, (n) => `${n}\tdoSomething(${n}, "with words", andMore);`)}`;
  expect(previewOf(text, { tool: "Edit" }).lines[0]).toBe("The file src/a.ts has been updated:");
});

it("falls back to names with their lines where there are many definitions", () => {
  const text = repeat(
    120,
    (n) => `export function doThing${n}(input: Input, options: Options): Output {\n  return ${n};\n}`,
  );
  expect(previewOf(text, { path: "a.ts" }).lines.join("\n")).toContain("doThing1:1 doThing2:4 doThing3:7");
});
