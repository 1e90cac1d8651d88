import { type ComponentChild, Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Fold, Mark, SessionRequest } from "../wire.ts";
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
import { MarkSign } from "./load-chart.tsx";
import { RequestBlocks } from "./request-blocks.tsx";
import { Safe } from "./safe.tsx";
import { KeepTable, type TableColumn } from "./table.tsx";

interface RequestTableProperties {
  readonly session: string;
  readonly requests: readonly SessionRequest[];
  readonly onOriginal: (question: string) => void;
}

const PAGE = 50;
const ORDERS = ["newest", "oldest", "dearest", "events"] as const;
type Order = (typeof ORDERS)[number];
const ORDER_NAMES: Readonly<Record<Order, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  dearest: "Most expensive first",
  events: "Only where something happened",
};

const HEADINGS = [
  ["Request", undefined],
  ["Time", "extra"],
  ["Sent", "number"],
  ["Answered", "number extra"],
  ["From cache", "number extra"],
  ["Cost", "number"],
  ["What happened", undefined],
] as const;

export function RequestTable({ session, requests, onOriginal }: RequestTableProperties): ComponentChild {
  const [order, sort] = useState<Order>("newest");
  const [most, show] = useState(PAGE);
  const [opened, open] = useState<number>();
  const chosen = arrange(requests, order);
  const hasDays = new Set(requests.flatMap(({ atMs }) => (atMs === undefined ? [] : [renderDay(atMs)]))).size > 1;
  return (
    <section aria-labelledby="requests">
      <div class="section-head">
        <h2 id="requests">Requests</h2>
        <label>
          <span class="unseen">Order</span>
          <select
            value={order}
            onChange={({ currentTarget }) => sort(ORDERS.find((one) => one === currentTarget.value) ?? "newest")}
          >
            {ORDERS.map((one) => (
              <option key={one} value={one}>
                {ORDER_NAMES[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen.length === 0 && (
        <p class="quiet">Nothing was shortened, cleared, compacted or paid for twice in this session.</p>
      )}
      {chosen.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="table-frame" tabIndex={0} aria-label="Requests of this session">
          <table class="requests">
            <thead>
              <tr>
                {HEADINGS.map(([name, kind]) => (
                  <th key={name} scope="col" class={kind}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {chosen.slice(0, most).map((request) => (
                <Fragment key={request.number}>
                  <RequestRow
                    hasDays={hasDays}
                    request={request}
                    isOpen={opened === request.number}
                    onToggle={() => open(opened === request.number ? undefined : request.number)}
                  />
                  {opened === request.number && (
                    <OpenedRow session={session} request={request} onOriginal={onOriginal} />
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {chosen.length > 0 && <KeepTable caption="Requests of this session" rows={chosen} columns={KEPT} />}
      {chosen.length > most && (
        <button type="button" onClick={() => show(most + PAGE)}>
          Show {Math.min(PAGE, chosen.length - most)} more of {renderInteger(chosen.length - most)}
        </button>
      )}
    </section>
  );
}

interface OpenedProperties extends Omit<RequestTableProperties, "requests"> {
  readonly request: SessionRequest;
}

function OpenedRow({ session, request, onOriginal }: OpenedProperties): ComponentChild {
  return (
    <tr class="opened">
      <td colSpan={HEADINGS.length}>
        {request.folds.map((fold) => (
          <FoldCard
            key={fold.handle}
            fold={fold}
            onOriginal={() => onOriginal(`fold?key=${session}&handle=${encodeURIComponent(fold.handle)}`)}
          />
        ))}
        <RequestBlocks session={session} request={request.number} onOriginal={onOriginal} />
      </td>
    </tr>
  );
}

/** The columns of an exported file: whole numbers, and a time format that every program reads. */
const KEPT: readonly TableColumn<SessionRequest>[] = (
  [
    ["Request", ({ number }) => number],
    ["Time", ({ atMs }) => (atMs === undefined ? "" : new Date(atMs).toISOString())],
    ["Model", ({ model }) => model],
    ["Sent", ({ contextTokens }) => contextTokens],
    ["Answered", ({ outputTokens }) => outputTokens],
    ["From cache", ({ cacheHit }) => cacheHit ?? Number.NaN],
    ["Cost", ({ usd }) => usd ?? Number.NaN],
    ["What happened", describeRequest],
  ] satisfies readonly (readonly [string, (request: SessionRequest) => number | string])[]
).map(([name, sortBy]) => ({ name, render: sortBy, sortBy }));

function arrange(requests: readonly SessionRequest[], order: Order): readonly SessionRequest[] {
  if (order === "oldest") return requests;
  if (order === "dearest") return [...requests].sort((left, right) => (right.usd ?? 0) - (left.usd ?? 0));
  const newest = [...requests].reverse();
  return order === "newest" ? newest : newest.filter((request) => listSigns(request).length > 0);
}

function listSigns({ folds, miss, clears, compaction }: SessionRequest): readonly Mark["kind"][] {
  const signs = [
    compaction !== undefined && "compaction",
    folds.length > 0 && "fold",
    clears > 0 && "clear",
    miss && "miss",
  ] as const;
  return signs.filter((sign) => typeof sign === "string");
}

interface RequestRowProperties {
  readonly request: SessionRequest;
  /** Whether the session went past midnight. */
  readonly hasDays: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function RequestRow({ request, hasDays, isOpen, onToggle }: RequestRowProperties): ComponentChild {
  return (
    <tr>
      <th scope="row">
        <button type="button" class="toggle" aria-expanded={isOpen} onClick={onToggle}>
          {request.number}
          <span class="unseen"> {isOpen ? "close" : "open"}</span>
        </button>
      </th>
      <td class="extra whole">{renderMoment(request.atMs, hasDays)}</td>
      <td class="number">{renderTokens(request.contextTokens)}</td>
      <td class="number extra">{renderTokens(request.outputTokens)}</td>
      <td class="number extra">{renderShareText(request.cacheHit)}</td>
      <td class="number">{request.usd === undefined ? "no price" : renderLowerUsd(request.usd, request.isAtLeast)}</td>
      <td class="happening">
        {listSigns(request).map((kind) => (
          <MarkSign key={kind} kind={kind} />
        ))}
        <span>
          <Safe text={describeRequest(request)} />
        </span>
      </td>
    </tr>
  );
}

function describeRequest({ calls, folds, miss, compaction }: SessionRequest): string {
  const counts = new Map<string, number>();
  for (const tool of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const tools = [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(", ");
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
