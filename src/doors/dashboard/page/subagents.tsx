import type { ComponentChild } from "preact";
import type { SessionPart, SessionsView } from "../wire-sessions.ts";
import { useAnswer } from "./fetch-answer.ts";
import { renderInteger, renderLowerUsd } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Table } from "./table.tsx";

interface SubagentsProperties {
  readonly session: string;
  readonly version: number;
}

/** The subagents that a session has started, each a conversation of its own; nothing where there are none. */
export function Subagents({ session, version }: SubagentsProperties): ComponentChild {
  const answer = useAnswer<SessionsView>("sessions", version);
  const rows = answer.status === "here" ? (answer.value.rows.find(({ key }) => key === session)?.subagents ?? []) : [];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="subagents">
      <h2 id="subagents">Subagents</h2>
      <Table<SessionPart>
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
          {
            name: "Requests",
            render: ({ requests }) => renderInteger(requests),
            sortBy: ({ requests }) => requests,
            isNumber: true,
          },
          {
            name: "Cost",
            render: ({ totalUsd, isAtLeast }) => renderLowerUsd(totalUsd, isAtLeast),
            sortBy: ({ totalUsd }) => totalUsd,
            isNumber: true,
          },
        ]}
      />
    </section>
  );
}
