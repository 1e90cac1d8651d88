import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportedFigure } from "../../person/report-look-back.ts";
import type { LookBackView } from "../wire.ts";
import { useProgress } from "./connection.ts";
import { renderLowerUsd } from "./format.ts";
import { ReplayingNotice } from "./states.tsx";

const SOURCES: Readonly<Record<ReportedFigure["kind"], string>> = {
  total: "every recorded request at list prices",
  pauses: "the cache had expired, so the whole context was written again",
  rewrites: "all other requests that wrote cached text to the cache again",
  carried: "what perfect foresight (theoretical best) would have saved on the same work",
  saved: "the same sessions, replayed with Plimsoll",
};

/** What was spent and what is left of it, next to each other and above everything that scrolls. */
export function Spending({ periods, limits }: LookBackView): ComponentChild {
  const of = (name: LookBackView["periods"][number]["name"]): string => {
    const { usd = 0, isAtLeast = false } = periods.find((one) => one.name === name) ?? {};
    return renderLowerUsd(usd, isAtLeast);
  };
  return (
    <div class="spending">
      {periods.length > 0 && (
        <section class="limits" aria-labelledby="spent">
          <h2 id="spent">Spent</h2>
          <dl>
            <div>
              <dt>Today</dt>
              <dd>{of("today")}</dd>
            </div>
            <div>
              <dt>This week</dt>
              <dd>
                {of("this week")} <span class="meta">last week {of("last week")}</span>
              </dd>
            </div>
            <div>
              <dt>This month</dt>
              <dd>{of("this month")}</dd>
            </div>
          </dl>
        </section>
      )}
      {limits.length > 0 && <Limits limits={limits} />}
    </div>
  );
}

export function LookBackSection({ told: report }: LookBackView): ComponentChild {
  const isReplaying = useProgress()?.replay.isRunning;
  if (!report) return null;
  return (
    <section class="card look-back" aria-labelledby="look-back">
      <h2 id="look-back">{report.total.text}</h2>
      <ul>
        {[report.total, ...report.parts].map((figure) => (
          <Figure key={figure.kind} figure={figure} />
        ))}
      </ul>
      <ReplayingNotice />
      {!isReplaying &&
        report.notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
    </section>
  );
}

function Figure({ figure }: { readonly figure: ReportedFigure }): ComponentChild {
  const { kind, text, command } = figure;
  return (
    <li>
      <p class="told">
        {kind === "total" ? "Total" : text}
        <span class="meta">{SOURCES[kind]}</span>
      </p>
      <p class="behind">
        <a href={`#/sessions/${kind}`}>
          Sessions<span class="unseen"> behind: {text}</span>
        </a>
        <CopyCommand command={command} isBrief />
      </p>
    </li>
  );
}

function Limits({ limits }: Pick<LookBackView, "limits">): ComponentChild {
  return (
    <section class="limits" aria-labelledby="limits">
      <h2 id="limits">Limits and budgets</h2>
      <dl>
        {limits.map(({ name, text, usedPercent }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {usedPercent !== null && <LoadMeter share={usedPercent / 100} label={`${name}: ${text}`} />}
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A meter that takes the warning colour from 90 %. */
function LoadMeter({ share, label }: Readonly<{ share: number; label: string }>): ComponentChild {
  const width = Math.max(0, Math.min(100, share * 100));
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="bar-rest" width="100" height="8" />
      <rect class={share >= 0.9 ? "meter-full" : "bar-part"} width={width} height="8" />
    </svg>
  );
}

const THANKS_MS = 2000;

interface CopyCommandProperties {
  readonly command: string;
  /** Only the button: for a command that is one option among others and takes much room. */
  readonly isBrief?: boolean;
}

export function CopyCommand({ command, isBrief = false }: CopyCommandProperties): ComponentChild {
  const [state, change] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    const timer = setTimeout(() => change("idle"), THANKS_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => change("copied"),
      // Some browsers ask first, and a person may refuse; they can still select the command next to the button.
      () => change("refused"),
    );
  };
  return (
    <span class={isBrief ? "copy is-brief" : "copy"}>
      {(!isBrief || state === "refused") && <code>{command}</code>}
      <button type="button" onClick={copy} title={command}>
        {state === "copied" ? "Copied" : state === "refused" ? "Select the command" : isBrief ? "Copy command" : "Copy"}
        <span class="unseen"> {command}</span>
      </button>
    </span>
  );
}
