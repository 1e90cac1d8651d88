/** If red: a project's instructions are read in the wrong order, or through a link from elsewhere. */
import { chownSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../test/support/needs.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { checkStaleness } from "../library/prompt/instructions/check-staleness.ts";
import { fitInstructions } from "../library/prompt/instructions/fit-instructions.ts";
import { listPlaces, readInstructionFiles } from "./instruction-files.ts";
import { readStalenessFacts } from "./instruction-files-facts.ts";

const temporary = createTemporaryFolder();

/** A tree of files, by their paths. */
function createTree(files: Readonly<Record<string, string>>): string {
  const top = temporary.name("-tree");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  }
  return top;
}

const TREE = {
  "etc/CLAUDE.md": "organisation",
  "home/.claude/CLAUDE.md": "user",
  "home/CLAUDE.md": "parent",
  "home/mono/CLAUDE.md": "project",
  "home/mono/packages/api/CLAUDE.md": "api",
  "home/mono/packages/api/src/AGENTS.md": "api source",
  "home/mono/packages/web/CLAUDE.md": "web",
};

function read(top: string, activeFile: string) {
  return readInstructionFiles({
    organisation: path.join(top, "etc/CLAUDE.md"),
    user: path.join(top, "home/.claude/CLAUDE.md"),
    root: path.join(top, "home/mono"),
    top: path.join(top, "home"),
    activeFile,
  });
}

describe("instruction files on disk", () => {
  it("[R124] [R125] are read in the order of their scopes, for the active file only", () => {
    const top = createTree(TREE);
    const texts = (activeFile: string) => read(top, activeFile).files.map(({ text }) => text);
    expect(texts("packages/api/src/x.ts")).toEqual(["organisation", "user", "project", "parent", "api", "api source"]);
    expect(texts("packages/web/y.ts")).toEqual(["organisation", "user", "project", "parent", "web"]);
    expect(texts("README.md")).toEqual(["organisation", "user", "project", "parent"]);
  });

  it("[R126] say the same thing once, though a link within the project gives it twice", () => {
    const top = createTree(TREE);
    symlinkSync("CLAUDE.md", path.join(top, "home/mono/AGENTS.md"));
    const { files, skipped } = read(top, "README.md");
    expect(files.filter(({ text }) => text === "project")).toHaveLength(2);
    expect(skipped).toEqual([]);
    expect(fitInstructions(files).duplicates).toHaveLength(1);
  });

  it("bring in nothing from elsewhere by a link, of a file or of a folder, and say so", () => {
    const top = createTree({ ...TREE, "private/key.txt": "secret", "private/CLAUDE.md": "secret" });
    symlinkSync(path.join(top, "private/key.txt"), path.join(top, "home/mono/AGENTS.md"));
    symlinkSync(path.join(top, "private"), path.join(top, "home/mono/linked"));
    const { files, skipped } = read(top, "linked/x.ts");
    expect(files.map(({ text }) => text)).not.toContain("secret");
    expect(skipped.map(({ path: file }) => path.relative(top, file))).toEqual([
      "home/mono/AGENTS.md",
      "home/mono/linked/CLAUDE.md",
    ]);
    expect(skipped[0]?.why).toContain("leads out of");
  });

  it("are skipped with the reason where they are too large, no text, or no file", () => {
    const top = createTree({ ...TREE, "home/mono/CLAUDE.md": "x".repeat(1_000_001) });
    mkdirSync(path.join(top, "home/mono/AGENTS.md"));
    writeFileSync(path.join(top, "home/mono/packages/AGENTS.md"), Uint8Array.of(0xff, 0xfe, 0x00));
    expect(read(top, "packages/x.ts").skipped.map(({ why }) => why)).toEqual([
      "is larger than 1000000 bytes",
      "is not a regular file",
      "is not UTF-8 text",
    ]);
  });

  it("are skipped with the reason where they cannot be read at all", () => {
    const top = createTree(TREE);
    symlinkSync(path.join(top, "home/mono/AGENTS.md"), path.join(top, "home/mono/AGENTS.md"));
    const { files, skipped } = read(top, "x.ts");
    expect(skipped.map(({ why }) => why)).toEqual(["cannot be read (ELOOP)"]);
    expect(files.map(({ text }) => text)).toContain("project");
  });

  needs(process.getuid?.() === 0, "only root can give a file to another user").it(
    "are not taken from another user in a folder above the project, which may be everybody's",
    () => {
      const top = createTree(TREE);
      for (const name of ["home/CLAUDE.md", "home/mono/CLAUDE.md"]) chownSync(path.join(top, name), 65_534, 65_534);
      const { files, skipped } = read(top, "x.ts");
      expect(files.map(({ text }) => text)).toEqual(["organisation", "user", "project"]);
      expect(skipped.map(({ why }) => why)).toEqual(["belongs to another user"]);
    },
  );

  it("[R123] are checked against what is there", () => {
    const text =
      "See `src/main.ts`, `core/deep.ts`, `core/`, `lib/gone.ts` and `../../outside/x.ts`. Run `npm run build`, `npm run gone`, `make all`, `make gone`.";
    const root = createTree({
      "CLAUDE.md": text,
      "src/main.ts": "",
      "src/core/deep.ts": "",
      "package.json": '{"scripts":{"build":"x"}}',
      Makefile: "X := 1\nall: x\n\techo\n",
    });
    const nowMs = Date.UTC(2026, 5, 1);
    utimesSync(path.join(root, "CLAUDE.md"), nowMs / 1000 - 200 * 86_400, nowMs / 1000 - 200 * 86_400);
    const facts = readStalenessFacts(root, "CLAUDE.md", nowMs);
    const findings = checkStaleness({ path: "CLAUDE.md", text }, facts);
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      "missingPath lib/gone.ts",
      "missingScript gone",
      "missingTarget gone",
      "age 200 days",
    ]);
  });

  it("[R123] are not judged by a manifest that is not there, or torn", () => {
    const root = createTree({ "CLAUDE.md": "`npm run x`, `make y`", "package.json": "{" });
    const { scripts, targets } = readStalenessFacts(root, "CLAUDE.md", 0);
    expect([scripts, targets]).toEqual([undefined, undefined]);
    expect(readStalenessFacts(root, "gone.md", 0).ageDays).toBeUndefined();
  });
});

const names = ["CLAUDE.md"];
const paths = (options: Partial<Parameters<typeof listPlaces>[0]>): readonly string[] =>
  listPlaces({ root: "/home/u/mono", names, top: "/home/u/mono", ...options }).map(
    ({ scope, path }) => `${scope} ${path}`,
  );

describe("instructions are looked for", () => {
  it("[R124] in the order organisation, user, project root, parents upward, children downward", () => {
    const options = {
      organisation: "/etc/claude-code/CLAUDE.md",
      user: "/home/u/.claude/CLAUDE.md",
      root: "/home/u/work/mono",
      top: "/home/u",
      activeFile: "packages/api/src/x.ts",
    };
    expect(paths(options)).toEqual([
      "organisation /etc/claude-code/CLAUDE.md",
      "user /home/u/.claude/CLAUDE.md",
      "project /home/u/work/mono/CLAUDE.md",
      "parent /home/u/work/CLAUDE.md",
      "parent /home/u/CLAUDE.md",
      "child /home/u/work/mono/packages/CLAUDE.md",
      "child /home/u/work/mono/packages/api/CLAUDE.md",
      "child /home/u/work/mono/packages/api/src/CLAUDE.md",
    ]);
  });

  it("[R125] [R144] for the active file only: packages/api's and not packages/web's", () => {
    const children = paths({ activeFile: "packages/api/x.ts" }).filter((line) => line.startsWith("child"));
    expect(children).toEqual(["child /home/u/mono/packages/CLAUDE.md", "child /home/u/mono/packages/api/CLAUDE.md"]);
    expect(paths({ activeFile: "/home/u/mono/packages/web/y.ts" }).join()).not.toContain("packages/api");
  });

  it.each(["", "x.ts", "../other/x.ts", "/etc/passwd", "packages/../../other/x.ts"])(
    "[R125] in no child folder for %j",
    (activeFile) => {
      expect(paths({ activeFile })).toEqual(["project /home/u/mono/CLAUDE.md"]);
    },
  );

  it("up to below the file system's root, and nowhere above a top that is not above", () => {
    expect(listPlaces({ root: "/a/b/c", names })).toHaveLength(1 + 2);
    expect(paths({ root: "/a/b/c", top: "/x" })).toHaveLength(1);
  });

  it("under every name, on every system", () => {
    expect(listPlaces({ root: "C:\\work", activeFile: "C:\\work\\api\\x.ts" }).map(({ path }) => path)).toEqual([
      "C:/work/CLAUDE.md",
      "C:/work/AGENTS.md",
      "C:/work/api/CLAUDE.md",
      "C:/work/api/AGENTS.md",
    ]);
  });

  it.each([
    ["root", { root: "mono" }],
    ["names", { root: "/m", names: ["../secret"] }],
    ["names", { root: "/m", names: ["/etc/passwd"] }],
  ])("not with a wrong %s", (option, options) => {
    expect(() => listPlaces(options)).toThrow(TypeError);
    expect(() => listPlaces(options)).toThrow(option);
  });
});
