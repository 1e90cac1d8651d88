import { describe, expect, it } from "vitest";
import { nameProjects } from "./name-projects.ts";

function file(path: string, project: string, folder: string) {
  return { file: { path, project }, folder };
}

describe("projects", () => {
  it("are named by the end of their real folder", () => {
    const named = nameProjects([
      file("1", "-home-ann-shop-checkout", "/home/ann/shop/checkout"),
      file("2", "-home-ann-notes", "/home/ann/notes"),
      file("3", "-Users-ann-work-shop-api", "/Users/ann/work/shop/api"),
    ]);
    expect([...named.values()].map(({ project }) => project)).toEqual(["shop/checkout", "notes", "shop/api"]);
  });

  it("that end alike get as many folders in front as tell them apart", () => {
    const named = nameProjects([file("1", "a", "/srv/one/app/web"), file("2", "b", "/srv/two/app/web")]);
    expect([...named.values()].map(({ project }) => project)).toEqual(["one/app/web", "two/app/web"]);
  });

  it("of one folder of the client are one, by the folder that most sessions began in", () => {
    const named = nameProjects([
      file("1", "p", "/srv/app"),
      file("2", "p", "/srv/app"),
      file("3", "p", "/srv/app/sub"),
      file("4", "p", ""),
    ]);
    expect(new Set([...named.values()].map(({ folder }) => folder))).toEqual(new Set(["/srv/app"]));
  });

  it("without a recorded folder keep the client's name", () => {
    expect(nameProjects([file("1", "-home-ann-x", "")]).get("1")?.project).toBe("-home-ann-x");
  });

  it("are never the same name for two folders", () => {
    const folders = ["/a/b", "/x/a/b", "a/b", "/home/u/a/b", "/root/a/b"];
    const named = nameProjects(folders.map((folder, index) => file(String(index), folder, folder)));
    expect(new Set([...named.values()].map(({ project }) => project)).size).toBe(folders.length);
  });
});
