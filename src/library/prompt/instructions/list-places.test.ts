import { describe, expect, it } from "vitest";
import { listPlaces } from "./list-places.ts";

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
