import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AccountRow, SessionSpend, SpendReport } from "../wire.ts";
import { AnsweredState } from "./answered-state.tsx";
import { useIsReading } from "./connection.ts";
import { chooseUnit, DayChart, LAST_MONTH, PARTS, RangeChoice, renderPart } from "./day-chart.tsx";
import {
  plural,
  renderInteger,
  renderLowerUsd,
  renderProject,
  renderShareText,
  renderTokens,
  sumUsd,
} from "./format.ts";
import { Safe, showOneLine } from "./safe.tsx";
import { Empty, Panel, type StatRow, Stats, WaitingState } from "./states.tsx";
import { barColumn, costColumn, countColumn, type TableColumn, TableSection } from "./table.tsx";

export function SpendView(): ComponentChild {
  const isReading = useIsReading();
  const [chosen, choose] = useState<string>();
  const range = chosen ?? LAST_MONTH;
  return (
    <>
      <h1 tabIndex={-1}>Spend</h1>
      <RangeChoice range={range} onChoose={choose} />
      <AnsweredState<SpendReport> question={range === "" ? "spend" : `spend?${range}`}>
        {(spend) =>
          spend.total.requests > 0 ? (
            <Accounts spend={spend} onChoose={choose} />
          ) : isReading ? (
            <WaitingState />
          ) : chosen === undefined ? (
            <LookFurther onEmpty={() => choose("")} />
          ) : (
            <Empty
              title={range === "" ? "Nothing has been billed yet" : "Nothing was billed in these days"}
              {...(range === "" ? { command: "claude" } : {})}
            >
              {range === ""
                ? "Every request of a recorded session is counted here, by day, project and model."
                : "Choose other days above, or all time."}
            </Empty>
          )
        }
      </AnsweredState>
    </>
  );
}

/** Nothing in the last 30 days: all time, without being asked. */
function LookFurther({ onEmpty }: { readonly onEmpty: () => void }): ComponentChild {
  useEffect(onEmpty, []);
  return <WaitingState />;
}

interface AccountsProperties {
  readonly spend: SpendReport;
  readonly onChoose: (range: string) => void;
}

function Accounts({ spend, onChoose }: AccountsProperties): ComponentChild {
  const unit = chooseUnit(spend.byDay);
  const { total, byDay, byProject, byModel, byHost, pricesAsOf } = spend;
  return (
    <>
      <p class="lead">
        Costs are at the list prices of {pricesAsOf}. On a subscription, they show what the same work would cost if it
        were billed by the token.
        {total.unpriced > 0 &&
          ` ${plural(total.unpriced, "request")} of models without a known price are not included in the cost.`}
        {total.unfinal > 0 &&
          ` Older versions of the agent logged the output of ${plural(total.unfinal, "request")} too early, so its cost is a lower bound.`}
      </p>
      <Stats rows={listParts(total)} isWide />
      <Panel id="by-day" title={`By ${unit}`} isCard>
        <DayChart rows={unit === "day" ? byDay : spend.byWeek} unit={unit} onChoose={onChoose} />
      </Panel>
      <Sessions rows={spend.bySession} />
      <By what="Project" rows={byProject} />
      {byHost.length > 0 && <By what="Agent" rows={byHost} />}
      <By what="Model" rows={byModel} />
      {total.isAssumed && <p class="note">* at a price that the vendor's own page does not confirm</p>}
      <Misses misses={spend.misses} />
      <ToolResultsTable results={spend.results} />
      <Repeated repeated={spend.repeated} />
      <Injections injections={spend.injections} />
    </>
  );
}

function Sessions({ rows }: { readonly rows: SpendReport["bySession"] }): ComponentChild {
  const [, ...columns] = planColumns<SessionSpend>("Session", rows);
  const name = ({ session, title }: SessionSpend): ComponentChild =>
    session === undefined ? (
      <>
        <Safe text={title} /> <span class="meta">deleted, its sums are kept</span>
      </>
    ) : (
      <a href={`#/session/${session}`}>
        <Safe text={title} />
      </a>
    );
  return (
    <TableSection<SessionSpend>
      id="by-session"
      title="By session"
      caption="Dollars by session, of these days"
      columns={[{ name: "Session", render: name, sortBy: ({ title }) => title }, ...columns]}
      rows={rows}
      most={5}
      keyOf={({ key }) => key}
    />
  );
}

function By({ what, rows }: Readonly<{ what: string; rows: readonly AccountRow[] }>): ComponentChild {
  const name = what.toLowerCase();
  return (
    <TableSection
      id={`by-${name}`}
      title={`By ${name}`}
      caption={`Dollars by ${name}`}
      columns={planColumns(what, rows)}
      rows={rows}
      most={what === "Agent" ? rows.length : 12}
      keyOf={({ key }) => key}
    />
  );
}

function listParts(total: AccountRow): readonly StatRow[] {
  const { totalUsd, isAtLeast, requests } = total;
  return [
    ["In total", renderLowerUsd(totalUsd, isAtLeast), plural(requests, "request")],
    ...PARTS.map(([field, name, , about]): StatRow => {
      // No share can be given of a lower bound.
      const share = isAtLeast || totalUsd === 0 ? "" : `${renderShareText(total[field] / totalUsd)} of the total: `;
      return [name, renderPart(total, field), `${share}${about}`];
    }),
  ];
}

function planColumns<Row extends AccountRow>(name: string, rows: readonly Row[]): readonly TableColumn<Row>[] {
  return [
    { name, render: ({ key }) => <Safe text={renderProject(key)} />, sortBy: ({ key }) => key },
    countColumn("Requests", ({ requests }) => requests, renderInteger, true),
    ...PARTS.slice(0, 3).map(([field, part]) =>
      countColumn<Row>(
        part,
        (row) => row[field],
        (_, row) => (row.unpriced === row.requests ? "–" : renderPart(row, field)),
        true,
      ),
    ),
    barColumn(
      "Cost",
      rows,
      ({ totalUsd }) => totalUsd,
      (usd, { requests, unpriced, isAssumed, isAtLeast }) =>
        unpriced === requests ? "no price" : `${renderLowerUsd(usd, isAtLeast)}${isAssumed ? " *" : ""}`,
    ),
  ];
}

function Misses({ misses }: Pick<SpendReport, "misses">): ComponentChild {
  const total = sumUsd(misses);
  const rows = misses.filter(({ count }) => count > 0);
  return (
    <TableSection<SpendReport["misses"][number]>
      id="misses"
      title="What was paid for twice"
      quiet="No request had to write cached text to the cache again."
      note={
        <p class="note">
          {renderLowerUsd(total.usd, total.isAtLeast)} extra, because cached text had to be written to the prompt cache
          again.
        </p>
      }
      caption="Rewrites of the prompt cache by reason"
      keyOf={({ cause }) => cause}
      rows={[...rows].sort((left, right) => right.usd - left.usd)}
      columns={[
        { name: "Reason", render: ({ cause }) => cause },
        { name: "Times", render: ({ count }) => renderInteger(count), isNumber: true },
        countColumn("Tokens", ({ tokens }) => tokens, renderTokens, true),
        barColumn(
          "Price",
          rows,
          ({ usd }) => usd,
          (usd, { isAtLeast }) => renderLowerUsd(usd, isAtLeast),
        ),
      ]}
    />
  );
}

function Repeated({ repeated }: Pick<SpendReport, "repeated">): ComponentChild {
  return (
    <TableSection<SpendReport["repeated"][number]>
      id="repeated"
      title="What the agent added to a window twice"
      quiet="No text was added to a window that already contained it."
      caption="Texts that were put into the same window again"
      keyOf={({ label, start, tokens }) => `${label} ${start} ${tokens}`}
      rows={repeated}
      most={8}
      columns={[
        {
          name: "Text",
          render: ({ label, start }) => (
            <>
              <span class="clip">
                <Safe text={`${showOneLine(start)}…`} />
              </span>
              <span class="meta">
                <Safe text={label.replaceAll("_", " ")} />
              </span>
            </>
          ),
          sortBy: ({ start }) => showOneLine(start),
        },
        { name: "Repeats", render: ({ repeats }) => renderInteger(repeats), isNumber: true },
        countColumn("Tokens each", ({ tokens }) => tokens, renderTokens, true),
        { name: "In requests", render: ({ requests }) => renderInteger(requests), isNumber: true, isExtra: true },
        costColumn(({ usd }) => usd),
      ]}
    />
  );
}

function Injections({ injections }: Pick<SpendReport, "injections">): ComponentChild {
  return (
    <TableSection<SpendReport["injections"][number]>
      id="injections"
      title="What Plimsoll added to the window"
      quiet="Plimsoll added nothing. Run plimsoll doctor to see whether Plimsoll is installed in the agent."
      caption="Injections by Plimsoll"
      keyOf={({ what }) => what}
      rows={injections}
      columns={[
        { name: "What", render: ({ what }) => what },
        { name: "Times", render: ({ times }) => renderInteger(times), isNumber: true },
        countColumn("Tokens", ({ tokens }) => tokens, renderTokens, true),
        { name: "In requests", render: ({ requests }) => renderInteger(requests), isNumber: true, isExtra: true },
        costColumn(({ usd }) => usd),
      ]}
    />
  );
}

function ToolResultsTable({ results }: Pick<SpendReport, "results">): ComponentChild {
  return (
    <TableSection<SpendReport["results"][number]>
      id="results"
      title="What your tools put into the window"
      quiet="No tool result is recorded yet."
      caption="Tokens of tool results, by tool"
      keyOf={({ tool }) => tool}
      rows={results}
      most={8}
      columns={[
        { name: "Tool", render: ({ tool }) => <Safe text={tool} />, sortBy: ({ tool }) => tool },
        countColumn("Results", ({ count }) => count, renderInteger, true),
        countColumn("Median", ({ medianTokens }) => medianTokens, renderTokens),
        countColumn("Largest", ({ largestTokens }) => largestTokens, renderTokens),
        barColumn("Total", results, ({ totalTokens }) => totalTokens, renderTokens),
      ]}
    />
  );
}
