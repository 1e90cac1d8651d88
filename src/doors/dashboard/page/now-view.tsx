import type { ComponentChild } from "preact";
import type { NowHealth, NowMessage, NowSession, Progress } from "../wire.ts";
import { plural, renderAgo, renderCount, renderLowerUsd, renderProject, renderTokens } from "./format.ts";
import { Hull } from "./hull.tsx";
import { Happened, LoadChart } from "./load-chart.tsx";
import { Safe } from "./safe.tsx";
import { Stat } from "./stat.tsx";
import { Empty } from "./states.tsx";

interface NowProperties {
  readonly now: NowMessage | undefined;
  readonly progress: Progress | undefined;
}

export function NowView({ now, progress }: NowProperties): ComponentChild {
  const sessions = now?.sessions ?? [];
  const running = sessions.filter(({ isRunning }) => isRunning).length;
  return (
    <>
      <h1 tabIndex={-1}>
        {running > 1 ? `${running} sessions are running` : running === 1 ? "One session is running" : "Now"}
      </h1>
      <p class="lead">{describeNow(now, progress)}</p>
      {sessions.map((session) => (
        <SessionCard key={session.key} session={session} atMs={now?.atMs ?? 0} />
      ))}
      {now && sessions.length === 0 && (
        <Empty title="No session is recorded here yet" command="claude">
          Start a session in any project: it appears on this page within a second. Transcripts that lie elsewhere are
          shown with plimsoll dashboard FOLDER.
        </Empty>
      )}
    </>
  );
}

function describeNow(now: NowMessage | undefined, progress: Progress | undefined): string {
  if (!now) return "Looking for sessions…";
  if (progress?.isSample)
    return "No session of yours is recorded yet: this is the sample session that comes with Plimsoll.";
  if (now.sessions.length === 0) return "";
  return now.sessions.some(({ isRunning }) => isRunning)
    ? "How full each window is, how far it is to the line, and what fills it."
    : "No session is running. This is the newest one; a running one takes its place within a second.";
}

function SessionCard({ session, atMs }: { readonly session: NowSession; readonly atMs: number }): ComponentChild {
  const { health, series } = session;
  return (
    <article class="card now-card" aria-label={`Session ${session.key}`}>
      <header>
        <h2>
          <a href={`#/session/${session.key}`}>
            <Safe text={session.title} />
          </a>
        </h2>
        <p class="meta">
          <Safe text={renderProject(session.project)} /> · <Safe text={session.model} /> ·{" "}
          {renderAgo(session.lastMs, atMs)}
        </p>
      </header>
      <div class="now-top">
        <Hull health={health} />
        <div class="now-figures">
          <Load health={health} />
          <dl class="stats">
            <Stat name="To the line" note={describeLine(health)}>
              {health.usedTokens === null
                ? "–"
                : renderTokens(Math.max(0, health.compactionPointTokens - health.usedTokens))}
            </Stat>
            <Stat name="Requests until it" note="at the pace of the last requests">
              {health.requestsToLine === null ? "–" : `≈ ${renderCount(health.requestsToLine)}`}
            </Stat>
            <Stat name="Spent" note={plural(session.requests, "request")}>
              {renderLowerUsd(session.costUsd, session.isCostAtLeast)}
            </Stat>
            <Stat name="Could be folded" note={`in ${plural(session.foldable.results, "old result")}`}>
              {renderTokens(session.foldable.tokens)}
            </Stat>
          </dl>
        </div>
      </div>
      {series.requests.length > 0 && <LoadChart series={series} lineTokens={health.compactionPointTokens} />}
      <Happened marks={series.marks} most={6} />
    </article>
  );
}

const LEVELS: Readonly<Record<NowHealth["level"], string>> = {
  GREEN: "well below the line",
  YELLOW: "filling up",
  ORANGE: "near the line",
  RED: "at the line",
};

function Load({ health }: { readonly health: NowHealth }): ComponentChild {
  const { usedTokens, windowTokens, level, note, confidence } = health;
  return (
    <div class="load">
      <p class="load-name">In the window</p>
      <p class="load-figure">
        {usedTokens === null ? "–" : `${confidence === "exact" ? "" : "≈ "}${renderTokens(usedTokens)}`}
        <span> of {renderTokens(windowTokens)} tokens</span>
      </p>
      <p class={`level level-${level.toLowerCase()}`}>
        <strong>{level}</strong> {LEVELS[level]}
      </p>
      <p class="note">{note}</p>
    </div>
  );
}

const SOURCES: Readonly<Record<NowHealth["compactionPointSource"], string>> = {
  learned: "learned from your compactions",
  setting: "by your setting",
  formula: "by the client's formula",
};

function describeLine({ compactionPointTokens, compactionPointSource }: NowHealth): string {
  return `line at ${renderTokens(compactionPointTokens)}, ${SOURCES[compactionPointSource]}`;
}
