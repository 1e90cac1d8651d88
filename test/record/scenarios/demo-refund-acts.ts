import { answer, think } from "../../api/replies.ts";
import type { Reply } from "../../api/scenario.ts";
import { type DemoTools, testCommand } from "./demo-tools.ts";

export const REFUND_PROMPT =
  'The test "a partial refund of a discounted order balances" fails since Friday, and finance has found refunds that are off by a cent. Find out why and fix it. Do not change the public API of src/ledger/ledger.ts: the warehouse system uses that file as it is.';

const REFUND = "src/orders/refund-order.ts";
const REFUND_TEST = testCommand("test/refund.test.ts");

/** The first prompt: look around, a fix that is wrong by a cent, and the one that is right. */
export function actRefund({ read, bash, edit }: DemoTools): readonly Reply[] {
  return [
    answer(
      "I'll look at what is there first, then at the failing test.",
      bash(
        "find . -type f -not -path './node_modules/*' -not -path './.claude/*' -printf '%7s  %P\\n' | sort -k2",
        "List the files with their sizes",
      ),
    ),
    answer(read("README.md"), read("package.json"), read("src/ledger/ledger.ts")),
    answer(bash(testCommand(), "Run all tests")),
    answer(
      "Two tests fail, both with an entry that is off by one cent. The ledger is right to refuse it; the refund is made elsewhere.",
      read(REFUND),
      read("test/refund.test.ts"),
      read("src/ledger/money.ts"),
    ),
    answer(bash("grep -rnE 'Math\\.|allocate|percentOf|taxOn|rateOn' src scripts test", "Find every rounding")),
    answer(read("src/orders/price-order.ts"), read("src/orders/tax.ts")),
    answer(bash(REPRODUCE, "Compare what was booked with what is refunded")),
    answer(
      think(
        "planRefund rounds net and tax line by line, but takes the total from one exact sum that is rounded once. So the sides differ. The smallest change is to make the total the sum of net and tax.",
      ),
      "The total is rounded once, net and tax are rounded per line. I'll make the total their sum.",
      edit(REFUND, EXACT_TOTAL, "  const totalCents = netCents + taxCents;\n"),
    ),
    answer(bash(REFUND_TEST, "Run the refund tests")),
    answer(
      think(
        "It balances now, but refunding all lines gives back 12,261 where 12,260 were booked. priceOrder spreads the discount with allocate, planRefund rounds each share by itself: 469 + 270 + 260 = 999, not 1,000. Recomputing is the mistake. The priced lines carry what was booked; take it from them.",
      ),
      "Balanced, yet a cent too much over the whole order: `priceOrder` spreads the discount with `allocate`, the refund rounds each share anew. The refund must take over what was booked.",
      edit(REFUND, RECOMPUTED, BOOKED),
    ),
    answer(bash(REFUND_TEST, "Run the refund tests")),
    answer("Both pass. I'll read the file once more for what is left over.", read(REFUND)),
    answer(edit(REFUND, SHARE_OF, ""), edit(REFUND, 'import { rateOn, taxOn } from "./tax.ts";\n', "")),
    answer(bash(testCommand(), "Run all tests")),
    answer(REFUND_WORDS),
  ];
}

const REPRODUCE = `node --import tsx --input-type=module -e '
import { priceOrder } from "./src/orders/price-order.ts";
import { planRefund } from "./src/orders/refund-order.ts";
const lines = [["ROPE-12", 25, 249], ["SHACKLE-8", 3, 1195], ["CHART-104", 1, 3450]].map(([sku, quantity, unitCents]) => ({ sku, quantity, unitCents, taxClass: "standard" }));
const priced = priceOrder({ id: "S-1", customerId: "C-1", placedOn: "2026-03-06", discountCents: 1000, shippingCents: 0, lines });
for (const line of priced.lines) console.log(line.sku, "booked", line.netCents, line.taxCents, line.totalCents, "refund", planRefund(priced, [line.sku]));
'`;

const EXACT_TOTAL = `  const exact = lines.map((line) => {
    const discount = (priced.order.discountCents * line.grossCents) / grossCents;
    return (line.grossCents - discount) * (1 + rateOn(priced.order.placedOn, line.taxClass) / 100);
  });
  const totalCents = Math.round(exact.reduce((sum, amount) => sum + amount, 0));
`;

const RECOMPUTED = `  const grossCents = sumCents(priced.lines.map((line) => line.grossCents));
  const shares = lines.map((line) => shareOf(line, priced.order.discountCents, grossCents));
  const netCents = sumCents(shares);
  const taxCents = sumCents(lines.map((line, index) => taxOn(shares[index] ?? 0, priced.order.placedOn, line.taxClass)));
`;

const BOOKED = `  const netCents = sumCents(lines.map((line) => line.netCents));
  const taxCents = sumCents(lines.map((line) => line.taxCents));
`;

const SHARE_OF = `/** A line's price less its share of the order's discount. */
function shareOf(line: PricedLine, discountCents: Cents, grossCents: Cents): Cents {
  return line.grossCents - Math.round((discountCents * line.grossCents) / grossCents);
}

`;

const REFUND_WORDS = `Fixed, and all tests pass.

**Cause.** \`planRefund\` worked out discount and tax a second time, with a rounding of its own. \`priceOrder\` spreads a discount with \`allocate\`, which gives the spare cent to the largest remainder; the refund rounded every share by itself. For 10.00 off three lines that made 9.99.

**Decision.** A refund now takes net and tax from the priced lines, as they were booked. I decided against putting \`allocate\` into the refund as well: it would come out right today, but two places would have to round alike for ever, and a refund of some lines has no way to know which line got the spare cent.

\`src/ledger/ledger.ts\` is untouched; only \`src/orders/refund-order.ts\` changed.`;
