import { type ComponentChild, Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Fold, Mark, Turn } from "../wire.ts";
import { plural, renderCount, renderShare, renderTime, renderTokens, renderUsd } from "./format.ts";
import { MarkSign } from "./mark-sign.tsx";
import { Safe } from "./safe.tsx";
import { TurnBlocks } from "./turn-blocks.tsx";

interface TurnTableProperties {
  readonly session: string;
  readonly turns: readonly Turn[];
  readonly onOriginal: (question: string) => void;
}

const PAGE = 50;
const ORDERS = ["newest", "oldest", "dearest", "events"] as const;
type Order = (typeof ORDERS)[number];
const ORDER_NAMES: Readonly<Record<Order, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  dearest: "Dearest first",
  events: "Only where something happened",
};

/** Every turn with what it cost; a row opens to show what it carried. */
export function TurnTable({ session, turns, onOriginal }: TurnTableProperties): ComponentChild {
  const [order, sort] = useState<Order>("newest");
  const [most, show] = useState(PAGE);
  const [opened, open] = useState<number>();
  const chosen = arrange(turns, order);
  return (
    <section aria-labelledby="turns">
      <div class="section-head">
        <h2 id="turns">Turns</h2>
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
      {chosen.length === 0 && <p class="quiet">Nothing was folded, cleared, compacted or missed in this session.</p>}
      {chosen.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="table-frame" tabIndex={0} aria-label="Turns of this session">
          <table class="turns">
            <thead>
              <tr>
                <th scope="col">Turn</th>
                <th scope="col" class="extra">
                  Time
                </th>
                <th scope="col" class="number">
                  Sent
                </th>
                <th scope="col" class="number extra">
                  Answered
                </th>
                <th scope="col" class="number">
                  Cached
                </th>
                <th scope="col" class="number">
                  Cost
                </th>
                <th scope="col">What happened</th>
              </tr>
            </thead>
            <tbody>
              {chosen.slice(0, most).map((turn) => (
                <Fragment key={turn.turn}>
                  <TurnRow
                    turn={turn}
                    isOpen={opened === turn.turn}
                    onToggle={() => open(opened === turn.turn ? undefined : turn.turn)}
                  />
                  {opened === turn.turn && (
                    <tr class="opened">
                      <td colSpan={7}>
                        {turn.folds.map((fold) => (
                          <FoldCard
                            key={fold.handle}
                            fold={fold}
                            onOriginal={() =>
                              onOriginal(`fold?key=${session}&handle=${encodeURIComponent(fold.handle)}`)
                            }
                          />
                        ))}
                        <TurnBlocks session={session} turn={turn.turn} onOriginal={onOriginal} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {chosen.length > most && (
        <button type="button" onClick={() => show(most + PAGE)}>
          Show {Math.min(PAGE, chosen.length - most)} more of {renderCount(chosen.length - most)}
        </button>
      )}
    </section>
  );
}

function arrange(turns: readonly Turn[], order: Order): readonly Turn[] {
  if (order === "oldest") return turns;
  if (order === "dearest") return [...turns].sort((left, right) => (right.usd ?? 0) - (left.usd ?? 0));
  const newest = [...turns].reverse();
  return order === "newest" ? newest : newest.filter((turn) => listSigns(turn).length > 0);
}

function listSigns({ folds, miss, clears, compaction }: Turn): readonly Mark["kind"][] {
  return [
    ...(compaction !== null ? (["compaction"] as const) : []),
    ...(folds.length > 0 ? (["fold"] as const) : []),
    ...(clears > 0 ? (["clear"] as const) : []),
    ...(miss ? (["miss"] as const) : []),
  ];
}

interface TurnRowProperties {
  readonly turn: Turn;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function TurnRow({ turn, isOpen, onToggle }: TurnRowProperties): ComponentChild {
  return (
    <tr>
      <th scope="row">
        <button type="button" class="toggle" aria-expanded={isOpen} onClick={onToggle}>
          {turn.turn}
          <span class="unseen"> {isOpen ? "close" : "open"}</span>
        </button>
      </th>
      <td class="extra">{renderTime(turn.atMs)}</td>
      <td class="number">{renderTokens(turn.contextTokens)}</td>
      <td class="number extra">{renderTokens(turn.outputTokens)}</td>
      <td class="number">{renderShare(turn.cacheHit)}</td>
      <td class="number">{turn.usd === null ? "no price" : renderUsd(turn.usd)}</td>
      <td class="happening">
        {listSigns(turn).map((kind) => (
          <MarkSign key={kind} kind={kind} />
        ))}
        <span>
          <Safe text={describeTurn(turn)} />
        </span>
      </td>
    </tr>
  );
}

function describeTurn({ calls, folds, miss, compaction }: Turn): string {
  const counts = new Map<string, number>();
  for (const tool of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const tools = [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(", ");
  return [
    ...(compaction !== null ? [`compacted (${compaction})`] : []),
    ...(miss
      ? [
          `cache miss, ${miss.cause}: ${renderTokens(miss.tokens)} written again${miss.usd === null ? "" : ` for ${renderUsd(miss.usd)}`}`,
        ]
      : []),
    ...(folds.length > 0 ? [`${plural(folds.length, "fold")}`] : []),
    tools || "answer",
  ].join(" · ");
}

function FoldCard({ fold, onOriginal }: { readonly fold: Fold; readonly onOriginal: () => void }): ComponentChild {
  const { tool, characters, shownCharacters, savedTokens, why, breakEvenRequests, requests, savedUsd } = fold;
  return (
    <div class="fold-card">
      <h3>
        <MarkSign kind="fold" /> <Safe text={tool} /> output folded
      </h3>
      <p>
        {renderCount(characters)} characters became {renderCount(shownCharacters)}: {renderTokens(savedTokens)} tokens
        less in each of {plural(requests, "request")} since
        {savedUsd !== null && `, ${renderUsd(savedUsd)} net`}.
      </p>
      <p class="note">
        <Safe text={why} />{" "}
        {breakEvenRequests === null
          ? "It never pays."
          : breakEvenRequests === 0
            ? "It pays at once."
            : `It has paid after ${plural(breakEvenRequests, "request")}, fetching it again included.`}
      </p>
      <button type="button" onClick={onOriginal}>
        Show the original
      </button>
    </div>
  );
}
