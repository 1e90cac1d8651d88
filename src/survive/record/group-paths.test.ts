import { describe, expect, it } from "vitest";
import { renderGrouped, splitPath } from "./group-paths.ts";

describe("an index of files", () => {
  it("names every folder once, in the order its first file comes", () => {
    const files = ["src/a/x.ts", "README.md", "src/a/y.ts", "D:\\code\\z.cs"].map((path) => ({
      path,
      mark: "",
      note: "",
    }));
    expect(renderGrouped(files)).toEqual(["src/a/: x.ts, y.ts", "./: README.md", "D:\\code\\: z.cs"]);
  });

  it("puts the mark before a name and the note after it", () => {
    expect(renderGrouped([{ path: "src/x.ts", mark: "+", note: "#1f r9" }])).toEqual(["src/: +x.ts #1f r9"]);
  });

  it("gives back the whole path when folder and name are put together", () => {
    for (const path of ["/a/b/c.ts", "b\\c.ts", "/c.ts"]) {
      const { folder, name } = splitPath(path);
      expect(folder + name).toBe(path);
    }
  });
});
