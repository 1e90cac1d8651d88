import type { ComponentChild } from "preact";
import type { AnsweredPolicy } from "../../../replay/parse-answer.ts";
import type { Replayed, WhatIf } from "../wire.ts";
import { AnsweredState } from "./answered-state.tsx";
import { useProgress } from "./connection.ts";
import { plural, renderShareText, renderUsd } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Empty, Panel, ReplayingNotice } from "./states.tsx";
import { countColumn, Table, type TableColumn, TableSection, withBar } from "./table.tsx";

export function WhatIfView(): ComponentChild {
  const isReplaying = useProgress()?.replay.isRunning;
  return (
    <>
      <h1 tabIndex={-1}>What if</h1>
      <p class="lead">
        Your own sessions, replayed with other rules for what stays in the window. Nothing is sent, and no model is
        called. Each recorded request gets the price that it would have had.
      </p>
      <ReplayingNotice />
      <AnsweredState<WhatIf> question="what-if">
        {(whatIf) => {
          if (whatIf.status === "replayed") return <Policies whatIf={whatIf} />;
          return isReplaying ? (
            <p class="quiet">The result will appear here in a minute or two.</p>
          ) : (
            <Empty title="Not computed yet" command={whatIf.command}>
              {whatIf.why} While this page is open, the replay runs in the background; the command runs it at once.
            </Empty>
          );
        }}
      </AnsweredState>
    </>
  );
}

function Policies({ whatIf }: { readonly whatIf: Replayed }): ComponentChild {
  const { minSteps, clients, leftOut } = whatIf;
  const all = whatIf.groups.find(({ name }) => name === "all");
  const recordedUsd = clients.reduce((sum, row) => sum + row.recordedUsd, 0);
  const savedUsd = clients.reduce((sum, row) => sum + row.savedUsd, 0);
  const rows = [...whatIf.policies].sort((left, right) => left.netUsd - right.netUsd);
  return (
    <>
      {clients.length > 0 && (
        <p class="verdict">
          The replayed sessions cost <b>{renderUsd(recordedUsd)}</b>. With Plimsoll they would have cost about{" "}
          <b>{renderUsd(Math.abs(savedUsd))}</b> {savedUsd >= 0 ? "less" : "more"}.{" "}
          <a href="#/sessions/saved/all">Which sessions?</a>
        </p>
      )}
      {clients.length > 0 && (
        <Panel id="clients" title="By client">
          <Table
            caption="Billed, simulated and with Plimsoll, by client"
            columns={CLIENT_COLUMNS}
            rows={clients}
            keyOf={({ client }) => client}
          />
          <p class="note">
            Billed: the cost of every recorded request. Replayed: the cost of conversations whose simulated cost is
            within 15 % of the recorded cost. Saved: the share of the simulated cost that Plimsoll saves, times Billed.
          </p>
          <LeftOut files={leftOut} />
        </Panel>
      )}
      {all && (
        <p class="note">
          Based on {plural(all.sessions, "session")} of {plural(all.repositories, "project")} with at least {minSteps}{" "}
          requests; shorter sessions hardly fill a window. The ranges for future sessions are 90 % intervals, resampled
          over your projects.
        </p>
      )}
      <TableSection
        id="policies"
        title="What each policy would have cost"
        caption="What each policy would have cost, cheapest first"
        columns={planColumns(rows)}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </>
  );
}

function LeftOut({ files }: { readonly files: Replayed["leftOut"] }): ComponentChild {
  if (files.length === 0) return null;
  return (
    <details>
      <summary>{plural(files.length, "file")} left out, and why</summary>
      <ul>
        {files.map(({ name, why }) => (
          <li key={name}>
            <Safe text={`${name}: ${why}`} />
          </li>
        ))}
      </ul>
    </details>
  );
}

type ClientRow = Replayed["clients"][number];

const CLIENT_COLUMNS: readonly TableColumn<ClientRow>[] = [
  { name: "Client", render: ({ client }) => <Safe text={client} />, sortBy: ({ client }) => client },
  ...(
    [
      ["Sessions", ({ sessions }) => sessions, String],
      ["Billed", ({ billedUsd }) => billedUsd ?? 0, renderUsd],
      ["Replayed", ({ recordedUsd }) => recordedUsd, renderUsd],
      ["Simulated", ({ simulatedUsd }) => simulatedUsd, renderUsd],
      ["Plimsoll", ({ ownUsd }) => ownUsd, renderUsd],
      ["Saved", ({ savedUsd }) => savedUsd, renderUsd],
    ] satisfies readonly [string, (row: ClientRow) => number, (value: number) => string][]
  ).map(([name, take, render]) => countColumn(name, take, render, /^(?:Sessions|Replayed|Simulated)$/.test(name))),
];

/** The difference to the client's own compaction, with its interval. */
function renderChange({ relative: { netUsd, netInterval } }: AnsweredPolicy): string {
  if (typeof netUsd !== "number") return "–";
  const change = (share: number): string => renderShareText(Math.abs(share - 1));
  const word = netUsd <= 1 ? "less" : "more";
  if (!netInterval || netInterval.low > 1 !== netInterval.high > 1) return `${change(netUsd)} ${word}`;
  const [from, to] = [change(netInterval.low), change(netInterval.high)].sort(
    (left, right) => Number.parseFloat(left) - Number.parseFloat(right),
  );
  return `${from} to ${to} ${word}`;
}

/** A share of what was needed later; unknown if nothing was. */
function shareColumn(
  name: string,
  take: (row: AnsweredPolicy) => number | null | undefined,
  isExtra = false,
): TableColumn<AnsweredPolicy> {
  return countColumn(
    name,
    (row) => take(row) ?? 0,
    (_, row) => renderShareText(take(row) ?? undefined),
    isExtra,
  );
}

function planColumns(rows: readonly AnsweredPolicy[]): readonly TableColumn<AnsweredPolicy>[] {
  // A policy that costs many times as much would squash the bars that matter.
  const native = rows.find(({ name }) => name === "native")?.netUsd ?? 0;
  const most = Math.max(1e-9, native > 0 ? native * 1.25 : Math.max(...rows.map(({ netUsd }) => netUsd)));
  return [
    {
      name: "Policy",
      render: ({ name, about }) => (
        <>
          <Safe text={nameWay(name).title} />
          <span class="meta">
            <Safe text={nameWay(name).about ?? about} />
          </span>
        </>
      ),
      sortBy: ({ name }) => nameWay(name).title,
    },
    countColumn(
      "Cost",
      ({ netUsd }) => netUsd,
      (usd) => withBar(renderUsd(usd), usd / most),
    ),
    countColumn(
      "Compared with the client",
      ({ relative }) => relative.netUsd ?? 0,
      (_, row) => (row.name === "native" ? "–" : renderChange(row)),
    ),
    countColumn("Cost of fetching back", ({ recoveryUsd, rereadUsd }) => recoveryUsd + rereadUsd, renderUsd, true),
    shareColumn("Needed later, fetched back", ({ coldRecoverable }) => coldRecoverable, true),
    shareColumn("Needed later, lost", ({ coldLost }) => coldLost),
  ];
}

interface Way {
  readonly title: string;
  /** Replaces the replay's own description, which is in its own words. */
  readonly about?: string;
}

const WAYS: Readonly<Record<string, Way>> = {
  native: { title: "The client's own compaction", about: "it summarises the conversation when the window is full" },
  plimsoll: { title: "Plimsoll", about: "as it is installed" },
  "plimsoll:thrifty": { title: "Plimsoll, thrifty", about: "removes more, and fetches back more" },
  "plimsoll:cautious": { title: "Plimsoll, cautious", about: "keeps more in view, at a higher price" },
  clear_tool_uses: { title: "Clearing old tool results", about: "as the API's own context editing does" },
  none: { title: "No compaction", about: "as if the window were unlimited" },
  clairvoyant: {
    title: "Perfect foresight",
    about: "keeps only what will be needed: the theoretical best, for comparison",
  },
};

function nameWay(policy: string): Way {
  return WAYS[policy] ?? { title: policy };
}
