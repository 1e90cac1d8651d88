import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CompactionDetail, NowMessage, SessionDetail, SessionPart, SessionsList, ShownOriginal } from "../wire.ts";
import { Answer, useAnswer } from "./answer.tsx";
import { CompactionCard } from "./compaction-card.tsx";
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
import { Empty, Panel, Stat } from "./states.tsx";
import { Story } from "./story.tsx";
import { costColumn, countColumn, TableSection } from "./table.tsx";

interface SessionProperties {
  readonly session: string;
  readonly version: number;
  readonly now: NowMessage | undefined;
}

export function SessionView({ session, version, now }: SessionProperties): ComponentChild {
  // A running session changes more often than the index that the version counts.
  const live = now?.sessions.find(({ key }) => key === session);
  return (
    <Answer<SessionDetail> question={`session?key=${session}`} version={version + (live?.requests ?? 0) / 1e6}>
      {(detail) => <Detail detail={detail} version={version} />}
    </Answer>
  );
}

function Detail({ detail, version }: DetailProperties): ComponentChild {
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
            {" · client "}
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
          <Panel id="fills" title="What filled the window" isCard>
            <LoadChart series={detail.series} lineTokens={detail.compactionPointTokens} />
          </Panel>
          <Compactions detail={detail} version={version} />
          <Subagents session={detail.key} version={version} />
          <RequestTable session={detail.key} requests={detail.requests} onOriginal={show} />
        </>
      )}
      {original && <OriginalDialog question={original} onClose={() => show(undefined)} />}
    </>
  );
}

function Totals({ detail }: { readonly detail: SessionDetail }): ComponentChild {
  const { totals, requests } = detail;
  const folds = requests.reduce((sum, request) => sum + request.folds.length, 0);
  return (
    <dl class="stats stats-wide">
      <Stat name="Cost" note={describeRequests(requests.length, totals.asideRequests)}>
        {renderLowerUsd(totals.usd, totals.isAtLeast)}
      </Stat>
      <Stat name="From the cache" note="of all tokens sent, at a tenth of the price">
        {renderShareText(totals.cacheHit)}
      </Stat>
      <Stat name="Paid for twice" note="for writing cached text to the cache again">
        {renderLowerUsd(totals.missed.usd, totals.missed.isAtLeast)}
      </Stat>
      <Stat name="Output" note="tokens">
        {renderTokens(totals.outputTokens)}
      </Stat>
      <Stat
        name="Shortened"
        note={
          folds === 0
            ? "nothing was shortened, or Plimsoll did not run"
            : `tokens in ${plural(folds, "output")}, which saved ${renderLowerUsd(totals.folded.usd, totals.folded.isAtLeast)} so far`
        }
      >
        {folds === 0 ? "–" : renderTokens(totals.foldedTokens)}
      </Stat>
      <Stat name="Peak context" note={`tokens; the client compacts at ${renderTokens(detail.compactionPointTokens)}`}>
        {renderTokens(requests.reduce((most, { contextTokens }) => Math.max(most, contextTokens), 0))}
      </Stat>
    </dl>
  );
}

/** What this file was billed for besides the conversation shown below. */
function describeRequests(shown: number, aside: number): string {
  if (aside === 0) return plural(shown, "request");
  return `${plural(shown + aside, "request")}, ${renderInteger(aside)} of them by subagents or later undone`;
}

interface DetailProperties {
  readonly detail: SessionDetail;
  readonly version: number;
}

function Compactions({ detail, version }: DetailProperties): ComponentChild {
  const count = detail.requests.filter(({ compaction }) => compaction !== undefined).length;
  return (
    <Panel id="compactions" title="Compactions">
      <Answer<readonly CompactionDetail[]> question={`compactions?key=${detail.key}`} version={version}>
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
      </Answer>
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
      <Answer<ShownOriginal> question={question} version={0}>
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
      </Answer>
    </dialog>
  );
}

function Subagents({ session, version }: Readonly<{ session: string; version: number }>): ComponentChild {
  const answer = useAnswer<SessionsList>("sessions", version);
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
        costColumn(({ totalUsd }) => totalUsd),
      ]}
    />
  );
}
