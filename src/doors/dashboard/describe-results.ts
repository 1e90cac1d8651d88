import type { CloseLook, ResultSizes } from "./close-look.ts";
import { countAll, joinHistograms, quantileOf } from "./histogram.ts";
import type { ToolResults } from "./wire.ts";

/** How much each tool has put into windows, the heaviest first. */
export function describeResults(looks: readonly CloseLook[]): readonly ToolResults[] {
  const byTool = new Map<string, ResultSizes[]>();
  for (const { results } of looks)
    for (const [tool, sizes] of Object.entries(results)) byTool.set(tool, [...(byTool.get(tool) ?? []), sizes]);
  return [...byTool]
    .map(([tool, all]): ToolResults => {
      const sizes = joinHistograms(all.map((one) => one.sizes));
      return {
        tool,
        count: countAll(sizes),
        totalTokens: all.reduce((sum, { totalTokens }) => sum + totalTokens, 0),
        medianTokens: Math.round(quantileOf(sizes, 0.5)),
        largestTokens: Math.round(quantileOf(sizes, 1)),
      };
    })
    .sort((left, right) => right.totalTokens - left.totalTokens);
}
