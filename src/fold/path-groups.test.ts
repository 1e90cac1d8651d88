/** If red: a list of paths is shown under the wrong folders. */
import { expect, it } from "vitest";
import { cutCommon, findCommonFolder, groupPaths, renderExtensions } from "./path-groups.ts";

it("finds the folder that all paths share", () => {
  expect(findCommonFolder(["/home/me/app/a.ts", "/home/me/app/src/b.ts"])).toBe("/home/me/app/");
  expect(findCommonFolder(["/a/b", "c/d"])).toBe("");
  expect(findCommonFolder(["/", "/"])).toBe("");
  expect(findCommonFolder([])).toBe("");
});

it("lets one bare name not hide where the others lie", () => {
  const paths = ["/home/me/app/a.ts", "/home/me/app/b.ts", "README.md"];
  const common = findCommonFolder(paths);
  expect(paths.map((path) => cutCommon(path, common))).toEqual(["a.ts", "b.ts", "README.md"]);
});

it("gathers names under their folders", () => {
  expect(groupPaths(["a/x.ts", "b/", "a/y.ts", "z", "a/x.ts"])).toEqual([
    { folder: "a/", names: ["x.ts", "y.ts"] },
    { folder: "", names: ["b/", "z"] },
  ]);
});

it("counts extensions", () => {
  expect(renderExtensions(["a.ts", "b.ts", "c.md", "lib/", "LICENSE", ".env"])).toBe(
    ".ts 2, others 2, .md 1, folders 1",
  );
});
