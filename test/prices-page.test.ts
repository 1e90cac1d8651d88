/** If red: the published page of prices differs from the prices that are used. */
import { describe, expect, it } from "vitest";
import { quotePrice } from "../src/models/economics/prices.ts";
import { CACHE_LIFE_MS } from "../src/models/find-model.ts";
import type { ModelRow } from "../src/models/model-row.ts";
import { MODELS, PRICES_AS_OF } from "../src/models/model-table.ts";
import { OTHER_VENDORS } from "../src/models/other-vendors.ts";

const ANTHROPIC = "platform.claude.com/docs/en/about-claude/pricing";

/** The name that a person knows a row by. */
function nameRow({ id }: ModelRow): string {
  return id.source
    .replace(/\(\?![^)]*\)/g, "")
    .replace("(?:fable|mythos)", "fable/mythos")
    .replace(/\(\?:([^)]*)\)\?/g, "[$1]")
    .replaceAll("|", "/");
}

/** What every entry point loads has no room for it: the one row of Anthropic's models that its own pages do not hold yet. */
const QUOTED = new Map([
  ["fable/mythos-5-2", "docs.laozhang.ai/en/announcements/claude-fable-5-2-2026-11, 2026-11-10"],
]);

function nameSource(row: ModelRow): string {
  const { price } = row;
  const quoted = QUOTED.get(nameRow(row));
  if (quoted !== undefined) return quoted;
  if (!price?.source) return price?.isAssumed ? "the most similar model" : `${ANTHROPIC}, ${PRICES_AS_OF}`;
  const { page, readOn, by } = price.source;
  return `${page}, ${readOn}${by === undefined ? "" : ` (copied by ${by})`}`;
}

const money = (usd: number): string => String(Number(usd.toFixed(4)));

/** A row without a source has that of the row above. */
function renderRow(row: ModelRow, index: number, rows: readonly ModelRow[]): string {
  const quoted = quotePrice("", {}, row)?.price;
  const name = nameRow(row);
  if (!quoted || !row.price) return `| ${name} | no price | | | | no page lists it |`;
  const { long, isAssumed } = row.price;
  const above = rows[index - 1];
  const source = above?.price && nameSource(above) === nameSource(row) ? "" : nameSource(row);
  const writes = [...new Set([quoted.cacheWrite5m, quoted.cacheWrite1h])].map(money).join(", ");
  const longer = long ? `; above ${long.aboveTokens / 1000}k ×${long.inputTimes}, ×${long.outputTimes}` : "";
  const cells = [name, `${money(quoted.input)}, ${money(quoted.output)}${longer}`, money(quoted.cacheRead), writes];
  return `| ${[...cells, row.minCacheTokens, [source, isAssumed ? "assumed" : ""].filter(Boolean).join(": ")].join(" | ")} |`;
}

/** The rows of the other vendors that cache for so many minutes; all rows of Anthropic's cache for `CACHE_LIFE_MS`. */
function listCaching(minutes: number): string {
  const lifeOf = ({ cacheLifeMs = CACHE_LIFE_MS }: ModelRow) => Object.values(cacheLifeMs)[0];
  return OTHER_VENDORS.filter((row) => row.price && lifeOf(row) === minutes * 60_000)
    .map(nameRow)
    .join(", ");
}

function renderFormer(row: ModelRow): readonly string[] {
  return (row.price?.before ?? []).map(({ until, price }) => {
    const former = quotePrice("", {}, { price })?.price;
    const longer = price.long
      ? `; above ${price.long.aboveTokens / 1000}k ×${price.long.inputTimes}, ×${price.long.outputTimes}`
      : "";
    return `- ${nameRow(row)} until ${until}: ${money(former?.input ?? 0)}, ${money(former?.output ?? 0)}${longer}; read ${money(former?.cacheRead ?? 0)}`;
  });
}

const PAGE = `# Prices and cache rules

For people who check a sum in dollars. This page lists every price that Plimsoll uses, in dollars per million tokens, with its source and the day we read it. If the source is empty, it is the same as in the row above. \`npx vitest run test/prices-page.test.ts -u\` generates the page from [the table](../src/models/model-table.ts).

- Plimsoll replaces dots in the model's id with dashes, and uses the first row whose name occurs in the result. Parts in brackets are optional.
- "Above 272k ×2, ×1.5": if a request has more than 272k input tokens, all of its input costs twice as much and all of its output 1.5 times as much.
- A price is "assumed" if no source states it in full. For a model without a price, Plimsoll shows no cost, and marks totals that include it with "at least".
- If the agent recorded a cost in dollars, Plimsoll uses that cost; \`plimsoll stats\` also shows the cost at list prices.
- For subscriptions, Plimsoll shows what the requests would cost at list prices.

| model | input, output | cache read | cache write | minimum cached tokens | source |
|---|---|---|---|---|---|
${MODELS.map(renderRow).join("\n")}

Former prices, for requests from that time:

${MODELS.flatMap(renderFormer).join("\n")}

**Cache lifetime.** For Claude models, a cache entry lives 5 or 60 minutes; the first cache write price is for 5 minutes, the second for 60. For these models, it lives 30 minutes: ${listCaching(30)}. For all other models, Plimsoll assumes 5 minutes. OpenAI states 5 to 10 minutes (developers.openai.com/api/docs/guides/prompt-caching), and Google states no lifetime (ai.google.dev/gemini-api/docs/caching, 2026-10-13).

## Compared with other counters

According to Plimsoll, the public sessions that we test with (11,652 requests) cost $1,146.78 in total. An independent program and ccusage 20.0.24 give the same amount to the cent ([details](research/features.md#dollars-next-to-ccusage)).
`;

describe("the page of prices", () => {
  it("is written from the table", async () => {
    await expect(PAGE).toMatchFileSnapshot("../docs/prices.md");
  });

  it("names a public page and a day for every price of another vendor", () => {
    for (const { id, price } of OTHER_VENDORS) {
      if (!price) continue;
      expect(price.source?.page, String(id)).toMatch(/^[a-z0-9.-]+\.[a-z]{2,}(?:\/|$)/);
      expect(price.source?.readOn, String(id)).toMatch(/^2026-(?:0[5-9]|1[01])-\d\d$/);
    }
  });

  it("tells no price as published that nobody is named for", () => {
    for (const row of MODELS.filter(({ price }) => price && !price.isAssumed))
      expect(row.price?.source !== undefined || /opus|sonnet|haiku|fable/.test(row.id.source), String(row.id)).toBe(
        true,
      );
  });
});
