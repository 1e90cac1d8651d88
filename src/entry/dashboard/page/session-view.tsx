import type { ComponentChild } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { CompactionDetail, SessionDetail, SessionPart, SessionsList, ShownOriginal } from "../wire.ts";
import { AnsweredState, useAnswer } from "./answered-state.tsx";
import { CompactionCard } from "./compaction-card.tsx";
import { Connected } from "./connection.ts";
import {
  plural,
  renderDays,
  renderInteger,
  renderLowerUsd,
  renderProject,
  renderShareText,
  renderTokens,
} from "./format.ts";
import { LoadChart } from "./load-chart.tsx";
import { RequestTable } from "./request-table.tsx";
import { LongText, Safe } from "./safe.tsx";
import { Empty, Panel, type StatRow, Stats } from "./states.tsx";
import { Story } from "./story.tsx";
import { costColumn, countColumn, TableSection } from "./table.tsx";

export function SessionView({ session }: { readonly session: string }): ComponentChild {
  // A running session changes more often than the index that the version counts.
  const live = useContext(Connected).now?.sessions.find(({ key }) => key === session);
  return (
    <AnsweredState<SessionDetail> question={`session?key=${session}`} more={(live?.requests ?? 0) / 1e6}>
      {(detail) => <Detail detail={detail} />}
    </AnsweredState>
  );
}

interface DetailProperties {
  readonly detail: SessionDetail;
}

function Detail({ detail }: DetailProperties): ComponentChild {
  const [original, show] = useState<string>();
  return (
    <>
      <p class="meta">
        <a href="#/sessions">Sessions</a> / <Safe text={renderProject(detail.project)} />
      </p>
      <h1 tabIndex={-1}>
        <Safe text={detail.title} />
      </h1>
      <p class="lead">
        {renderDays(detail.startMs, detail.lastMs)} · <Safe text={detail.model || "no model"} />
        {detail.client && (
          <>
            {" · agent version "}
            <Safe text={detail.client} />
          </>
        )}
        {detail.lines.malformed > 0 && ` · ${plural(detail.lines.malformed, "malformed line")} skipped`}
        {detail.lines.unknown > 0 && ` · ${plural(detail.lines.unknown, "line")} of an unknown type`}
      </p>
      {detail.requests.length === 0 ? (
        <Empty title="No request is recorded in this session">
          Nothing was sent yet, so there is nothing to weigh.
        </Empty>
      ) : (
        <>
          <Totals detail={detail} />
          <Story detail={detail} />
          {detail.series.requests.length > 0 && (
            <Panel id="fills" title="What filled the window" isCard>
              <LoadChart series={detail.series} lineTokens={detail.compactionPointTokens} />
            </Panel>
          )}
          <Compactions detail={detail} />
          <Subagents session={detail.key} />
          <RequestTable session={detail.key} requests={detail.requests} onOriginal={show} />
        </>
      )}
      {original && <OriginalDialog question={original} onClose={() => show(undefined)} />}
    </>
  );
}

function Totals({ detail }: DetailProperties): ComponentChild {
  const { totals, requests, compactionPointTokens } = detail;
  const { missed, folded } = totals;
  const folds = requests.reduce((sum, request) => sum + request.folds.length, 0);
  const peak = requests.reduce((most, { contextTokens }) => Math.max(most, contextTokens), 0);
  const saved = `which saved ${renderLowerUsd(folded.usd, folded.isAtLeast)} so far`;
  const rows: readonly StatRow[] = [
    ["Cost", renderLowerUsd(totals.usd, totals.isAtLeast), describeRequests(requests.length, totals.asideRequests)],
    ["From the cache", renderShareText(totals.cacheHit), "of all tokens sent, at a fraction of the full price"],
    ["Paid for twice", renderLowerUsd(missed.usd, missed.isAtLeast), "for writing cached text to the cache again"],
    ["Output", renderTokens(totals.outputTokens), "tokens"],
    folds === 0
      ? ["Shortened", "–", "nothing was shortened, or Plimsoll did not run"]
      : ["Shortened", renderTokens(totals.foldedTokens), `tokens in ${plural(folds, "output")}, ${saved}`],
    ["Peak context", renderTokens(peak), `tokens; the agent compacts at ${renderTokens(compactionPointTokens)}`],
  ];
  return <Stats rows={rows} isWide />;
}

/** What this file was billed for besides the conversation shown below. */
function describeRequests(shown: number, aside: number): string {
  if (aside === 0) return plural(shown, "request");
  return `${plural(shown + aside, "request")}, ${renderInteger(aside)} of them by subagents or later undone`;
}

function Compactions({ detail }: DetailProperties): ComponentChild {
  const count = detail.requests.filter(({ compaction }) => compaction !== undefined).length;
  return (
    <Panel id="compactions" title="Compactions">
      <AnsweredState<readonly CompactionDetail[]> question={`compactions?key=${detail.key}`}>
        {(compactions) =>
          compactions.length === 0 ? (
            <p class="quiet">
              {count === 0
                ? "This session was never compacted."
                : `${renderInteger(count)} compactions, none with a summary.`}
            </p>
          ) : (
            compactions.map((compaction) => <CompactionCard key={compaction.number} compaction={compaction} />)
          )
        }
      </AnsweredState>
    </Panel>
  );
}

function OriginalDialog({ question, onClose }: Readonly<{ question: string; onClose: () => void }>): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="The original">
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
      <AnsweredState<ShownOriginal> question={question} isFixed>
        {({ label, text, characters }) => (
          <>
            <h2>
              <Safe text={label} />
            </h2>
            <p class="note">
              {renderInteger(characters)} characters
              {characters > text.length && `, of which the first ${renderInteger(text.length)} are shown`}
            </p>
            <LongText text={text} />
          </>
        )}
      </AnsweredState>
    </dialog>
  );
}

function Subagents({ session }: { readonly session: string }): ComponentChild {
  const answer = useAnswer<SessionsList>("sessions");
  const rows = answer.status === "here" ? (answer.value.rows.find(({ key }) => key === session)?.subagents ?? []) : [];
  if (rows.length === 0) return null;
  return (
    <TableSection<SessionPart>
      id="subagents"
      title="Subagents"
      caption="Subagents of this session"
      keyOf={({ key }) => key}
      rows={rows}
      most={12}
      columns={[
        {
          name: "Task",
          render: ({ key, title }) => (
            <a class="session-link" href={`#/session/${key}`}>
              <Safe text={title} />
            </a>
          ),
          sortBy: ({ title }) => title,
        },
        countColumn("Requests", ({ requests }) => requests, renderInteger),
        countColumn("Peak context", ({ peakTokens }) => peakTokens, renderTokens),
        countColumn("Compactions", ({ compactions }) => compactions, renderInteger, true),
        costColumn(({ totalUsd }) => totalUsd),
      ]}
    />
  );
}
