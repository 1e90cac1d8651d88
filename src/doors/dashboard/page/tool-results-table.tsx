import type { ComponentChild } from "preact";
import type { SpendView, ToolResults } from "../wire.ts";
import { renderInteger, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Bar, Table } from "./table.tsx";

/** What each tool has put into windows, the heaviest first. */
export function ToolResultsTable({ results }: Pick<SpendView, "results">): ComponentChild {
  const most = results.reduce((largest, { totalTokens }) => Math.max(largest, totalTokens), 1);
  return (
    <section aria-labelledby="results">
      <h2 id="results">What your tools put into the window</h2>
      {results.length === 0 ? (
        <p class="quiet">No tool result is recorded yet.</p>
      ) : (
        <Table<ToolResults>
          caption="Tokens of tool results, by tool"
          keyOf={({ tool }) => tool}
          rows={results}
          most={8}
          columns={[
            { name: "Tool", render: ({ tool }) => <Safe text={tool} />, sortBy: ({ tool }) => tool },
            {
              name: "Results",
              render: ({ count }) => renderInteger(count),
              sortBy: ({ count }) => count,
              isNumber: true,
              isExtra: true,
            },
            {
              name: "Half are below",
              render: ({ medianTokens }) => renderTokens(medianTokens),
              sortBy: ({ medianTokens }) => medianTokens,
              isNumber: true,
            },
            {
              name: "Largest",
              render: ({ largestTokens }) => renderTokens(largestTokens),
              sortBy: ({ largestTokens }) => largestTokens,
              isNumber: true,
            },
            {
              name: "All together",
              render: ({ totalTokens }) => (
                <>
                  {renderTokens(totalTokens)}
                  <Bar share={totalTokens / most} />
                </>
              ),
              sortBy: ({ totalTokens }) => totalTokens,
              isNumber: true,
            },
          ]}
        />
      )}
    </section>
  );
}
