import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { SessionRow } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderCount, renderDay, renderLowerUsd, renderProject, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Answered, Empty } from "./states.tsx";
import { Bar, type Column, Table } from "./table.tsx";

const PAGE = 40;

export function SessionsView({ version }: { readonly version: number }): ComponentChild {
  const answer = useAnswer<readonly SessionRow[]>("sessions", version);
  return (
    <>
      <h1 tabIndex={-1}>Sessions</h1>
      <Answered answer={answer}>{(rows) => <Sessions rows={rows} />}</Answered>
    </>
  );
}

function Sessions({ rows }: { readonly rows: readonly SessionRow[] }): ComponentChild {
  const [words, search] = useState("");
  const [most, show] = useState(PAGE);
  if (rows.length === 0)
    return (
      <Empty title="No session is recorded here yet" command="claude">
        Start a session in any project: it appears here within a second.
      </Empty>
    );
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = `${row.title} ${row.project} ${row.model}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const largest = found.reduce((most, { peakTokens }) => Math.max(most, peakTokens), 1);
  return (
    <>
      <div class="toolbar">
        <label for="search">Find by title, project or model</label>
        <input id="search" type="search" value={words} onInput={(event) => search(event.currentTarget.value)} />
        <p role="status">{plural(found.length, "session")}</p>
      </div>
      <Table
        caption="Recorded sessions, newest first"
        columns={planColumns(largest)}
        rows={found.slice(0, most)}
        keyOf={({ key }) => key}
      />
      {found.length > most && (
        <button type="button" onClick={() => show(most + PAGE)}>
          Show {Math.min(PAGE, found.length - most)} more
        </button>
      )}
    </>
  );
}

function planColumns(largest: number): readonly Column<SessionRow>[] {
  return [
    {
      name: "Session",
      render: ({ key, title, project, isRunning, isSubagent }) => (
        <>
          <a class="session-link" href={`#/session/${key}`}>
            <Safe text={title} />
          </a>
          <span class="meta">
            <Safe text={renderProject(project)} />
            {isRunning && <b class="tag is-running">running</b>}
            {isSubagent && <b class="tag">subagent</b>}
          </span>
        </>
      ),
    },
    { name: "Last request", render: ({ lastMs }) => <span class="day-name">{renderDay(lastMs)}</span>, isExtra: true },
    { name: "Model", render: ({ model }) => <Safe text={model} />, isExtra: true },
    { name: "Requests", render: ({ requests }) => renderCount(requests), isNumber: true, isExtra: true },
    { name: "Compactions", render: ({ compactions }) => renderCount(compactions), isNumber: true, isExtra: true },
    {
      name: "Peak",
      render: ({ peakTokens }) => (
        <>
          {renderTokens(peakTokens)}
          <Bar share={peakTokens / largest} />
        </>
      ),
      isNumber: true,
    },
    { name: "Cost", render: ({ totalUsd, isCostAtLeast }) => renderLowerUsd(totalUsd, isCostAtLeast), isNumber: true },
  ];
}
