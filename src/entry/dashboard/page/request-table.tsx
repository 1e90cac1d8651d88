import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { groupBy } from "../../../core/group-by.ts";
import type { Fold, Mark, RequestBlock, SessionRequest } from "../wire.ts";
import { AnsweredState } from "./answered-state.tsx";
import { MarkSign } from "./area-chart.tsx";
import {
  plural,
  renderDay,
  renderInteger,
  renderLowerUsd,
  renderMoment,
  renderShareText,
  renderTokens,
  renderUsd,
} from "./format.ts";
import { Safe, showOneLine } from "./safe.tsx";
import { countColumn, Table, type TableColumn } from "./table.tsx";

interface RequestTableProperties {
  readonly session: string;
  readonly requests: readonly SessionRequest[];
  readonly onOriginal: (question: string) => void;
}

const PAGE = 50;

export function RequestTable({ session, requests, onOriginal }: RequestTableProperties): ComponentChild {
  const [isOnlyEvents, choose] = useState(false);
  const [opened, open] = useState<number>();
  const rows = isOnlyEvents ? requests.filter((request) => listSigns(request).length > 0) : requests;
  const hasDays = new Set(requests.flatMap(({ atMs }) => (atMs === undefined ? [] : [renderDay(atMs)]))).size > 1;
  return (
    <section class="requests" aria-labelledby="requests">
      <div class="section-head">
        <h2 id="requests">Requests</h2>
        <label>
          <input type="checkbox" checked={isOnlyEvents} onChange={(event) => choose(event.currentTarget.checked)} />{" "}
          only where something happened
        </label>
      </div>
      {rows.length === 0 ? (
        <p class="quiet">Nothing was shortened, cleared, compacted or paid for twice in this session.</p>
      ) : (
        <Table
          caption="Requests of this session"
          columns={planColumns(hasDays, opened, open)}
          rows={rows}
          most={PAGE}
          sorted="Request"
          keyOf={({ number }) => String(number)}
          below={(request) =>
            opened === request.number && <Opened session={session} request={request} onOriginal={onOriginal} />
          }
        />
      )}
    </section>
  );
}

/** What they sort by is what is exported: whole numbers, and a time format that every program reads. */
function planColumns(
  hasDays: boolean,
  opened: number | undefined,
  open: (request: number | undefined) => void,
): readonly TableColumn<SessionRequest>[] {
  return [
    {
      name: "Request",
      render: ({ number }) => {
        const isOpen = opened === number;
        const toggle = (): void => open(isOpen ? undefined : number);
        return (
          <button type="button" class="toggle" aria-expanded={isOpen} onClick={toggle}>
            {number}
            <span class="unseen"> {isOpen ? "close" : "open"}</span>
          </button>
        );
      },
      sortBy: ({ number }) => number,
    },
    {
      name: "Time",
      render: ({ atMs }) => <span class="whole">{renderMoment(atMs, hasDays)}</span>,
      sortBy: ({ atMs }) => (atMs === undefined ? "" : new Date(atMs).toISOString()),
      isExtra: true,
    },
    { name: "Model", render: ({ model }) => model, isOnlySaved: true },
    ...FIXED_COLUMNS,
  ];
}

const FIXED_COLUMNS: readonly TableColumn<SessionRequest>[] = [
  countColumn("Sent", ({ contextTokens }) => contextTokens, renderTokens),
  countColumn("Answered", ({ outputTokens }) => outputTokens, renderTokens, true),
  countColumn(
    "From cache",
    ({ cacheHit = Number.NEGATIVE_INFINITY }) => cacheHit,
    (_, { cacheHit }) => renderShareText(cacheHit),
    true,
  ),
  countColumn(
    "Cost",
    ({ usd = Number.NEGATIVE_INFINITY }) => usd,
    (_, { usd, isAtLeast }) => (usd === undefined ? "no price" : renderLowerUsd(usd, isAtLeast)),
  ),
  {
    name: "What happened",
    render: (request) => (
      <div class="happening">
        {listSigns(request).map((kind) => (
          <MarkSign key={kind} kind={kind} />
        ))}
        <span>
          <Safe text={describeRequest(request)} />
        </span>
      </div>
    ),
    sortBy: describeRequest,
  },
];

function listSigns({ folds, miss, clears, compaction }: SessionRequest): readonly Mark["kind"][] {
  const signs = [
    compaction !== undefined && "compaction",
    folds.length > 0 && "fold",
    clears > 0 && "clear",
    miss && "miss",
  ] as const;
  return signs.filter((sign) => typeof sign === "string");
}

function describeRequest({ calls, folds, miss, compaction }: SessionRequest): string {
  const byTool = [...groupBy(calls, (tool) => tool)];
  const tools = byTool.map(([tool, { length }]) => (length > 1 ? `${tool} ×${length}` : tool)).join(", ");
  const price = miss?.extraUsd === undefined ? "" : ` for ${renderUsd(miss.extraUsd)}`;
  return [
    compaction !== undefined && (compaction === "manual" ? "compacted manually" : "compacted"),
    miss && `${miss.cause}: ${renderTokens(miss.tokens)} tokens written to the cache again${price}`,
    folds.length > 0 && `${plural(folds.length, "output")} shortened`,
    tools || "answer",
  ]
    .filter(Boolean)
    .join(" · ");
}

interface OpenedProperties extends Omit<RequestTableProperties, "requests"> {
  readonly request: SessionRequest;
}

function Opened({ session, request: { number, folds }, onOriginal }: OpenedProperties): ComponentChild {
  return (
    <>
      {folds.map((fold) => (
        <FoldCard
          key={fold.handle}
          fold={fold}
          onOriginal={() => onOriginal(`fold?key=${session}&handle=${encodeURIComponent(fold.handle)}`)}
        />
      ))}
      <AnsweredState<readonly RequestBlock[]> question={`request?key=${session}&request=${number}`} isFixed>
        {(blocks) =>
          blocks.length === 0 ? (
            <p class="quiet">This request added nothing to the conversation.</p>
          ) : (
            <ol class="blocks">
              {blocks.map((block, index) => (
                <Block
                  key={`${block.label} ${index}`}
                  block={block}
                  onOriginal={() => onOriginal(`block?key=${session}&request=${number}&block=${index}`)}
                />
              ))}
            </ol>
          )
        }
      </AnsweredState>
    </>
  );
}

function FoldCard({ fold, onOriginal }: Readonly<{ fold: Fold; onOriginal: () => void }>): ComponentChild {
  const { tool, characters, shownCharacters, savedTokens, why, breakEvenRequests, requests, savedUsd } = fold;
  return (
    <div class="fold-card">
      <h3>
        <MarkSign kind="fold" /> Output of <Safe text={tool} /> shortened
      </h3>
      <p>
        {renderInteger(characters)} characters became {renderInteger(shownCharacters)}: {renderTokens(savedTokens)}{" "}
        tokens less in each of {plural(requests, "request")} since
        {savedUsd !== undefined && `, which saved ${renderUsd(savedUsd)} so far`}.
      </p>
      <p class="note">
        <Safe text={why} />{" "}
        {breakEvenRequests === undefined
          ? "Shortening this output never pays off."
          : breakEvenRequests === 0
            ? "Shortening this output pays off at once."
            : `Shortening this output pays off after ${plural(breakEvenRequests, "request")}, including the cost of fetching the original back.`}
      </p>
      <button type="button" onClick={onOriginal}>
        Show the original
      </button>
    </div>
  );
}

function Block({ block, onOriginal }: Readonly<{ block: RequestBlock; onOriginal: () => void }>): ComponentChild {
  const { direction, label, characters, tokens, start } = block;
  return (
    <li class={direction}>
      <p class="block-head">
        <b>{direction === "sent" ? "→" : "←"}</b> <Safe text={label} />
        <span class="meta">
          ≈ {renderTokens(tokens)} tokens, {renderInteger(characters)} characters
        </span>
      </p>
      {start.trim() !== "" && (
        <p class="block-start">
          <Safe text={showOneLine(start)} />
          {characters > start.length && "…"}
        </p>
      )}
      {characters > 0 && (
        <button type="button" class="quiet-button" onClick={onOriginal}>
          Show all of it
        </button>
      )}
    </li>
  );
}
