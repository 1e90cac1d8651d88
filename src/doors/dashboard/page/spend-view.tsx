import type { ComponentChild } from "preact";
import type { AccountRow, SpendView as Spend } from "../wire.ts";
import { DayChart } from "./day-chart.tsx";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderCount, renderLowerUsd, renderProject, renderShare, renderTokens, renderUsd } from "./format.ts";
import { Safe } from "./safe.tsx";
import { toOneLine } from "./split-hidden.ts";
import { Stat } from "./stat.tsx";
import { Answered, Empty } from "./states.tsx";
import { Bar, type Column, Table } from "./table.tsx";

export function SpendView({ version }: { readonly version: number }): ComponentChild {
  const answer = useAnswer<Spend>("spend", version);
  return (
    <>
      <h1 tabIndex={-1}>Spend</h1>
      <Answered answer={answer}>
        {(spend) =>
          spend.total.requests === 0 ? (
            <Empty title="Nothing has been billed yet" command="claude">
              Every request of a recorded session is counted here, by day, project and model.
            </Empty>
          ) : (
            <Accounts spend={spend} />
          )
        }
      </Answered>
    </>
  );
}

function Accounts({ spend }: { readonly spend: Spend }): ComponentChild {
  const { total, byDay, byProject, byModel, pricesAsOf } = spend;
  return (
    <>
      <p class="lead">
        At the list prices of {pricesAsOf}; what a subscription bills is another matter.
        {total.unpriced > 0 &&
          ` ${plural(total.unpriced, "request")} of models without a known price are left out of the dollars.`}
        {total.unfinal > 0 &&
          ` Of ${plural(total.unfinal, "request")} the client recorded the output as it stood while it was being written.`}
      </p>
      <dl class="stats stats-wide">
        <Stat name="In total" note={plural(total.requests, "request")}>
          {renderLowerUsd(total.totalUsd, total.isAtLeast)}
        </Stat>
        <Stat name="Cache read" note={describePart(total, total.cacheReadUsd)}>
          {renderUsd(total.cacheReadUsd)}
        </Stat>
        <Stat name="Cache write" note={describePart(total, total.cacheWriteUsd)}>
          {renderUsd(total.cacheWriteUsd)}
        </Stat>
        <Stat name="Output" note={describePart(total, total.outputUsd)}>
          {renderUsd(total.outputUsd)}
        </Stat>
        <Stat name="Plain input" note={describePart(total, total.inputUsd)}>
          {renderUsd(total.inputUsd)}
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
      <Misses misses={spend.misses} />
      <Repeated spend={spend} />
      <Injections spend={spend} />
    </>
  );
}

function describePart({ totalUsd }: AccountRow, usd: number): string {
  return `${renderShare(totalUsd > 0 ? usd / totalUsd : 0)} of it`;
}

function planColumns(name: string, rows: readonly AccountRow[]): readonly Column<AccountRow>[] {
  const most = rows.reduce((largest, { totalUsd }) => Math.max(largest, totalUsd), 1e-9);
  return [
    { name, render: ({ key }) => <Safe text={renderProject(key)} /> },
    { name: "Requests", render: ({ requests }) => renderCount(requests), isNumber: true, isExtra: true },
    { name: "Read", render: ({ cacheReadUsd }) => renderUsd(cacheReadUsd), isNumber: true, isExtra: true },
    { name: "Write", render: ({ cacheWriteUsd }) => renderUsd(cacheWriteUsd), isNumber: true, isExtra: true },
    { name: "Output", render: ({ outputUsd }) => renderUsd(outputUsd), isNumber: true, isExtra: true },
    {
      name: "Cost",
      render: ({ totalUsd, requests, unpriced, isAssumed, isAtLeast }) => (
        <>
          {unpriced === requests ? "no price" : `${renderLowerUsd(totalUsd, isAtLeast)}${isAssumed ? " *" : ""}`}
          <Bar share={totalUsd / most} />
        </>
      ),
      isNumber: true,
    },
  ];
}

const CAUSES: Readonly<Record<string, string>> = {
  idle: "The cache had expired: a pause longer than its life time",
  modelSwitch: "Another model: each has a cache of its own",
  compaction: "The first request after a compaction",
  editedPrefix: "Something in front changed: what stood behind it was written again",
  unknown: "Nothing was found, and nothing recorded says why",
};

function Misses({ misses }: { readonly misses: Spend["misses"] }): ComponentChild {
  const total = misses.reduce((sum, { usd }) => sum + usd, 0);
  const most = misses.reduce((largest, { usd }) => Math.max(largest, usd), 1e-9);
  const rows = misses.filter(({ count }) => count > 0);
  return (
    <section aria-labelledby="misses">
      <h2 id="misses">What broke the prompt cache</h2>
      {rows.length === 0 ? (
        <p class="quiet">No request had to write again what was cached.</p>
      ) : (
        <>
          <p class="note">{renderUsd(total)} for writing again what had been cached, by cause.</p>
          <Table
            caption="Prefix busts by cause"
            keyOf={({ cause }) => cause}
            rows={[...rows].sort((left, right) => right.usd - left.usd)}
            columns={[
              {
                name: "Cause",
                render: ({ cause }) => (
                  <>
                    {cause}
                    <span class="meta">{CAUSES[cause] ?? ""}</span>
                  </>
                ),
              },
              { name: "Times", render: ({ count }) => renderCount(count), isNumber: true },
              { name: "Written again", render: ({ tokens }) => renderTokens(tokens), isNumber: true, isExtra: true },
              {
                name: "Price",
                render: ({ usd }) => (
                  <>
                    {renderUsd(usd)}
                    <Bar share={usd / most} />
                  </>
                ),
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
      <h2 id="repeated">Duplicate injections</h2>
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
                    <Safe text={toOneLine(start)} />
                  </span>
                  <span class="meta">
                    <Safe text={label} />
                  </span>
                </>
              ),
            },
            { name: "Repeats", render: ({ repeats }) => renderCount(repeats), isNumber: true },
            { name: "Tokens each", render: ({ tokens }) => renderTokens(tokens), isNumber: true, isExtra: true },
            { name: "Carried in", render: ({ requests }) => renderCount(requests), isNumber: true, isExtra: true },
            { name: "Cost", render: ({ usd }) => renderUsd(usd), isNumber: true },
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
          Nothing is written down: Plimsoll's hooks put nothing into these sessions, or did not run. plimsoll doctor
          says which.
        </p>
      ) : (
        <Table
          caption="Injections by Plimsoll"
          keyOf={({ what }) => what}
          rows={injections}
          columns={[
            { name: "What", render: ({ what }) => what },
            { name: "Times", render: ({ times }) => renderCount(times), isNumber: true },
            { name: "Tokens", render: ({ tokens }) => renderTokens(tokens), isNumber: true, isExtra: true },
            { name: "Carried in", render: ({ requests }) => renderCount(requests), isNumber: true, isExtra: true },
            { name: "Cost", render: ({ usd }) => renderUsd(usd), isNumber: true },
          ]}
        />
      )}
    </section>
  );
}
