/** If red: a search in the project misses files that match, or shows ignored files and secrets. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const directory = path.join(temporary.folder, "shop");
const SHOP = {
  "src/cart/cart-total.ts":
    "export function cartTotal(cart: Cart): number {\n  return cart.lines.reduce(addLine, 0);\n}\n",
  "src/cart/cart.ts": "export interface Cart { lines: Line[] }\nexport const emptyCart: Cart = { lines: [] };\n",
  "src/cart/cart-discount.ts":
    "export function cartDiscount(cart: Cart, total: number) { return cartTotal(cart) - total; }\n",
  "src/user/login.ts": "export function login() {}\n",
  "docs/cart.md": "# The cart\nThe total of a cart is the sum of its lines.\n",
  "test/cart-total.test.ts": "it('adds the total of a cart', () => cartTotal(emptyCart));\n",
  "config.ts": `export const cartToken = "ghp_${"a1".repeat(20)}";\n`,
  "dist/cart-total.js": "function cartTotal() {}\n",
};
for (const [name, text] of Object.entries(SHOP)) {
  mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
  writeFileSync(path.join(directory, name), text);
}

function run(...words: readonly string[]) {
  return runPlimsoll(["retrieve", ...words], { directory, environment: { HOME: temporary.folder } });
}

describe("plimsoll retrieve", () => {
  it("[R37, R38, R40] shows files with scores, terms, cycles and why it stopped", async () => {
    const { output, exitCode, remarks } = await run("wrong total in the cart");
    expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
    expect(output).toMatchInlineSnapshot(`
      "3 of 6 files are highly relevant (0.7 or more); stopped after 3 cycles: three highly relevant files are enough

        1.00  src/cart/cart-total.ts
              cart (name, defined, 4×), total (name, defined, 1×), car (name, defined, 4×), cartTotal (name, defined, 1×)
        0.84  src/cart/cart-discount.ts
              cart (name, defined, 5×), total (3×), car (name, defined, 5×), cartDiscount (name, defined, 1×)
        0.71  docs/cart.md
              cart (name, defined, 2×), total (1×), car (name, defined, 2×), tot (1×)
        … 3 less relevant: --json lists all

      terms found: cartTotal, cartDiscount, emptyCart

      cycle 1: total cart → 6 candidates; highly relevant so far: 2
      cycle 2: cartTotal cartDiscount emptyCart total cart → 6 candidates, 0 of them new; highly relevant so far: 2
      cycle 3: tot car → 6 candidates, 0 of them new; highly relevant so far: 3
      searched 7 files, 0.0 MB; left out: 1 ignored
      "
    `);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll retrieve TASK --json`")[1]
      ?.split("\n## ")[0];
    const [whole, file, hit, cycle] = [...(section ?? "").matchAll(/`\{ ([\w, ]+) \}`/g)].map(([, names = ""]) =>
      names.split(", "),
    );
    const answer = JSON.parse((await run("cart", "total", "--json")).output);
    expect(Object.keys(answer)).toEqual(whole);
    expect(new Set(Object.keys(answer.files[0]))).toEqual(new Set(file));
    expect(Object.keys(answer.files[0].hits[0])).toEqual(hit);
    expect(Object.keys(answer.cycles[0])).toEqual(cycle);
    expect(answer).toMatchObject({ task: "cart total", directory, stopped: "enough" });
  });

  it("[R39] searches again with other words where the first ones find little", async () => {
    const { cycles } = JSON.parse((await run("refund a cart", "--json")).output);
    const queries: readonly string[] = cycles.map(({ query }: { readonly query: readonly string[] }) =>
      query.join(" "),
    );
    expect(queries[0]).toBe("refund cart");
    expect(queries[1]).toContain("cartTotal");
    expect(new Set(queries).size).toBe(queries.length);
  });

  it("searches the folder it is given", async () => {
    const { files } = JSON.parse((await run("cart total", "--in", "docs", "--json")).output);
    expect(files.map((file: { readonly path: string }) => file.path)).toEqual(["cart.md"]);
  });

  it("neither finds what is ignored nor shows what is secret", async () => {
    const { output } = await run("cart total token", "--json");
    expect(output).not.toContain("dist/");
    expect(output).not.toContain("a1a1");
  });

  it("says so when there is nothing, or no word to search for", async () => {
    expect((await run("xylophone")).output).toContain("No file is relevant; stopped after 3 cycles");
    expect((await run("fix it")).output).toContain(
      "the task has no word to search for; describe it in more specific words",
    );
  });

  it.each([
    [[], 'plimsoll retrieve needs a task, such as: plimsoll retrieve "fix the title"'],
    [["x", "--in", "nowhere"], "there is no folder nowhere"],
    [["x", "--in", "config.ts"], "there is no folder config.ts"],
  ])("refuses %j with the way out", async (words, reason) => {
    const { exitCode, remarks } = await run(...words);
    expect(exitCode).toBe(2);
    expect(remarks).toContain(reason);
  });
});
