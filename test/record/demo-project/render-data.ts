/** The demo project's data: a month of orders and the shop's configuration. The same on every run. */

interface Ware {
  readonly sku: string;
  readonly unitCents: number;
  readonly taxClass: string;
  /** What people buy at once. */
  readonly usual: number;
}

const WARES: readonly Ware[] = [
  { sku: "ROPE-12", unitCents: 249, taxClass: "standard", usual: 25 },
  { sku: "ROPE-16-TARRED", unitCents: 415, taxClass: "standard", usual: 18 },
  { sku: "SHACKLE-8", unitCents: 1_195, taxClass: "standard", usual: 3 },
  { sku: "SHACKLE-12-BOW", unitCents: 1_849, taxClass: "standard", usual: 2 },
  { sku: "CHART-104", unitCents: 3_450, taxClass: "reduced", usual: 1 },
  { sku: "CHART-211-COAST", unitCents: 3_975, taxClass: "reduced", usual: 1 },
  { sku: "PILOT-BOOK-NS", unitCents: 5_490, taxClass: "reduced", usual: 1 },
  { sku: "LAMP-ANCHOR-LED", unitCents: 6_299, taxClass: "standard", usual: 1 },
  { sku: "PAINT-HULL-BLUE", unitCents: 4_635, taxClass: "standard", usual: 4 },
  { sku: "VARNISH-SPAR", unitCents: 3_329, taxClass: "standard", usual: 2 },
  { sku: "FENDER-F3", unitCents: 5_789, taxClass: "standard", usual: 4 },
  { sku: "FLARE-SET", unitCents: 8_950, taxClass: "standard", usual: 1 },
  { sku: "BLOCK-40-DOUBLE", unitCents: 3_815, taxClass: "standard", usual: 2 },
  { sku: "STORES-EXPORT", unitCents: 17_250, taxClass: "exempt", usual: 1 },
];

const DISCOUNTS: readonly number[] = [0, 0, 1_000, 0, 500, 0, 0, 1_003];
const SHIPPING: readonly number[] = [690, 0, 690, 1_490, 690, 4_900];
const ORDERS = 44;

/** Renders `data/orders-2026-03.json`: every eighth order was refunded in part, every ninth is not paid yet. */
export function renderOrders(): string {
  const orders = Array.from({ length: ORDERS }, (_, index) => {
    const placed = 1 + Math.floor((index * 27) / ORDERS);
    const lines = Array.from({ length: 1 + ((index * 5) % 4) }, (__, place) => {
      const { usual, ...ware } = wareAt(index * 3 + place * 5);
      return {
        sku: ware.sku,
        quantity: 1 + ((index + place * 2) % usual),
        unitCents: ware.unitCents,
        taxClass: ware.taxClass,
      };
    });
    const isRefunded = index % 8 === 5;
    return {
      id: `S-${2001 + index}`,
      customerId: `C-${101 + ((index * 17) % 29)}`,
      placedOn: dayOf(placed),
      discountCents: pick(DISCOUNTS, lines.length > 1 ? index : 0),
      shippingCents: pick(SHIPPING, index),
      lines,
      ...(index % 9 === 4 ? {} : { paidOn: dayOf(Math.min(31, placed + 1 + (index % 5))) }),
      ...(isRefunded ? { refund: { skus: [lines[0]?.sku], grantedOn: dayOf(Math.min(31, placed + 4)) } } : {}),
    };
  });
  return `${JSON.stringify(orders, null, 2)}\n`;
}

/** Renders `config/shop.json`. */
export function renderConfig(): string {
  const zones = ["home", "nordic", "baltic", "north sea", "channel", "elsewhere"].map((name, index) => ({
    name,
    countries: [["NO"], ["SE", "DK", "FI"], ["EE", "LV", "LT", "PL"], ["NL", "DE", "BE"], ["GB", "IE", "FR"], []][
      index
    ],
    days: 1 + index * 2,
    prices: [500, 2_000, 10_000, 30_000].map((upToGrams, step) => ({
      upToGrams,
      cents: 490 + index * 300 + step * (400 + index * 150),
    })),
    freight: index < 4,
  }));
  const warehouses = ["fredrikstad", "bergen", "delfzijl"].map((name, index) => ({
    name,
    aisles: ["A", "B", "C", "D", "E"].slice(0, 5 - index),
    countsStockOn: ["2026-01-09", "2026-04-10", "2026-07-10", "2026-10-09"],
    pickup: index < 2,
  }));
  const hours = Object.fromEntries(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].map((day, index) => [
      day,
      index === 5 ? { opens: "09:00", closes: "14:00" } : { opens: "07:00", closes: index === 3 ? "19:00" : "17:00" },
    ]),
  );
  const invoices = { dueAfterDays: 14, letterAfterDays: 21, currency: "NOK", languages: ["nb", "en", "de", "nl"] };
  const reports = {
    month: { day: 1, hour: 6, accounts: ["4000", "4100", "4210", "2100", "1200"] },
    year: { closesOn: "01-31" },
  };
  return `${JSON.stringify({ name: "Chandlery", zones, warehouses, hours, invoices, reports }, null, 2)}\n`;
}

function dayOf(day: number): string {
  return `2026-03-${String(day).padStart(2, "0")}`;
}

function pick(values: readonly number[], index: number): number {
  return values[index % values.length] ?? 0;
}

function wareAt(index: number): Ware {
  const ware = WARES[index % WARES.length];
  if (ware === undefined) throw new RangeError("the shop sells nothing");
  return ware;
}
