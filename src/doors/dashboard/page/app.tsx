import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { NowMessage, Refusals, ShownProgress, StateMessage } from "../wire.ts";
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
    <>
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
        <p class={connection.isOpen ? "link-state is-open" : "link-state"} role="status">
          {connection.isOpen ? "Live" : "Not connected"}
        </p>
      </header>
      {connection.state && <Reading progress={connection.state.progress} />}
      <main id="main" ref={main} tabIndex={-1}>
        <View route={route} connection={connection} />
      </main>
      <Footer connection={connection} />
    </>
  );
}

function View({ route, connection }: Readonly<{ route: Route; connection: Connection }>): ComponentChild {
  const { now, state: { version = 0, progress } = {} } = connection;
  const isReading = progress === undefined || progress.phase === "accounts";
  switch (route.view) {
    case "now":
      return <NowView now={now} version={version} progress={progress} />;
    case "sessions": {
      const key = `${route.behind} ${route.isOfAllTime}`;
      return <SessionsView key={key} route={route} version={version} isReading={isReading} />;
    }
    case "session":
      return <SessionView key={route.key} session={route.key} version={version} now={now} />;
    case "spend":
      return <SpendView version={version} isReading={isReading} />;
    case "what-if":
      return <WhatIfView version={version} replay={progress?.replay} />;
  }
}

/** Progress of a first start, when everything has to be read once. */
function Reading({ progress }: { readonly progress: ShownProgress }): ComponentChild {
  const { phase, doneBytes, totalBytes, files } = progress;
  if (phase === "ready" || files === 0) return null;
  const what = phase === "accounts" ? "Adding up what was billed" : "Indexing your sessions";
  return (
    <div class="reading">
      <label for="reading">
        {what}: {renderBytes(doneBytes)} of {renderBytes(totalBytes)} in {plural(files, "file")}
      </label>
      <progress id="reading" value={doneBytes} max={Math.max(1, totalBytes)} />
    </div>
  );
}

function Footer({ connection }: { readonly connection: Connection }): ComponentChild {
  const { progress, refusals } = connection.state ?? {};
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
  const told = causes.filter(([count]) => count > 0).map(([count, cause]) => `${count} ${cause}`);
  return (
    <strong>
      {plural(total, "attempt")} to read this page refused: {told.join(", ")}.
    </strong>
  );
}

interface Connection {
  readonly isOpen: boolean;
  readonly state: StateMessage | undefined;
  readonly now: NowMessage | undefined;
}

/** One event stream for the whole page; the browser reconnects by itself. */
function useConnection(): Connection {
  const [connection, change] = useState<Connection>({ isOpen: false, state: undefined, now: undefined });
  useEffect(() => {
    const source = new EventSource("events");
    const set = (news: Partial<Connection>): void => change((before) => ({ ...before, ...news }));
    source.onopen = () => set({ isOpen: true });
    source.onerror = () => set({ isOpen: false });
    source.addEventListener("state", (event) => {
      const state: StateMessage = JSON.parse(event.data);
      set({ isOpen: true, state });
    });
    source.addEventListener("now", (event) => {
      const now: NowMessage = JSON.parse(event.data);
      set({ now });
    });
    return () => source.close();
  }, []);
  return connection;
}
