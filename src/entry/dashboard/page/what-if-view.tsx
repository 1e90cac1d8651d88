import type { ComponentChild } from "preact";
import type { AnsweredPolicy } from "../../../replay/parse-answer.ts";
import { DEFAULT_REPLAY_POLICY, nameWithLife, SET_CACHE_LIVES } from "../../../replay/policy-names.ts";
import { DOLLARS_LEGEND } from "../../person/labels.ts";
import { reportAnswer, reportLoss } from "../../person/report-saving.ts";
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
            <p class="quiet">The result will appear here in a minute.</p>
          ) : (
            <Empty title="Not computed yet" command={whatIf.command}>
              {whatIf.why} The command does it in seconds; while this page is open, it also runs in the background if
              your last 30 days are small enough.
            </Empty>
          );
        }}
      </AnsweredState>
    </>
  );
}

function Policies({ whatIf }: { readonly whatIf: Replayed }): ComponentChild {
  const { minSteps, clients, leftOut, installed, loss } = whatIf;
  const all = whatIf.groups.find(({ name }) => name === "all");
  const answer = reportAnswer(whatIf);
  const rows = [...whatIf.policies].sort((left, right) => left.netUsd - right.netUsd);
  return (
    <>
      {answer !== "" && (
        <p class="verdict">
          {answer} {reportLoss(loss)} <a href="#/sessions/saved/all">Which sessions?</a>
        </p>
      )}
      {clients.length > 0 && (
        <Panel id="clients" title="By agent">
          <Table
            caption="Billed, simulated and with Plimsoll, by agent"
            columns={CLIENT_COLUMNS}
            rows={clients}
            keyOf={({ client }) => client}
          />
          <p class="note">{DOLLARS_LEGEND}</p>
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
        columns={planColumns(rows, installed)}
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
  { name: "Agent", render: ({ client }) => <Safe text={client} />, sortBy: ({ client }) => client },
  ...(
    [
      ["Sessions", ({ sessions }) => sessions, String],
      ["Billed", ({ billedUsd }) => billedUsd ?? 0, renderUsd],
      ["Replayed", ({ recordedUsd }) => recordedUsd, renderUsd],
      ["Simulated", ({ simulatedUsd }) => simulatedUsd, renderUsd],
      ["With Plimsoll", ({ ownUsd }) => ownUsd, renderUsd],
      ["Saved", ({ savedUsd }) => savedUsd, renderUsd],
    ] satisfies readonly [string, (row: ClientRow) => number, (value: number) => string][]
  ).map(([name, take, render]) =>
    countColumn(name, take, render, /^(?:Sessions|Billed|Simulated|With Plimsoll)$/.test(name)),
  ),
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

function planColumns(rows: readonly AnsweredPolicy[], installed: string): readonly TableColumn<AnsweredPolicy>[] {
  // A policy that costs many times as much would squash the bars that matter.
  const native = rows.find(({ name }) => name === "native")?.netUsd ?? 0;
  const most = Math.max(1e-9, native > 0 ? native * 1.25 : Math.max(...rows.map(({ netUsd }) => netUsd)));
  return [
    {
      name: "Policy",
      render: ({ name, about }) => (
        <>
          <Safe text={nameWay(name, installed).title} />
          <span class="meta">
            <Safe text={nameWay(name, installed).about ?? about} />
          </span>
        </>
      ),
      sortBy: ({ name }) => nameWay(name, installed).title,
    },
    countColumn(
      "Cost",
      ({ netUsd }) => netUsd,
      (usd) => withBar(renderUsd(usd), usd / most),
    ),
    countColumn(
      "Compared with the agent",
      ({ relative }) => relative.netUsd ?? 0,
      (_, row) => (row.name === "native" ? "–" : renderChange(row)),
    ),
    countColumn("Cost of fetching back", ({ recoveryUsd, rereadUsd }) => recoveryUsd + rereadUsd, renderUsd, true),
    // Unknown if nothing was needed later.
    countColumn(
      "Needed later, fetched back",
      ({ coldRecoverable }) => coldRecoverable ?? 0,
      (_, { coldRecoverable }) => renderShareText(coldRecoverable ?? undefined),
      true,
    ),
    countColumn(
      "Needed later, lost",
      (row) => lostOf(row) ?? 0,
      (_, row) => renderLost(row),
    ),
  ];
}

/** What summaries that were never written would lose is known only from those that the client recorded. */
function lostOf({ coldLost, bounds }: AnsweredPolicy): number | undefined {
  return (bounds ? bounds.heldAsRecorded?.coldLost : coldLost) ?? undefined;
}

function renderLost(row: AnsweredPolicy): string {
  if (row.bounds && !row.bounds.heldAsRecorded) return "no summary recorded";
  return `${row.bounds ? "about " : ""}${renderShareText(lostOf(row))}`;
}

interface Way {
  readonly title: string;
  /** Replaces the replay's own description, which is in its own words. */
  readonly about?: string;
}

const WAYS: Readonly<Record<string, Way>> = {
  native: { title: "The agent's own compaction", about: "it summarises the conversation when the window is full" },
  plimsoll: { title: "Plimsoll", about: "with the cache life of your recordings" },
  "plimsoll:thrifty": { title: "Plimsoll, thrifty", about: "removes more, and fetches back more" },
  "plimsoll:cautious": { title: "Plimsoll, cautious", about: "keeps more in view, at a higher price" },
  clear_tool_uses: { title: "Clearing old tool results", about: "as the API's own context editing does" },
  "native@100k": {
    title: "The agent with a 100k window",
    about: "what it loses is estimated from your recorded summaries",
  },
  "native@200k": {
    title: "The agent with a 200k window",
    about: "what it loses is estimated from your recorded summaries",
  },
  clairvoyant: {
    title: "Perfect foresight",
    about: "keeps only what will be needed: the theoretical best, for comparison",
  },
};

function nameWay(policy: string, installed: string): Way {
  const life = SET_CACHE_LIVES.find((one) => policy === nameWithLife(DEFAULT_REPLAY_POLICY, one));
  const title = life ? `Plimsoll, prompt cache ${life}` : policy;
  if (policy === installed) return { title, ...WAYS[policy], about: "as plimsoll install sets it up for you" };
  return WAYS[policy] ?? { title };
}
