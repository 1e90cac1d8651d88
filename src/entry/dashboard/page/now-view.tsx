import type { ComponentChild } from "preact";
import { useContext } from "preact/hooks";
import type { Health } from "../../../measure/health.ts";
import type { PersonAdvice } from "../../../policy/advice/advise-person.ts";
import type { LookBackView, NowMessage, NowSession } from "../wire.ts";
import { useAnswer } from "./answered-state.tsx";
import { Connected } from "./connection.ts";
import { plural, renderAgo, renderInteger, renderLowerUsd, renderProject, renderTokens, renderUsd } from "./format.ts";
import { ChartEvent, LoadChart } from "./load-chart.tsx";
import { CopyCommand, LookBackSection, Spending } from "./look-back.tsx";
import { Safe } from "./safe.tsx";
import { Empty, type StatRow, Stats } from "./states.tsx";

export function NowView(): ComponentChild {
  const { now, state: { progress } = {} } = useContext(Connected);
  // Limits change with the clock, and `now` is sent at least once a minute.
  const answer = useAnswer<LookBackView>("look-back", { more: (now?.atMs ?? 0) / 1e15 });
  const [first] = now?.sessions ?? [];
  if (!now || !first)
    return (
      <>
        <h1 tabIndex={-1}>{now ? "Now" : "Looking for sessions…"}</h1>
        {now && (
          <Empty title="No session is recorded here yet" command="claude">
            Start a session in any project: it appears on this page within a second. To look at files in another place,
            start this page with plimsoll dashboard FOLDER.
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
          your agent: it shows here within a second.
        </p>
      )}
      <TopAdvice first={now.first} sessions={now.sessions} isSample={progress?.isSample === true} />
      {answer.status === "here" && <Spending {...answer.value} />}
      <h2 class="running">{describeRunning(now.sessions.filter(({ isRunning }) => isRunning).length)}</h2>
      {now.sessions.map((session) => (
        <SessionCard
          key={session.key}
          session={session}
          atMs={now.atMs}
          isFirst={session.key === (now.first ? now.first.key : first.key)}
          hasHost={hosts.size > 1}
        />
      ))}
      {answer.status === "here" && <LookBackSection {...answer.value} />}
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
  /** Its advice is already at the top of the page. */
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
          <Stats rows={listFigures(session)} />
        </div>
      </div>
      {series.requests.length > 0 && <LoadChart series={series} lineTokens={health.compactionPointTokens} />}
      <ChartEvent marks={series.marks} most={6} />
    </article>
  );
}

function listFigures({ health, requests, costUsd, isAtLeast, foldable }: NowSession): readonly StatRow[] {
  const { tokensToLine, requestsToLine, compactionPointTokens, compactionPointSource } = health;
  const line = `the agent compacts at ${renderTokens(compactionPointTokens)}, ${SOURCES[compactionPointSource]}`;
  const pace = "at the pace of the latest requests";
  return [
    ["Until compaction", tokensToLine === undefined ? "–" : renderTokens(tokensToLine), `tokens; ${line}`],
    ["Requests until then", requestsToLine === undefined ? "–" : `≈ ${renderInteger(requestsToLine)}`, pace],
    ["Spent", renderLowerUsd(costUsd, isAtLeast), plural(requests, "request")],
    ["Could be shortened", renderTokens(foldable.tokens), `tokens in ${plural(foldable.results, "old tool result")}`],
  ];
}

const LEVELS: Readonly<Record<Health["level"], string>> = {
  GREEN: "plenty of room",
  YELLOW: "filling up",
  ORANGE: "nearly full",
  RED: "about to be compacted",
};

function Load({ health }: Pick<NowSession, "health">): ComponentChild {
  const { usedTokens, windowTokens, level, note, confidence } = health;
  return (
    <div class="load">
      <p class="load-name">In the window</p>
      <p class="load-figure">
        {usedTokens === undefined ? "–" : `${confidence === "exact" ? "" : "≈ "}${renderTokens(usedTokens)}`}
        <span> of {renderTokens(windowTokens)} tokens</span>
      </p>
      <p class={`level level-${level.toLowerCase()}`}>
        <strong>{level}</strong> {LEVELS[level]}
      </p>
      <p class="note">{note}</p>
    </div>
  );
}

const SOURCES: Readonly<Record<Health["compactionPointSource"], string>> = {
  learned: "learned from earlier compactions",
  setting: "by your setting",
  formula: "by its default rule",
};

interface TopAdviceProperties extends Pick<NowMessage, "first" | "sessions"> {
  readonly isSample: boolean;
}

function TopAdvice({ first, sessions, isSample }: TopAdviceProperties): ComponentChild {
  const about = first ? sessions.find(({ key }) => key === first.key) : sessions[0];
  const advice = first?.advice ?? about?.advice;
  const name = isSample ? "The sample" : about === sessions[0] ? "Your newest session" : "Another running session";
  return (
    <div class="advice">
      <h1 tabIndex={-1}>{advice ? advice.sentence : "Finding out what to do…"}</h1>
      {advice && <Act advice={advice} />}
      {about && (
        <p class="meta">
          {name}:{" "}
          <a href={`#/session/${about.key}`}>
            <Safe text={about.title} />
          </a>
        </p>
      )}
    </div>
  );
}

function Act({ advice }: { readonly advice: PersonAdvice }): ComponentChild {
  const { sentence, command, place, savesUsd } = advice;
  if (command === undefined) return null;
  const saving = savesUsd === undefined ? "" : renderUsd(savesUsd);
  return (
    <p class="act">
      {place === "shell" ? "Run in a terminal" : "Run in the agent"} <CopyCommand command={command} />
      {saving !== "" && !sentence.includes(saving) && <b>saves about {saving}</b>}
    </p>
  );
}

const WIDTH = 200;
const HEIGHT = 272;
/** Room for half the ring if the client compacts at the very end of the window. */
const TOP = 26;
const BOTTOM = 260;
/** The borders of the levels, as shares of the load line. */
const BANDS = [0.6, 0.78, 0.9] as const;

/** A ship's side: water up to the load, and the mark where the client compacts. */
export function Hull({ health }: Pick<NowSession, "health">): ComponentChild {
  const { usedTokens, windowTokens, compactionPointTokens, level } = health;
  const heightOf = (tokens: number): number => BOTTOM - Math.min(1, tokens / windowTokens) * (BOTTOM - TOP);
  const mark = heightOf(compactionPointTokens);
  const water = heightOf(usedTokens ?? 0);
  const label =
    usedTokens === undefined
      ? "The size of the window is not known yet"
      : `${renderTokens(usedTokens)} of ${renderTokens(windowTokens)} tokens, the agent compacts at ${renderTokens(compactionPointTokens)}, level ${level}`;
  const centre = 68;
  const plate = `M8 ${TOP} H${WIDTH - 8} V${BOTTOM - 18} q0 18 -18 18 H26 q-18 0 -18 -18 Z`;
  return (
    <svg class="hull" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <defs>
        <linearGradient id="depth" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2={HEIGHT}>
          <stop class="shallow" offset="0" />
          <stop class="deep" offset="1" />
        </linearGradient>
        <clipPath id="plate">
          <path d={plate} />
        </clipPath>
      </defs>
      <g clip-path="url(#plate)">
        <rect class="plate" x="0" y="0" width={WIDTH} height={HEIGHT} />
        {[0.25, 0.5, 0.75].map((share) => (
          <path key={share} class="seam" d={`M0 ${heightOf(windowTokens * share)} H${WIDTH}`} />
        ))}
        <g class="water" style={{ transform: `translateY(${water}px)` }}>
          <rect x="0" y="4" width={WIDTH} height={HEIGHT} />
          <path d={`M-40 5 q10 -7 20 0${" t20 0".repeat(13)} V8 H-40 Z`} />
        </g>
      </g>
      <path class="plate-edge" d={plate} />
      <g class="load-mark">
        <circle cx={centre} cy={mark} r="21" />
        <path d={`M${centre - 44} ${mark} H${centre + 44}`} />
        <path class="ladder" d={`M132 ${mark} V${heightOf(compactionPointTokens * BANDS[0])}`} />
        {[1, ...BANDS].map((share) => (
          <g key={share}>
            <path class="rung" d={`M132 ${heightOf(compactionPointTokens * share)} h14`} />
            <text x="150" y={heightOf(compactionPointTokens * share) + 3.5}>
              {share === 1 ? "full" : `${Math.round(share * 100)} %`}
            </text>
          </g>
        ))}
      </g>
    </svg>
  );
}
