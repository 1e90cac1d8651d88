import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { MissedUsd } from "../../../measure/cache-miss.ts";
import type { ReportedFigure } from "../../person/report-look-back.ts";
import type { SessionRow, SessionsList } from "../wire.ts";
import { AnsweredState } from "./answered-state.tsx";
import { useIsReading } from "./connection.ts";
import { plural, renderDay, renderInteger, renderLowerUsd, renderProject, renderTokens, sumUsd } from "./format.ts";
import type { Route } from "./route.ts";
import { Safe } from "./safe.tsx";
import { Empty, WaitingState } from "./states.tsx";
import { costColumn, countColumn, Table, type TableColumn, withBar } from "./table.tsx";

const PAGE = 40;

interface SessionsProperties {
  /** The sessions behind a figure of the look back; all by default. */
  readonly route: Extract<Route, { view: "sessions" }>;
}

export function SessionsView({ route }: SessionsProperties): ComponentChild {
  const isReading = useIsReading();
  return (
    <>
      <h1 tabIndex={-1}>Sessions</h1>
      <AnsweredState<SessionsList> question="sessions">
        {(view) => (isReading && view.rows.length === 0 ? <WaitingState /> : <List view={view} route={route} />)}
      </AnsweredState>
    </>
  );
}

function List({ view, route }: SessionsProperties & { readonly view: SessionsList }): ComponentChild {
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
  const listed =
    behind === undefined ? view.rows : view.rows.filter((row) => FIGURE_COLUMNS[behind].take(row) !== undefined);
  const rows = isRecent ? listed.flatMap((row) => (row.recent ? [{ ...row, ...row.recent }] : [])) : listed;
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
        <label for="search">Find by title, project, model, agent or id</label>
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

const BEHIND: Readonly<Record<ReportedFigure["kind"], string>> = {
  total: "cost",
  pauses: "the cost of long breaks",
  rewrites: "the cost of other cache rebuilds",
  carried: "the cost of text that was never needed again",
  saved: "what Plimsoll would have saved",
};

/** Their cost; for a figure, their part of the figure. */
function sumUp(rows: readonly SessionRow[], behind: ReportedFigure["kind"] | undefined): string {
  const sum = (kind: ReportedFigure["kind"]): string => {
    const { usd, isAtLeast } = sumUsd(rows.flatMap((row) => FIGURE_COLUMNS[kind].take(row) ?? []));
    return renderLowerUsd(usd, isAtLeast);
  };
  return behind === undefined || behind === "total" ? sum("total") : `${sum(behind)} of ${sum("total")}`;
}

/** The date at the end of a model's name: Spend shows it, a list has no room for it. */
const RELEASE_DATE = /-20\d{6}$/;

interface FigureColumn {
  readonly name: string;
  /** `undefined` if the session is no part of the figure. */
  take(row: SessionRow): MissedUsd | undefined;
}

/** An estimate by a replay, not a bound. */
function byReplay(usd: number | undefined): MissedUsd | undefined {
  return usd === undefined ? undefined : { usd, isAtLeast: false };
}

const FIGURE_COLUMNS: Readonly<Record<ReportedFigure["kind"], FigureColumn>> = {
  total: { name: "Cost", take: ({ totalUsd, isAtLeast }) => ({ usd: totalUsd, isAtLeast }) },
  pauses: { name: "Pauses", take: ({ pauses }) => pauses },
  rewrites: { name: "Other rewrites", take: ({ rewrites }) => rewrites },
  carried: { name: "Never needed again", take: ({ carriedUsd }) => byReplay(carriedUsd) },
  saved: { name: "Plimsoll saves", take: ({ savedUsd }) => byReplay(savedUsd) },
};
const PAID_TWICE: FigureColumn = { name: "Paid twice", take: ({ pauses, rewrites }) => sumUsd([pauses, rewrites]) };

const SESSION_COLUMN: TableColumn<SessionRow> = {
  name: "Session",
  render: ({ key, title, project, isRunning, isSubagent, subagents }) => (
    <>
      <a class="session-link" href={`#/session/${key}`}>
        <Safe text={title} />
      </a>
      <span class="meta">
        <Safe text={renderProject(project)} />
        {isRunning && <b class="tag is-running">running</b>}
        {isSubagent && <b class="tag">subagent</b>}
        {subagents.length > 0 && <span class="tag">{plural(subagents.length, "subagent")}</span>}
      </span>
    </>
  ),
  sortBy: ({ title }) => title,
};
const CLIENT_COLUMN: TableColumn<SessionRow> = {
  name: "Agent",
  render: ({ host }) => host,
  sortBy: ({ host }) => host,
  isExtra: true,
};
const MODEL_COLUMN: TableColumn<SessionRow> = {
  name: "Model",
  render: ({ model }) => (
    <span class="whole">
      <Safe text={model.replace(RELEASE_DATE, "")} />
    </span>
  ),
  sortBy: ({ model }) => model,
  isExtra: true,
};

/** The columns of the list; with the client if there are several, and with savings if there was a replay. */
function planColumns(
  rows: readonly SessionRow[],
  behind: ReportedFigure["kind"] | undefined,
): readonly TableColumn<SessionRow>[] {
  const hasHosts = new Set(rows.map(({ host }) => host)).size > 1;
  const isReplayed = rows.some(({ savedUsd }) => savedUsd !== undefined);
  const figures =
    behind === undefined || behind === "total"
      ? [PAID_TWICE, ...(isReplayed ? [FIGURE_COLUMNS.saved] : [])]
      : [FIGURE_COLUMNS[behind]];
  return [
    SESSION_COLUMN,
    {
      name: "Last request",
      render: ({ lastMs }) => <span class="whole">{renderDay(lastMs)}</span>,
      sortBy: ({ lastMs }) => lastMs,
      isExtra: true,
    },
    ...(hasHosts ? [CLIENT_COLUMN] : []),
    MODEL_COLUMN,
    countColumn("Requests", ({ requests }) => requests, renderInteger, true),
    countColumn(
      "Compacted",
      ({ compactions }) => compactions,
      (count) => (count === 0 ? "–" : `${renderInteger(count)}×`),
      true,
    ),
    countColumn(
      "Peak context",
      ({ peakTokens }) => peakTokens,
      (peak, { windowTokens }) =>
        withBar(renderTokens(peak), peak / windowTokens, `of a window of ${renderTokens(windowTokens)} tokens`),
    ),
    ...figures.map(({ name, take }) =>
      countColumn<SessionRow>(
        name,
        (row) => take(row)?.usd ?? Number.NEGATIVE_INFINITY,
        (_, row) => renderPart(take(row)),
        behind === undefined,
      ),
    ),
    costColumn(({ totalUsd }) => totalUsd),
  ];
}

function renderPart(part: MissedUsd | undefined): string {
  if (part === undefined || (part.usd === 0 && !part.isAtLeast)) return "–";
  return renderLowerUsd(part.usd, part.isAtLeast);
}
