/** If red: the budget block of the startup context is not laid out as documented. */
import { describe, expect, it } from "vitest";
import { renderContextBudget } from "./render-context-budget.ts";

describe("renderContextBudget", () => {
  it("[R87] prints the block of the seed", () => {
    const text = renderContextBudget({
      baselineTokens: 41_400,
      windowTokens: 200_000,
      isRecorded: true,
      servers: [
        { name: "browser", tools: 21, tokens: 7321 },
        { name: "issues", tools: 45, tokens: 12_800 },
        { name: "memory", tools: 9, tokens: 2100 },
      ],
    });
    expect(text).toBe(
      [
        "### Context Budget",
        "- **Baseline cost**: ~41k tokens (20.7% of estimated window)",
        "- **MCP tools loaded**: 75 across 3 servers",
        "- **Top consumers**: issues (45 tools), browser (21 tools)",
        "- **Recommendation**: Disable browser to save ~7.3k tokens",
      ].join("\n"),
    );
  });

  it("[R87] names what else can go where there is no server", () => {
    const text = renderContextBudget({ baselineTokens: 40_000, windowTokens: 200_000, isRecorded: true, servers: [] });
    expect(text).toContain("~40k tokens (20% of estimated window)");
    expect(text).toContain("**Top consumers**: none");
    expect(text).toContain("Shorten the instruction files");
  });
});
