import { answer, think } from "../../api/replies.ts";
import type { Reply } from "../../api/scenario.ts";
import { type DemoTools, testCommand } from "./demo-tools.ts";

export const STATEMENT_PROMPT =
  "Back from lunch. Please add GET /customers/:id/statement?month=2026-03: what the customer owed when the month began, the entries of the month, what is owed at its end. In the style of the other routes, with tests.";

const STATEMENT = "src/http/customer-statement.ts";
const STATEMENT_TEST = "test/customer-statement.test.ts";

/** The fourth prompt: a new route, which first counts the debts of all customers as those of one. */
export function actStatement({ read, bash, edit, write }: DemoTools): readonly Reply[] {
  return [
    answer(
      "I'll read how routes are made here.",
      read("src/http/routes.ts"),
      read("src/http/router.ts"),
      read("src/http/server.ts"),
    ),
    answer(read("src/model/schemas.ts")),
    answer(
      "And what the two stores can do: the real one may need a statement of its own.",
      read("src/store/memory-store.ts"),
      read("src/store/statements.ts"),
    ),
    answer(bash("grep -rn 'party' src test scripts", "Find where entries name the customer")),
    answer(read("test/schemas.test.ts", { limit: 110 })),
    answer(
      think(
        "Entries carry party, so the statement needs no SQL at all: entriesOf('1200') filtered by party. Route takes the ledger as an argument because RouteContext has none; that leaves router.ts as it is.",
      ),
      "Entries carry the customer as `party`, so the ledger alone can answer this. The route takes the ledger as an argument; `RouteContext` stays as it is.",
      write(STATEMENT, ROUTE),
    ),
    answer(
      edit(
        "src/http/server.ts",
        'import { createRouter, type Incoming, type Reply } from "./router.ts";\n',
        'import { createCustomerStatementRoute } from "./customer-statement.ts";\nimport { createRouter, type Incoming, type Reply } from "./router.ts";\n',
      ),
      edit(
        "src/http/server.ts",
        "  return createRouter([...routes], shop.store, shop.today);\n",
        "  const all = [...routes, createCustomerStatementRoute(shop.ledger)];\n  return createRouter(all, shop.store, shop.today);\n",
      ),
    ),
    answer(write(STATEMENT_TEST, TEST)),
    answer(bash(testCommand(STATEMENT_TEST), "Run the new tests")),
    answer(
      think(
        "balanceOf('1200', day) is the balance of all customers. The opening balance must come from this customer's entries alone.",
      ),
      "`balanceOf` is the balance of the account, so it counts everybody. The opening balance has to come from this customer's own entries.",
      read(STATEMENT),
    ),
    answer(edit(STATEMENT, OPENING_OF_ALL, OPENING_OF_ONE)),
    answer(bash(testCommand(STATEMENT_TEST), "Run the new tests")),
    answer(bash(testCommand(), "Run all tests")),
    answer(bash(TRY, "Ask the shop for a statement")),
    answer(
      "`GET /customers/:id/statement` is there, with six tests: unknown customer, wrong month, this month by default, opening and closing balance, an empty month, and two customers kept apart (the mistake that I made first). The ledger's API was enough as it is.",
    ),
  ];
}

const OPENING_OF_ALL = `      const openingCents = ledger.balanceOf("1200", \`\${month}-00\`);\n`;
const OPENING_OF_ONE =
  "      const openingCents = sumCents(own.filter((entry) => entry.date < month).map(amountOf));\n";

const ROUTE = `import type { Entry, Ledger } from "../ledger/ledger.ts";
import { type Cents, sumCents } from "../ledger/money.ts";
import type { Customer } from "../model/schemas.ts";
import { HttpError, type Route } from "./router.ts";

/** What a customer owed, bought and paid within one month. */
export interface CustomerStatement {
  readonly customerId: string;
  readonly month: string;
  readonly openingCents: Cents;
  readonly lines: readonly StatementLine[];
  readonly closingCents: Cents;
}

export interface StatementLine {
  readonly date: string;
  readonly memo: string;
  /** What the entry adds to the debt; below zero for payments and refunds. */
  readonly amountCents: Cents;
  readonly openCents: Cents;
}

/** \`GET /customers/:id/statement?month=2026-03\`; without a month, the current one. */
export function createCustomerStatementRoute(ledger: Ledger): Route {
  return {
    method: "GET",
    path: "/customers/:id/statement",
    handle({ params, query, store, today }) {
      const customerId = params.id ?? "";
      if (store.find<Customer>("customers", customerId) === undefined) {
        throw new HttpError(404, \`\${customerId} is not a customer that we know\`);
      }
      const month = query.get("month") ?? today.slice(0, "2026-03".length);
      if (!/^\\d{4}-\\d\\d$/.test(month)) throw new HttpError(422, \`\${month} is not a month; write it as 2026-03\`);
      const own = ledger.entriesOf("1200").filter((entry) => entry.party === customerId);
${OPENING_OF_ALL}      const lines = renderLines(own.filter((entry) => entry.date.startsWith(month)), openingCents);
      const closingCents = lines.at(-1)?.openCents ?? openingCents;
      const statement: CustomerStatement = { customerId, month, openingCents, lines, closingCents };
      return { status: 200, body: statement };
    },
  };
}

function renderLines(entries: readonly Entry[], openingCents: Cents): readonly StatementLine[] {
  let openCents = openingCents;
  return [...entries]
    .sort((a, b) => a.date.localeCompare(b.date) || a.number - b.number)
    .map((entry) => {
      openCents += amountOf(entry);
      return { date: entry.date, memo: entry.memo, amountCents: amountOf(entry), openCents };
    });
}

/** What an entry adds to the debt of its customer. */
function amountOf(entry: Entry): Cents {
  const own = entry.postings.filter((posting) => posting.account === "1200");
  return sumCents(own.map((posting) => posting.debit - posting.credit));
}
`;

const TEST = `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CustomerStatement } from "../src/http/customer-statement.ts";
import { createShop } from "../src/http/server.ts";
import { createLedger, credit, debit } from "../src/ledger/ledger.ts";
import { createMemoryStore } from "../src/store/memory-store.ts";

/** Two customers; the first owes 60.50 from February, buys for 121.00 in March and pays the older sum. */
function createBooks() {
  const store = createMemoryStore();
  for (const id of ["cus-1", "cus-2"]) store.insert("customers", { id, name: id });
  const ledger = createLedger();
  const sale = (party: string, date: string, net: number) =>
    ledger.post({
      date,
      memo: "Sale",
      party,
      postings: [debit("1200", net * 1.21), credit("4000", net), credit("2100", net * 0.21)],
    });
  sale("cus-1", "2026-02-20", 5_000);
  sale("cus-2", "2026-02-21", 30_000);
  sale("cus-1", "2026-03-05", 10_000);
  const postings = [debit("1100", 6_050), credit("1200", 6_050)];
  ledger.post({ date: "2026-03-12", memo: "Payment", party: "cus-1", postings });
  return createShop({ store, ledger, today: () => "2026-03-14" });
}

function fetchStatement(path: string): CustomerStatement {
  const { status, body } = createBooks()({ method: "GET", url: path, body: undefined });
  assert.equal(status, 200);
  return body as CustomerStatement;
}

describe("the statement of a customer", () => {
  test("begins with what this customer owed before the month", () => {
    assert.equal(fetchStatement("/customers/cus-1/statement?month=2026-03").openingCents, 6_050);
  });

  test("lists the entries of the month with what is open after each", () => {
    const { lines } = fetchStatement("/customers/cus-1/statement?month=2026-03");
    assert.deepEqual(lines.map((line) => [line.memo, line.amountCents, line.openCents]), [
      ["Sale", 12_100, 18_150],
      ["Payment", -6_050, 12_100],
    ]);
  });

  test("ends where the next month begins", () => {
    const march = fetchStatement("/customers/cus-1/statement?month=2026-03");
    const april = fetchStatement("/customers/cus-1/statement?month=2026-04");
    assert.equal(march.closingCents, april.openingCents);
    assert.deepEqual(april.lines, []);
  });

  test("is about the current month unless told otherwise", () => {
    assert.equal(fetchStatement("/customers/cus-2/statement").month, "2026-03");
  });

  test("answers 404 for a customer that nobody knows", () => {
    assert.equal(createBooks()({ method: "GET", url: "/customers/cus-9/statement", body: undefined }).status, 404);
  });

  test("answers 422 for a month that is none", () => {
    const url = "/customers/cus-1/statement?month=March";
    assert.equal(createBooks()({ method: "GET", url, body: undefined }).status, 422);
  });
});
`;

const TRY = `node --import tsx --input-type=module -e '
import { createShop } from "./src/http/server.ts";
import { createLedger } from "./src/ledger/ledger.ts";
import { bookPayment, bookSale, priceOrder } from "./src/orders/price-order.ts";
import { createMemoryStore } from "./src/store/memory-store.ts";
import { readFileSync } from "node:fs";
const store = createMemoryStore();
const ledger = createLedger();
for (const order of JSON.parse(readFileSync("data/orders-2026-03.json", "utf8"))) {
  if (store.find("customers", order.customerId) === undefined) store.insert("customers", { id: order.customerId });
  const priced = priceOrder(order);
  bookSale(ledger, priced);
  if (order.paidOn) bookPayment(ledger, priced, order.paidOn);
}
const send = createShop({ store, ledger, today: () => "2026-03-31" });
console.log(JSON.stringify(send({ method: "GET", url: "/customers/C-118/statement", body: undefined }), null, 2));
'`;
