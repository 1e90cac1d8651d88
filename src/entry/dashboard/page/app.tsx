import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Refusals, ShownProgress } from "../wire.ts";
import { Connected, type Heard, useConnection } from "./connection.ts";
import { plural, renderBytes, renderInteger } from "./format.ts";
import { NowView } from "./now-view.tsx";
import { type Route, useRoute } from "./route.ts";
import { SessionView } from "./session-view.tsx";
import { SessionsView } from "./sessions-view.tsx";
import { SpendView } from "./spend-view.tsx";
import { MarkIcon } from "./states.tsx";
import { WhatIfView } from "./what-if-view.tsx";

const VIEWS = [
  ["now", "Now"],
  ["sessions", "Sessions"],
  ["spend", "Spend"],
  ["what-if", "What if"],
] as const;

export function App(): ComponentChild {
  const connection = useConnection();
  const { isOpen, state } = connection;
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const place = route.view === "session" ? `session/${route.key}` : route.view;
  useEffect(() => {
    document.title = `${VIEWS.find(([view]) => view === route.view)?.[1] ?? "Session"} · Plimsoll`;
    // For keyboard users: reading continues where the new view begins.
    if (!isFirst.current) main.current?.querySelector("h1")?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [place]);
  return (
    <Connected.Provider value={connection}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="masthead">
        <a class="wordmark" href="#/now">
          <MarkIcon /> Plimsoll
        </a>
        <nav aria-label="Views">
          {VIEWS.map(([view, name]) => {
            const isHere = view === route.view || (view === "sessions" && route.view === "session");
            return (
              <a key={view} href={`#/${view}`} aria-current={isHere ? "page" : undefined}>
                {name}
              </a>
            );
          })}
        </nav>
        <p class={isOpen ? "link-state is-open" : "link-state"} role="status">
          {isOpen ? "Live" : "Not connected"}
        </p>
      </header>
      {state && <Reading progress={state.progress} />}
      <main id="main" ref={main} tabIndex={-1}>
        <View route={route} />
      </main>
      <Footer state={state} />
    </Connected.Provider>
  );
}

function View({ route }: { readonly route: Route }): ComponentChild {
  switch (route.view) {
    case "now":
      return <NowView />;
    case "sessions":
      return <SessionsView key={`${route.behind} ${route.isOfAllTime}`} route={route} />;
    case "session":
      return <SessionView key={route.key} session={route.key} />;
    case "spend":
      return <SpendView />;
    case "what-if":
      return <WhatIfView />;
  }
}

/** Progress of a first start, when everything has to be read once. */
function Reading({ progress }: { readonly progress: ShownProgress }): ComponentChild {
  const { phase, doneBytes, totalBytes, files } = progress;
  if (phase === "ready" || files === 0) return null;
  const what = phase === "accounts" ? "Adding up what was billed" : "Indexing your sessions";
  return (
    <section class="reading" aria-label={what}>
      <label for="reading">
        {what}: {renderBytes(doneBytes)} of {renderBytes(totalBytes)} in {plural(files, "file")}
      </label>
      <progress id="reading" value={doneBytes} max={Math.max(1, totalBytes)} />
    </section>
  );
}

function Footer({ state }: Pick<Heard, "state">): ComponentChild {
  const { progress, refusals } = state ?? {};
  return (
    <footer>
      {progress && (
        <p>
          {plural(progress.files, "recorded file")}, {renderBytes(progress.totalBytes)}
          {progress.unreadable > 0 && `, ${renderInteger(progress.unreadable)} could not be read`}
          {progress.accountsOnly > 0 &&
            `, ${renderInteger(progress.accountsOnly)} too large to show in detail (their costs are counted in full)`}
        </p>
      )}
      <p>Your files are read on this machine and sent nowhere. {refusals && <Refused refusals={refusals} />}</p>
    </footer>
  );
}

function Refused({ refusals }: { readonly refusals: Refusals }): ComponentChild {
  const { token, host, origin, method, fault } = refusals;
  const total = token + host + origin + method + fault;
  if (total === 0) return null;
  const causes = [
    [token, "without this page's secret address"],
    [host, "under a host name that is not this machine's"],
    [origin, "from another website"],
    [method, "that tried to do more than read"],
    [fault, "because this program failed"],
  ] as const;
  const reasons = causes.filter(([count]) => count > 0).map(([count, cause]) => `${count} ${cause}`);
  return (
    <strong>
      {plural(total, "attempt")} to read this page refused: {reasons.join(", ")}.
    </strong>
  );
}
