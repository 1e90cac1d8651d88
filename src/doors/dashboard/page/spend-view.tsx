import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { MissedUsd } from "../../../measure/cache-miss.ts";
import type { AccountRow, SpendView as Spend } from "../wire.ts";
import { DayChart, RangeChoice } from "./day-chart.tsx";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderInteger, renderLowerUsd, renderProject, renderShareText, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { sumColumns } from "./session-columns.tsx";
import { Stat } from "./stat.tsx";
import { AnsweredState, Empty, WaitingState } from "./states.tsx";
import { Bar, showOneLine, Table, type TableColumn } from "./table.tsx";
import { ToolResultsTable } from "./tool-results-table.tsx";

interface SpendProperties {
  readonly version: number;
  /** Not all files have been read: that there is nothing is not known yet. */
  readonly isReading: boolean;
}

export function SpendView({ version, isReading }: SpendProperties): ComponentChild {
  const [range, choose] = useState("");
  const answer = useAnswer<Spend>(range === "" ? "spend" : `spend?${range}`, version);
  return (
    <>
      <h1 tabIndex={-1}>Spend</h1>
      <RangeChoice range={range} onChoose={choose} />
      <AnsweredState answer={answer}>
        {(spend) =>
          isReading && spend.total.requests === 0 ? (
            <WaitingState />
          ) : spend.total.requests === 0 ? (
            <Empty
              title={range === "" ? "Nothing has been billed yet" : "Nothing was billed in these days"}
              {...(range === "" ? { command: "claude" } : {})}
            >
              Every request of a recorded session is counted here, by day, project and model.
            </Empty>
          ) : (
            <Accounts spend={spend} />
          )
        }
      </AnsweredState>
    </>
  );
}

function Accounts({ spend }: { readonly spend: Spend }): ComponentChild {
  const { total, byDay, byProject, byModel, byHost, pricesAsOf } = spend;
  return (
    <>
      <p class="lead">
        At the list prices of {pricesAsOf}; on a subscription this is what the same work would cost by the token.
        {total.unpriced > 0 &&
          ` ${plural(total.unpriced, "request")} of models without a known price are left out of the dollars.`}
        {total.unfinal > 0 &&
          ` Older clients logged the output of ${plural(total.unfinal, "request")} too early, so its cost is a lower bound.`}
      </p>
      <dl class="stats stats-wide">
        <Stat name="In total" note={plural(total.requests, "request")}>
          {renderLowerUsd(total.totalUsd, total.isAtLeast)}
        </Stat>
        <Stat name="Cache reads" note={`${describePart(total, total.cacheReadUsd)}sent again, at a tenth of the price`}>
          {renderLowerUsd(total.cacheReadUsd, total.unpriced > 0)}
        </Stat>
        <Stat name="Cache writes" note={`${describePart(total, total.cacheWriteUsd)}sent for the first time, or again`}>
          {renderLowerUsd(total.cacheWriteUsd, total.unpriced > 0)}
        </Stat>
        <Stat name="Output" note={`${describePart(total, total.outputUsd)}written by the model`}>
          {renderLowerUsd(total.outputUsd, total.isAtLeast)}
        </Stat>
        <Stat name="Uncached input" note={`${describePart(total, total.inputUsd)}sent at the full price`}>
          {renderLowerUsd(total.inputUsd, total.unpriced > 0)}
        </Stat>
      </dl>
      <section class="card" aria-labelledby="by-day">
        <h2 id="by-day">By day</h2>
        <DayChart rows={byDay} />
      </section>
      <section aria-labelledby="by-project">
        <h2 id="by-project">By project</h2>
        <Table
          caption="Dollars by project"
          columns={planColumns("Project", byProject)}
          rows={byProject}
          most={12}
          keyOf={({ key }) => key}
        />
      </section>
      {byHost.length > 0 && (
        <section aria-labelledby="by-client">
          <h2 id="by-client">By client</h2>
          <Table
            caption="Dollars by client"
            columns={planColumns("Client", byHost)}
            rows={byHost}
            keyOf={({ key }) => key}
          />
        </section>
      )}
      <section aria-labelledby="by-model">
        <h2 id="by-model">By model</h2>
        <Table
          caption="Dollars by model"
          columns={planColumns("Model", byModel)}
          rows={byModel}
          most={12}
          keyOf={({ key }) => key}
        />
      </section>
      {total.isAssumed && <p class="note">* at a price that the vendor's own page does not confirm</p>}
      <Misses misses={spend.misses} />
      <ToolResultsTable results={spend.results} />
      <Repeated spend={spend} />
      <Injections spend={spend} />
    </>
  );
}

/** Of a lower bound no share can be told. */
function describePart({ totalUsd, isAtLeast }: AccountRow, usd: number): string {
  return isAtLeast || totalUsd === 0 ? "" : `${renderShareText(usd / totalUsd)} of it: `;
}

function planColumns(name: string, rows: readonly AccountRow[]): readonly TableColumn<AccountRow>[] {
  const most = rows.reduce((largest, { totalUsd }) => Math.max(largest, totalUsd), 1e-9);
  return [
    { name, render: ({ key }) => <Safe text={renderProject(key)} />, sortBy: ({ key }) => key },
    {
      name: "Requests",
      render: ({ requests }) => renderInteger(requests),
      sortBy: ({ requests }) => requests,
      isNumber: true,
      isExtra: true,
    },
    dollars("Cache reads", ({ cacheReadUsd, unpriced }) => ({ usd: cacheReadUsd, isAtLeast: unpriced > 0 })),
    dollars("Cache writes", ({ cacheWriteUsd, unpriced }) => ({ usd: cacheWriteUsd, isAtLeast: unpriced > 0 })),
    dollars("Output", ({ outputUsd, isAtLeast }) => ({ usd: outputUsd, isAtLeast })),
    {
      name: "Cost",
      render: ({ totalUsd, requests, unpriced, isAssumed, isAtLeast }) => (
        <>
          {unpriced === requests ? "no price" : `${renderLowerUsd(totalUsd, isAtLeast)}${isAssumed ? " *" : ""}`}
          <Bar share={totalUsd / most} />
        </>
      ),
      sortBy: ({ totalUsd }) => totalUsd,
      isNumber: true,
    },
  ];
}

function dollars(name: string, take: (row: AccountRow) => MissedUsd): TableColumn<AccountRow> {
  const render = (row: AccountRow): string => {
    const { usd, isAtLeast } = take(row);
    return row.unpriced === row.requests ? "–" : renderLowerUsd(usd, isAtLeast);
  };
  return { name, render, sortBy: (row) => take(row).usd, isNumber: true, isExtra: true };
}

function Misses({ misses }: { readonly misses: Spend["misses"] }): ComponentChild {
  const total = sumColumns(misses);
  const most = misses.reduce((largest, { usd }) => Math.max(largest, usd), 1e-9);
  const rows = misses.filter(({ count }) => count > 0);
  return (
    <section aria-labelledby="misses">
      <h2 id="misses">What was paid for twice</h2>
      {rows.length === 0 ? (
        <p class="quiet">No request had to write to the cache again what was in it before.</p>
      ) : (
        <>
          <p class="note">
            {renderLowerUsd(total.usd, total.isAtLeast)} above what reading it would have cost: text that was in the
            prompt cache had to be written to it again.
          </p>
          <Table
            caption="Rewrites of the prompt cache by reason"
            keyOf={({ cause }) => cause}
            rows={[...rows].sort((left, right) => right.usd - left.usd)}
            columns={[
              { name: "Reason", render: ({ cause }) => cause },
              { name: "Times", render: ({ count }) => renderInteger(count), isNumber: true },
              {
                name: "Tokens",
                render: ({ tokens }) => renderTokens(tokens),
                sortBy: ({ tokens }) => tokens,
                isNumber: true,
                isExtra: true,
              },
              {
                name: "Price",
                render: ({ usd, isAtLeast }) => (
                  <>
                    {renderLowerUsd(usd, isAtLeast)}
                    <Bar share={usd / most} />
                  </>
                ),
                sortBy: ({ usd }) => usd,
                isNumber: true,
              },
            ]}
          />
        </>
      )}
    </section>
  );
}

function Repeated({ spend }: { readonly spend: Spend }): ComponentChild {
  const { repeated } = spend;
  return (
    <section aria-labelledby="repeated">
      <h2 id="repeated">What the client put in twice</h2>
      {repeated.length === 0 ? (
        <p class="quiet">No text was put into a window that already held it.</p>
      ) : (
        <Table
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
            {
              name: "Tokens each",
              render: ({ tokens }) => renderTokens(tokens),
              sortBy: ({ tokens }) => tokens,
              isNumber: true,
              isExtra: true,
            },
            { name: "In requests", render: ({ requests }) => renderInteger(requests), isNumber: true, isExtra: true },
            {
              name: "Cost",
              render: ({ usd, isAtLeast }) => renderLowerUsd(usd, isAtLeast),
              sortBy: ({ usd }) => usd,
              isNumber: true,
            },
          ]}
        />
      )}
    </section>
  );
}

function Injections({ spend }: { readonly spend: Spend }): ComponentChild {
  const { injections } = spend;
  return (
    <section aria-labelledby="injections">
      <h2 id="injections">What Plimsoll itself put in</h2>
      {injections.length === 0 ? (
        <p class="quiet">
          Nothing: Plimsoll is not installed in the client, or had nothing to say. plimsoll doctor tells which.
        </p>
      ) : (
        <Table
          caption="Injections by Plimsoll"
          keyOf={({ what }) => what}
          rows={injections}
          columns={[
            { name: "What", render: ({ what }) => what },
            { name: "Times", render: ({ times }) => renderInteger(times), isNumber: true },
            {
              name: "Tokens",
              render: ({ tokens }) => renderTokens(tokens),
              sortBy: ({ tokens }) => tokens,
              isNumber: true,
              isExtra: true,
            },
            { name: "In requests", render: ({ requests }) => renderInteger(requests), isNumber: true, isExtra: true },
            {
              name: "Cost",
              render: ({ usd, isAtLeast }) => renderLowerUsd(usd, isAtLeast),
              sortBy: ({ usd }) => usd,
              isNumber: true,
            },
          ]}
        />
      )}
    </section>
  );
}
