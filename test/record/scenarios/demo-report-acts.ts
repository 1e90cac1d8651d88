import { answer, call, think } from "../../api/replies.ts";
import type { Reply } from "../../api/scenario.ts";
import { type DemoTools, REPORT_COMMAND, testCommand } from "./demo-tools.ts";

export const REPORT_PROMPT =
  "Next: the March report. Finance says that the result of the month is too low, by exactly what was refunded. Have a look (npm run report -- 2026-03) and fix it.";

export const CORRECTION_PROMPT =
  "No, not like that: revenue has to stay gross. The tax office wants gross revenue and refunds apart, docs/ledger.md says so too. Show refunds on a line of their own, negative, and take them off once.";

const MONTHLY = "src/reports/monthly.ts";
const MONTHLY_TEST = "test/monthly.test.ts";
const RUN_TEST = testCommand(MONTHLY_TEST);

/** The second prompt: a fix that balances, and is not what was wanted. */
export function actReport({ read, bash, edit }: DemoTools): readonly Reply[] {
  return [
    answer(bash(REPORT_COMMAND, "Print the report of March")),
    answer(read(MONTHLY), read(MONTHLY_TEST), read("src/ledger/accounts.ts"), read("config/shop.json")),
    answer("The orders behind it:", read("data/orders-2026-03.json", { limit: 200 })),
    answer(
      "Before I change anything, a search for every other place that counts refunds.",
      call("Agent", {
        description: "Find uses of account 4210",
        prompt:
          "Find every place in src, scripts, docs and config that books on account 4210, reads its balance, or sums up revenue accounts. Report file, line and what it does with the amount.",
        subagent_type: "Explore",
        run_in_background: false,
      }),
    ),
    answer(
      think(
        "accountsOf('revenue') contains 4210 and 4220, the contra accounts. Their movement is negative, so revenueCents has refunds taken off already; resultCents takes them off again. Simplest: the result is the revenue.",
      ),
      "Refunds are taken off twice: once inside `revenueCents`, since 4210 is one of the revenue accounts, and once more in `resultCents`.",
      edit(MONTHLY, "    resultCents: revenueCents - refundsCents,\n", "    resultCents: revenueCents,\n"),
      edit(MONTHLY, '    ["Refunds", -report.refundsCents],\n', ""),
    ),
    answer(edit(MONTHLY_TEST, '  test("refuses what is not a month"', NETTED_TEST)),
    answer(bash(RUN_TEST, "Run the tests of the report")),
    answer(bash(`${REPORT_COMMAND} | tail -6`, "Print the totals")),
    answer(
      "The result of March is 7,335.83 now, 386.87 more than before. `revenueCents` had refunds taken off already, so I dropped the second subtraction and the line that showed it; a test covers it.",
    ),
  ];
}

/** The subagent of the second prompt. */
export function findRefundAccount({ read, bash }: DemoTools): readonly Reply[] {
  return [
    answer(bash("grep -rnE '4210|accountsOf|isContra|refundsCents' src scripts docs config", "Find the account")),
    answer(read(MONTHLY), read("src/orders/refund-order.ts")),
    answer(
      "Three places matter.\n\n- src/orders/refund-order.ts, bookRefund: the only one that books on 4210 (debit, net amount).\n- src/reports/monthly.ts, summariseMonth: sums all revenue accounts, 4210 and 4220 among them, and reads the movement of 4210 a second time for refundsCents.\n- docs/ledger.md: says that 4210 is kept apart from 4000.\n\nconfig/shop.json lists 4210 among the accounts of the report, nothing reads that list. No other code sums up revenue.",
    ),
  ];
}

/** The third prompt: what was wanted. */
export function actCorrection({ read, bash, edit }: DemoTools): readonly Reply[] {
  return [
    answer(
      "Understood: gross revenue, refunds apart. I'll read what the document promises and where the report stands.",
      read("docs/ledger.md"),
      read(MONTHLY),
      read(MONTHLY_TEST),
    ),
    answer(
      think(
        "Revenue is the sum of revenue accounts that are not contra accounts. The result stays the sum of all of them, so that 4220 counts too once somebody uses it.",
      ),
      edit(
        MONTHLY,
        '  const revenueCents = sumCents(accountsOf("revenue").map((account) => movementOf(entries, account.code)));\n',
        GROSS_REVENUE,
      ),
      edit(MONTHLY, "    resultCents: revenueCents,\n", "    resultCents,\n"),
      edit(
        MONTHLY,
        '    ["Revenue", report.revenueCents],\n',
        '    ["Revenue", report.revenueCents],\n    ["Refunds", -report.refundsCents],\n',
      ),
    ),
    answer(bash(RUN_TEST, "Run the tests of the report")),
    answer(
      "The one failure is my own test of before, which asks for net revenue.",
      edit(MONTHLY_TEST, NETTED_ASSERTS, GROSS_ASSERTS),
    ),
    answer(bash(RUN_TEST, "Run the tests of the report")),
    answer(bash(REPORT_COMMAND, "Print the report of March")),
    answer(
      "Now as you want it: revenue 7,722.70 gross, refunds -386.87 on their own line, result 7,335.83. Revenue counts only accounts that are no contra accounts; the result counts all of them, so account 4220 will be right too once it is used.",
    ),
  ];
}

const NETTED_ASSERTS = `    assert.equal(report.revenueCents, 11_000);
    assert.equal(report.resultCents, 11_000);
`;

const GROSS_ASSERTS = `    assert.equal(report.revenueCents, 12_000);
    assert.equal(report.refundsCents, 1_000);
    assert.equal(report.resultCents, 11_000);
    assert.match(renderMonth(report), /^Refunds +-10\\.00$/m);
`;

const NETTED_TEST = `  test("takes refunds off once", () => {
    const ledger = createBooks();
    ledger.post({ date: "2026-03-31", memo: "Refund", postings: [debit("4210", 1_000), credit("1200", 1_000)] });
    const report = summariseMonth(ledger, "2026-03");
${NETTED_ASSERTS}  });

  test("refuses what is not a month"`;

const GROSS_REVENUE = `  const accounts = accountsOf("revenue");
  const gross = accounts.filter((account) => !account.isContra);
  const revenueCents = sumCents(gross.map((account) => movementOf(entries, account.code)));
  const resultCents = sumCents(accounts.map((account) => movementOf(entries, account.code)));
`;
