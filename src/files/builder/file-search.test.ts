/** If red: a program built with the library finds the wrong files, or is shown secrets in them. */
import { describe, expect, it } from "vitest";
import { createTreeSearch } from "./file-search.ts";

const TREE = [
  { path: "src/cart.ts", text: "The cart adds its lines." },
  { path: "src/user.ts", text: "A user has a cart, and the cart has lines." },
  { path: "docs/lines.md", text: "Nothing about it." },
  { path: "docs/other.md", text: "Nothing." },
];
const search = createTreeSearch(TREE);

describe("a search in files", () => {
  it("finds every file that holds a term, in any case, and no other", async () => {
    expect([...(await search.find(["CART"], 10))].sort()).toEqual(["src/cart.ts", "src/user.ts"]);
    expect(await search.find(["absent"], 10)).toEqual([]);
    expect(await search.find([""], 10)).toEqual([]);
  });

  it("puts a term in the path before one in the text, and several before one", async () => {
    expect(await search.find(["cart"], 10)).toEqual(["src/cart.ts", "src/user.ts"]);
    const texts = createTreeSearch([
      { path: "a", text: "hull" },
      { path: "b", text: "hull hull hull" },
    ]);
    expect(await texts.find(["hull"], 10)).toEqual(["b", "a"]);
  });

  it("counts a rare term more than a common one", async () => {
    const tree = createTreeSearch([
      { path: "a", text: "common" },
      { path: "b", text: "rare" },
      { path: "c", text: "common" },
      { path: "d", text: "common" },
    ]);
    expect((await tree.find(["common", "rare"], 10))[0]).toBe("b");
  });

  it("adds up what several terms are worth in one file", async () => {
    const tree = createTreeSearch([
      { path: "a", text: "keel" },
      { path: "b", text: "keel and mast" },
      { path: "c", text: "mast" },
    ]);
    expect((await tree.find(["keel", "mast"], 10))[0]).toBe("b");
  });

  it("counts an occurrence in a long text less", async () => {
    const tree = createTreeSearch([
      { path: "long", text: `hull ${"plank ".repeat(50_000)}` },
      { path: "short", text: "the hull" },
    ]);
    expect(await tree.find(["hull"], 10)).toEqual(["short", "long"]);
  });

  it("orders equals by path, and gives no more than is asked for", async () => {
    const tree = createTreeSearch(["c", "a", "b"].map((path) => ({ path, text: "hull" })));
    expect(await tree.find(["hull"], 10)).toEqual(["a", "b", "c"]);
    expect(await tree.find(["hull"], 2)).toEqual(["a", "b"]);
  });

  it("gives the text of a file without its secrets, and nothing for a file that it does not know", async () => {
    const secret = `ghp_${"a1".repeat(20)}`;
    const tree = createTreeSearch([{ path: "config.ts", text: `const token = "${secret}";` }]);
    expect(await tree.textOf("config.ts")).toBe('const token = "[REDACTED]";');
    expect(await tree.textOf("../config.ts")).toBeUndefined();
  });
});
