import type { ComponentChild } from "preact";
import type { PolicyTotal } from "../what-if.ts";
import type { WhatIf } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { renderCount, renderMs, renderShare, renderTokens, renderUsd } from "./format.ts";
import { FrontierPlot } from "./frontier-plot.tsx";
import { Safe } from "./safe.tsx";
import { Answered, Empty } from "./states.tsx";
import { Bar, type Column, Table } from "./table.tsx";

export function WhatIfView({ version }: { readonly version: number }): ComponentChild {
  const answer = useAnswer<WhatIf>("what-if", version);
  return (
    <>
      <h1 tabIndex={-1}>What if</h1>
      <p class="lead">
        Your own sessions under other policies: what each would have cost, and what it would have lost.
      </p>
      <Answered answer={answer}>
        {(whatIf) =>
          whatIf.status === "none" ? (
            <Empty title="Not replayed yet" command={whatIf.command}>
              {whatIf.why} A replay reads your recorded sessions, asks no model, and answers with one line per policy.
            </Empty>
          ) : (
            <Policies policies={whatIf.policies} />
          )
        }
      </Answered>
    </>
  );
}

function Policies({ policies }: { readonly policies: readonly PolicyTotal[] }): ComponentChild {
  const rows = [...policies].sort((left, right) => (left.netUsd ?? 0) - (right.netUsd ?? 0));
  const most = rows.reduce((largest, { netUsd }) => Math.max(largest, netUsd ?? 0), 1e-9);
  return (
    <>
      <section class="card" aria-labelledby="frontier">
        <h2 id="frontier">Price against loss</h2>
        <p class="note">
          Further left is cheaper, further down loses less. The line joins the policies that no other beats on both; the
          dashed ring, which knows the future, is the limit.
        </p>
        <FrontierPlot policies={rows} />
      </section>
      <section aria-labelledby="policies">
        <h2 id="policies">Policies</h2>
        <Table
          caption="Totals by policy, cheapest first"
          columns={planColumns(most)}
          rows={rows}
          keyOf={({ policy }) => policy}
        />
      </section>
    </>
  );
}

/** A replay may tell needs as shares or as counts. */
function renderNeed(value: number | null): string {
  if (value === null) return "–";
  return value > 1 ? renderCount(value) : renderShare(value);
}

function planColumns(most: number): readonly Column<PolicyTotal>[] {
  const maybe = (value: number | null, render: (value: number) => string): string =>
    value === null ? "–" : render(value);
  return [
    { name: "Policy", render: ({ policy }) => <Safe text={policy} /> },
    {
      name: "Net",
      render: ({ netUsd }) => (
        <>
          {maybe(netUsd, renderUsd)}
          <Bar share={(netUsd ?? 0) / most} />
        </>
      ),
      isNumber: true,
    },
    { name: "Sending", render: ({ sendUsd }) => maybe(sendUsd, renderUsd), isNumber: true, isExtra: true },
    { name: "Recovery", render: ({ recoveryUsd }) => maybe(recoveryUsd, renderUsd), isNumber: true, isExtra: true },
    { name: "Rereading", render: ({ rereadUsd }) => maybe(rereadUsd, renderUsd), isNumber: true, isExtra: true },
    { name: "Sent", render: ({ tokensSent }) => maybe(tokensSent, renderTokens), isNumber: true, isExtra: true },
    { name: "Peak", render: ({ peakTokens }) => maybe(peakTokens, renderTokens), isNumber: true, isExtra: true },
    { name: "Busts", render: ({ prefixBusts }) => maybe(prefixBusts, renderCount), isNumber: true, isExtra: true },
    {
      name: "Compactions",
      render: ({ compactions }) => maybe(compactions, renderCount),
      isNumber: true,
      isExtra: true,
    },
    { name: "Hot kept", render: ({ hotRetained }) => renderNeed(hotRetained), isNumber: true, isExtra: true },
    { name: "Cold kept", render: ({ coldRetained }) => renderNeed(coldRetained), isNumber: true, isExtra: true },
    {
      name: "Cold recoverable",
      render: ({ coldRecoverable }) => renderNeed(coldRecoverable),
      isNumber: true,
      isExtra: true,
    },
    { name: "Cold lost", render: ({ coldLost }) => renderNeed(coldLost), isNumber: true },
    { name: "Fatal", render: ({ fatal }) => maybe(fatal, renderCount), isNumber: true },
    { name: "Edit lines", render: ({ editLineRecall }) => renderNeed(editLineRecall), isNumber: true, isExtra: true },
    { name: "Planning p95", render: ({ planMsP95 }) => maybe(planMsP95, renderMs), isNumber: true, isExtra: true },
  ];
}
