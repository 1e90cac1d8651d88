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

/** What every door loads has no room for it: the one row of Anthropic's models that its own pages do not hold yet. */
const QUOTED = new Map([
  ["fable/mythos-5-2", "docs.laozhang.ai/en/announcements/claude-fable-5-2-2026-11, 2026-11-10"],
]);

function nameSource(row: ModelRow): string {
  const { price } = row;
  const quoted = QUOTED.get(nameRow(row));
  if (quoted !== undefined) return quoted;
  if (!price?.source) return price?.isAssumed ? "the nearest relative" : `${ANTHROPIC}, ${PRICES_AS_OF}`;
  const { page, readOn, by } = price.source;
  return `${page}, ${readOn}${by === undefined ? "" : ` (copied by ${by})`}`;
}

const money = (usd: number): string => String(Number(usd.toFixed(4)));

function renderRow(row: ModelRow): string {
  const quoted = quotePrice("", {}, row)?.price;
  const name = nameRow(row);
  if (!quoted || !row.price) return `| ${name} | no price | | | | | no page lists it |`;
  const { long, isAssumed } = row.price;
  const writes = [...new Set([quoted.cacheWrite5m, quoted.cacheWrite1h])].map(money).join(", ");
  const minutes = [...new Set(Object.values(row.cacheLifeMs ?? CACHE_LIFE_MS))].map((ms) => ms / 60_000);
  const lives = row.cachesUnmarked ? minutes.slice(0, 1) : minutes;
  const longer = long ? `; above ${long.aboveTokens / 1000}k ×${long.inputTimes}, ×${long.outputTimes}` : "";
  const cells = [name, `${money(quoted.input)}, ${money(quoted.output)}${longer}`, money(quoted.cacheRead), writes];
  return `| ${[...cells, lives.join(", "), row.minCacheTokens, `${nameSource(row)}${isAssumed ? ": assumed" : ""}`].join(" | ")} |`;
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

Every price that Plimsoll uses, with the page it was read on and the day. This page is written from one table in the source, [model-table.ts](../src/models/model-table.ts) and
[other-vendors.ts](../src/models/other-vendors.ts): \`npx vitest run test/prices-page.test.ts -u\`. The first name that occurs in a model's id counts, with dots read as dashes. Parts in brackets are optional.

Prices are dollars per million tokens. "Above 272k ×2, ×1.5" means that a request with more input than that costs so many times as much, for all of its input and output. A price is marked as assumed if no page that can be named states it, or not all of it; dollars at such a price are marked, too. A model without a price has no dollars, and sums that include its requests are marked "at least". A past request costs what was listed on its day; former prices are below the table. Dollars that a client recorded are used as they are. A subscription is not billed by tokens: there, dollars say what the same requests cost at list prices.

| model | input, output | read from the cache | written to it | lives for minutes | cached from tokens on | source |
|---|---|---|---|---|---|---|
${MODELS.map(renderRow).join("\n")}

Former prices:

${MODELS.flatMap(renderFormer).join("\n")}

**Cache rules.** OpenAI's are from developers.openai.com/api/docs/guides/prompt-caching: before GPT-5.6, writing is free and a prompt stays cached for 5 to 10 minutes without use (5 is used here); from GPT-5.6 on, writing costs 1.25 times the input and lasts 30 minutes. Google's are from ai.google.dev/gemini-api/docs/caching, read on 2026-10-13. It states no lifetime and promises no hit, so five minutes is a guess; it decides what a break is said to have cost, and no recorded dollar.

## Counted by others

All public sessions (11,652 requests) come to $1,146.78. That equals, to the cent, day by day and model by model, a loop that shares no code with Plimsoll (\`test/dollars.deep.test.ts\`).
ccusage 20.0.24 gives the same tokens and the same $1,146.78. The older ccusage 18.0.11, the last that runs without a program of its own, gives $580.97 offline. Four differences add up to the cent:

| what ccusage 18.0.11 does | dollars | left |
|---|---|---|
| does not read subagents that older clients recorded in lines of their parent (\`progress\`, 500 requests) | −31.21 | 1,115.58 |
| takes the output of an answer's first line, which the client wrote while the answer was still streaming; Plimsoll takes the largest | −19.34 | 1,096.24 |
| prices what is written to the cache for an hour like what is written for five minutes | −88.34 | 1,007.90 |
| has no price for claude-fable-5, claude-opus-5 and claude-sonnet-5 in its own list | −426.93 | 580.97 |

pi and OpenCode record their own dollars, and Plimsoll uses them if they are above zero (a subscription records zero). \`plimsoll stats\` shows the list price of the same requests.
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
