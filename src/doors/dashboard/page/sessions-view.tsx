import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { ToldFigure } from "../../person/tell-look-back.ts";
import type { SessionRow, SessionsList } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderLowerUsd } from "./format.ts";
import type { Route } from "./route.ts";
import { FIGURE_COLUMNS, planColumns, sumColumns } from "./session-columns.tsx";
import { AnsweredState, Empty, WaitingState } from "./states.tsx";
import { Table } from "./table.tsx";

const PAGE = 40;

interface SessionsProperties {
  readonly version: number;
  /** The sessions behind a figure of the look back; all by default. */
  readonly route: SessionsRoute;
  /** While files are still being read, an empty list means nothing yet. */
  readonly isReading: boolean;
}

type SessionsRoute = Extract<Route, { view: "sessions" }>;

export function SessionsView({ version, route, isReading }: SessionsProperties): ComponentChild {
  const answer = useAnswer<SessionsList>("sessions", version);
  return (
    <>
      <h1 tabIndex={-1}>Sessions</h1>
      <AnsweredState answer={answer}>
        {(view) => (isReading && view.rows.length === 0 ? <WaitingState /> : <List view={view} route={route} />)}
      </AnsweredState>
    </>
  );
}

function List({ view, route }: Readonly<{ view: SessionsList; route: SessionsRoute }>): ComponentChild {
  const { behind, isOfAllTime } = route;
  const [words, search] = useState("");
  const { days } = view;
  if (view.rows.length === 0)
    return (
      <Empty title="No session is recorded here yet" command="claude">
        Start a session in any project: it appears here within a second.
      </Empty>
    );
  const isRecent = behind !== undefined && !isOfAllTime;
  const told =
    behind === undefined ? view.rows : view.rows.filter((row) => FIGURE_COLUMNS[behind].take(row) !== undefined);
  const rows = isRecent ? told.flatMap(takeRecent) : told;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = `${row.title} ${row.project} ${row.model} ${row.host} ${row.id}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return (
    <>
      {behind !== undefined && (
        <p class="lead">
          {isRecent ? `Only the ${days}` : "All time"}, sorted by {BEHIND[behind]}, highest first.{" "}
          <a href="#/sessions">Show all sessions</a>
        </p>
      )}
      <div class="toolbar">
        <label for="search">Find by title, project, model, client or id</label>
        <input id="search" type="search" value={words} onInput={(event) => search(event.currentTarget.value)} />
        <p role="status">
          {plural(found.length, "session")}, {sumUp(found, behind)}
        </p>
      </div>
      <Table
        caption="Recorded sessions"
        columns={planColumns(rows, behind)}
        rows={found}
        most={PAGE}
        sorted={behind === undefined ? "Last request" : FIGURE_COLUMNS[behind].name}
        keyOf={({ key }) => key}
      />
    </>
  );
}

const BEHIND: Readonly<Record<ToldFigure["kind"], string>> = {
  total: "cost",
  pauses: "the cost of long breaks",
  rewrites: "the cost of other cache rebuilds",
  carried: "the cost of text that was never needed again",
  saved: "what Plimsoll would have saved",
};

/** The part of a session within the days of the look back. */
function takeRecent(row: SessionRow): readonly SessionRow[] {
  return row.recent ? [{ ...row, ...row.recent }] : [];
}

/** Their cost; for a figure, their part of the figure. */
function sumUp(rows: readonly SessionRow[], behind: ToldFigure["kind"] | undefined): string {
  const sum = (kind: ToldFigure["kind"]): string => {
    const { usd, isAtLeast } = sumColumns(rows.flatMap((row) => FIGURE_COLUMNS[kind].take(row) ?? []));
    return renderLowerUsd(usd, isAtLeast);
  };
  return behind === undefined || behind === "total" ? sum("total") : `${sum(behind)} of ${sum("total")}`;
}
