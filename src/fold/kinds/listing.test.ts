/** If red: a preview of a list of files leaves out folders or the remark that there was more. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("gathers paths under their folders", () => {
  const text = repeat(90, (n) => `/home/me/shop/src/part${n % 3}/file-${n}.${n % 2 ? "ts" : "md"}`);
  const { kind, lines } = previewOf(text, { tool: "Glob" });
  expect(kind).toBe("listing");
  expect(lines[0]).toBe("90 entries in 3 folders (.ts 45, .md 45) under /home/me/shop/src/");
  expect(lines[1]).toMatch(/^part1\/ \(30\) file-1\.ts file-4\.md /);
});

it("reads the names off a long listing", () => {
  const text = `total 640\ndrwxr-xr-x  3 me me 4096 Jan  2 03:04 src\n${repeat(60, (n) => `-rw-r--r--  1 me me  ${n}000 Jan  2 03:04 file-${n}.ts`)}`;
  const { lines } = previewOf(text, { tool: "Bash", command: "ls -la" });
  expect(lines.join("\n")).toMatch(/61 entries[\s\S]+src\/ file-1\.ts/);
});

it("follows the branches of a tree", () => {
  const text = `shop\n├── src\n│   ├── a.ts\n│   └── b.ts\n└── docs\n    └── x.md\n${repeat(60, (n) => `├── file-${n}.ts`)}`;
  const shown = previewOf(text, { tool: "Bash", command: "tree" }).lines.join("\n");
  expect(shown).toContain("src/ a.ts b.ts");
  expect(shown).toContain("docs/ x.md");
});

it("puts what was installed behind what was written", () => {
  const text = `${repeat(80, (n) => `/work/shop/node_modules/package-${n}/CHANGELOG.md`)}\n/work/shop/packages/core/CHANGELOG.md`;
  expect(previewOf(text, { tool: "Glob" }).lines.join("\n")).toContain("packages/core/ CHANGELOG.md");
});

it("keeps the tool's remark that there was more", () => {
  const text = `${repeat(90, (n) => `/work/shop/src/file-${n}.ts`)}\n(Results are truncated. Consider a narrower pattern.)`;
  expect(previewOf(text, { tool: "Glob" }).lines).toContain("(Results are truncated. Consider a narrower pattern.)");
});
