/** If red: a search for the files of a task misses them or repeats the same query. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { type RetrieveOptions, retrieve, type Search } from "./retrieve.ts";

type Tree = Readonly<Record<string, string>>;

/** A search that finds whatever holds a term, in the order of the tree, and writes down what it was asked. */
function createSearch(tree: Tree) {
  const asked: (readonly string[])[] = [];
  const search: Search = {
    find: async (terms, limit) => {
      asked.push(terms);
      const holds = ([path, text]: [string, string]): boolean =>
        terms.some((term) => `${path}\n${text}`.toLowerCase().includes(term.toLowerCase()));
      return Object.entries(tree)
        .filter(holds)
        .map(([path]) => path)
        .slice(0, limit);
    },
    textOf: async (path) => tree[path],
  };
  return { search, asked };
}

async function run(task: string, tree: Tree, options: Partial<RetrieveOptions> = {}) {
  const { search, asked } = createSearch(tree);
  return { ...(await retrieve(task, { search, ...options })), asked };
}

/** A shop. What a person calls an invoice this code base calls a bill. */
const SHOP: Tree = {
  "src/invoice/create-invoice.ts": "export function createInvoice(): BillDraft {\n  return openBillDraft();\n}\n",
  "src/invoice/invoice-total.ts":
    "export const invoiceTotal = (draft: BillDraft): number => sum(draft.invoiceLines);\n",
  "src/invoice/invoice.test.ts": "it('has a total', () => invoiceTotal(createInvoice()));\n",
  "src/bill/bill-draft.ts":
    "export interface BillDraft { lines: number[] }\nexport function openBillDraft(): BillDraft {}\n",
  "src/user/login.ts": "export function login(name: string) { return session(name); }\n",
  "docs/overview.md": "# Overview\nThe shop sends an invoice. Every invoice has a total.\n",
  "README.md": "Orders, users, invoice handling, total prices.\n",
};

describe("iterative retrieval", () => {
  it("[R37] asks for the task's keywords first, and takes 5 to 10 candidates", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`src/${index}.ts`, "the invoice total"]));
    const { asked, cycles } = await run("Please fix the invoice totals", { ...SHOP, ...many });
    expect(asked[0]).toEqual(["invoice", "total"]);
    expect(cycles[0]?.candidates).toBe(10);
    const few = (await run("Please fix the invoice totals", SHOP)).cycles[0]?.candidates;
    expect(few).toBe(5);
  });

  it("[R38] scores every file from 0 to 1, the best first, with the code base's own terms", async () => {
    const { files, terms } = await run("Please fix the invoice totals", SHOP);
    expect(files.map(({ path, score }) => `${score.toFixed(2)} ${path}`)).toMatchInlineSnapshot(`
      [
        "1.00 src/invoice/invoice-total.ts",
        "0.66 src/invoice/create-invoice.ts",
        "0.45 src/invoice/invoice.test.ts",
        "0.31 docs/overview.md",
        "0.25 README.md",
        "0.10 src/bill/bill-draft.ts",
      ]
    `);
    expect(terms.slice(0, 3)).toMatchInlineSnapshot(`
      [
        "invoiceTotal",
        "BillDraft",
        "createInvoice",
      ]
    `);
    expect(files[0]?.hits[0]).toMatchObject({ isInName: true, isDefined: true });
  });

  it("[R39] searches again with the terms it discovered, never with the same query", async () => {
    const { cycles, files } = await run("refund of an invoice", SHOP);
    const queries = cycles.map(({ query }) => query.join(" "));
    expect(new Set(queries).size).toBe(queries.length);
    expect(queries[1]).toContain("createInvoice");
    expect(files.length).toBeGreaterThan(0);
  });

  it("[R39] finds by a type that the best files share what has none of the task's words", async () => {
    const { files, terms } = await run("refund of an invoice", SHOP);
    expect(terms).toContain("BillDraft");
    expect(files.find(({ path }) => path === "src/bill/bill-draft.ts")).toMatchObject({ cycle: 2 });
  });

  it("[R40] stops after the first cycle when three files are highly relevant", async () => {
    const { stopped, cycles, files } = await run("the total of an invoice", {
      "invoice-total.ts": "export const invoiceTotal = 1; invoiceTotal + invoiceTotal;",
      "total-of-invoice.ts": "export function totalOfInvoice() { return invoiceTotal; }",
      "invoice/total.ts": "export class InvoiceTotal { total = 0; } // total of the invoice",
      "other.ts": "an invoice",
    });
    expect({ stopped, cycles: cycles.length }).toEqual({ stopped: "enough", cycles: 1 });
    expect(files.filter(({ score }) => score >= 0.7).map(({ isHigh }) => isHigh)).toEqual([true, true, true]);
  });

  it.each(["refund of an invoice", "quantum capacitor", "authentication"])(
    "[R40] searches three times at most where nothing is highly relevant: %s",
    async (task) => {
      const { stopped, cycles, asked } = await run(task, SHOP);
      expect({ stopped, cycles: cycles.length, asked: asked.length }).toEqual({
        stopped: "cycles",
        cycles: 3,
        asked: 3,
      });
    },
  );

  it("[R39] tries the beginnings of words that are nowhere", async () => {
    const { cycles, files } = await run("authentication", { "src/auth.ts": "export const auth = 1;\nauth();\n" });
    expect(cycles.map(({ query }) => query)).toEqual([["authentication"], ["authent"], ["auth"]]);
    expect(files.map(({ path }) => path)).toEqual(["src/auth.ts"]);
  });

  it("says that a task has no word to search for, and searches nothing", async () => {
    expect(await run("please fix it", SHOP)).toMatchObject({ stopped: "noKeywords", files: [], cycles: [], asked: [] });
  });

  it("passes over files that cannot be had, and names them", async () => {
    const { search } = createSearch(SHOP);
    const { unreadable, files } = await retrieve("invoice total", {
      search: { ...search, textOf: async (path) => (path === "README.md" ? undefined : SHOP[path]) },
    });
    expect(unreadable).toEqual(["README.md"]);
    expect(files.map(({ path }) => path)).not.toContain("README.md");
  });

  it("takes any task, any text and any path without an error, and always to the same end", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.dictionary(text, text, { maxKeys: 6 }), async (task, tree) => {
        const first = await run(task, tree);
        expect(await run(task, tree)).toEqual(first);
        expect(first.cycles.length).toBeLessThanOrEqual(3);
        for (const { score } of first.files) expect(score >= 0 && score <= 1).toBe(true);
      }),
      { numRuns: tries(40, 300) },
    );
  });

  it.each([
    [{ maxCycles: 0 }, "maxCycles is 0: use a whole number of at least 1"],
    [{ maxCandidates: 1.5 }, "maxCandidates is 1.5: use a whole number of at least 1"],
    [{ highScore: 2 }, "highScore is 2: use a number from 0 to 1"],
  ])("refuses %j with the way out", async (options, reason) => {
    await expect(run("invoice", SHOP, options)).rejects.toThrow(new TypeError(reason));
  });
});
