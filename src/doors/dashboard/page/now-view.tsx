import type { ComponentChild } from "preact";
import type { LookBackView, NowHealth, NowMessage, NowSession, ShownProgress } from "../wire.ts";
import { Act, FirstAdvice } from "./advice.tsx";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderAgo, renderInteger, renderLowerUsd, renderProject, renderTokens } from "./format.ts";
import { Hull } from "./hull.tsx";
import { ChartEvent, LoadChart } from "./load-chart.tsx";
import { LookBackSection } from "./look-back.tsx";
import { Safe } from "./safe.tsx";
import { Stat } from "./stat.tsx";
import { Empty } from "./states.tsx";

interface NowProperties {
  readonly now: NowMessage | undefined;
  readonly version: number;
  readonly progress: ShownProgress | undefined;
}

/** One thing to do, what the last days came to, then every running session. */
export function NowView({ now, version, progress }: NowProperties): ComponentChild {
  // Limits go by the clock: what is told of a session comes at least once a minute.
  const answer = useAnswer<LookBackView>("look-back", version + (now?.atMs ?? 0) / 1e15);
  const [first] = now?.sessions ?? [];
  if (!now || !first)
    return (
      <>
        <h1 tabIndex={-1}>{now ? "Now" : "Looking for sessions…"}</h1>
        {now && (
          <Empty title="No session is recorded here yet" command="claude">
            Start a session in any project: it appears on this page within a second. To look at files that lie
            elsewhere, start this page with plimsoll dashboard FOLDER.
          </Empty>
        )}
      </>
    );
  const hosts = new Set(now.sessions.map(({ host }) => host));
  return (
    <>
      {progress?.isSample && (
        <p class="lead">
          No session of yours is recorded yet: this is the sample session that comes with Plimsoll. Start a session in
          your client: it shows here within a second.
        </p>
      )}
      <FirstAdvice session={first} isSample={progress?.isSample === true} />
      {answer.status === "here" && <LookBackSection view={answer.value} replay={progress?.replay} />}
      <h2 class="running">{describeRunning(now.sessions.filter(({ isRunning }) => isRunning).length)}</h2>
      {now.sessions.map((session, index) => (
        <SessionCard
          key={session.key}
          session={session}
          atMs={now.atMs}
          isFirst={index === 0}
          hasHost={hosts.size > 1}
        />
      ))}
    </>
  );
}

function describeRunning(count: number): string {
  if (count === 0) return "No session is running: this is the newest one";
  return count === 1 ? "One session is running" : `${count} sessions are running`;
}

interface SessionCardProperties {
  readonly session: NowSession;
  readonly atMs: number;
  /** Its advice stands at the top of the page already. */
  readonly isFirst: boolean;
  readonly hasHost: boolean;
}

function SessionCard({ session, atMs, isFirst, hasHost }: SessionCardProperties): ComponentChild {
  const { health, series, advice } = session;
  return (
    <article class="card now-card" aria-label={`Session ${session.key}`}>
      <header>
        <h3>
          <a href={`#/session/${session.key}`}>
            <Safe text={session.title} />
          </a>
        </h3>
        <p class="meta">
          <Safe text={renderProject(session.project)} /> · <Safe text={session.model} /> ·{" "}
          {hasHost && `${session.host} · `}
          last request {renderAgo(session.lastMs, atMs)}
        </p>
        {!isFirst && advice && (
          <>
            <p>{advice.sentence}</p>
            <Act advice={advice} />
          </>
        )}
      </header>
      <div class="now-top">
        <Hull health={health} />
        <div class="now-figures">
          <Load health={health} />
          <dl class="stats">
            <Stat name="Until it is compacted" note={describeLine(health)}>
              {health.usedTokens === null
                ? "–"
                : renderTokens(Math.max(0, health.compactionPointTokens - health.usedTokens))}
            </Stat>
            <Stat name="Requests until then" note="at the pace of the last ones">
              {health.requestsToLine === null ? "–" : `≈ ${renderInteger(health.requestsToLine)}`}
            </Stat>
            <Stat name="Spent" note={plural(session.requests, "request")}>
              {renderLowerUsd(session.costUsd, session.isAtLeast)}
            </Stat>
            <Stat name="Could be shortened" note={`tokens in ${plural(session.foldable.results, "old tool result")}`}>
              {renderTokens(session.foldable.tokens)}
            </Stat>
          </dl>
        </div>
      </div>
      {series.requests.length > 0 && <LoadChart series={series} lineTokens={health.compactionPointTokens} />}
      <ChartEvent marks={series.marks} most={6} />
    </article>
  );
}

const LEVELS: Readonly<Record<NowHealth["level"], string>> = {
  GREEN: "plenty of room",
  YELLOW: "filling up",
  ORANGE: "nearly full",
  RED: "about to be compacted",
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
  learned: "as it did before",
  setting: "by your setting",
  formula: "by its own rule",
};

function describeLine({ compactionPointTokens, compactionPointSource }: NowHealth): string {
  return `tokens; the client compacts at ${renderTokens(compactionPointTokens)}, ${SOURCES[compactionPointSource]}`;
}
