import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Mark, Series } from "../wire.ts";
import { AreaChart, isLineOutside, nameColours } from "./area-chart.tsx";
import { plural, renderShareText, renderTokens } from "./format.ts";
import { renderVisible, Safe } from "./safe.tsx";

interface LoadChartProperties {
  readonly series: Series;
  readonly lineTokens: number;
}

/** The chart with its legend, which also shows the values of the request under the pointer. */
export function LoadChart({ series, lineTokens }: LoadChartProperties): ComponentChild {
  const [pointed, point] = useState<number>();
  const last = series.requests.length - 1;
  const at = pointed === undefined || pointed > last ? last : pointed;
  const used = series.usedTokens[at] ?? 0;
  const colours = nameColours(series.layers);
  const parts = series.layers
    .map(({ name, tokens }, index) => ({ name, colour: colours[index] ?? "", tokens: tokens[at] ?? 0 }))
    .reverse();
  const largest = [...parts].sort((left, right) => right.tokens - left.tokens)[0];
  const label = [
    `What fills the window over ${plural(series.requests.length, "request")}; the client compacts at ${renderTokens(lineTokens)}.`,
    largest ? `The largest part is ${renderVisible(largest.name)}.` : "",
  ].join(" ");
  return (
    <div class="load-chart">
      <div>
        <AreaChart series={series} lineTokens={lineTokens} label={label} onPoint={point} />
        {isLineOutside(Math.max(...series.usedTokens), lineTokens) && (
          <p class="note">The client compacts at {renderTokens(lineTokens)} tokens, far above this chart.</p>
        )}
        <SignLegend marks={series.marks} />
      </div>
      <div class="legend">
        <h3>
          {pointed === undefined ? "Last request" : `Request ${series.requests[at] ?? ""}`}
          <span class="number">{renderTokens(used)}</span>
        </h3>
        <ul>
          {parts.map(({ name, colour, tokens }) => (
            <li key={name}>
              <i class="swatch" style={{ background: `var(${colour})` }} />
              <span class="part">
                <Safe text={name} />
              </span>
              <span class="number">{renderTokens(tokens)}</span>
              <span class="number share">{renderShareText(used > 0 ? tokens / used : 0)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function SignLegend({ marks }: { readonly marks: readonly Mark[] }): ComponentChild {
  const kinds: readonly Mark["kind"][] = ["compaction", "fold", "clear", "miss"];
  const occurring = kinds
    .map((kind) => ({ kind, count: marks.filter((mark) => mark.kind === kind).length }))
    .filter(({ count }) => count > 0);
  return (
    <ul class="sign-legend">
      {occurring.map(({ kind, count }) => (
        <li key={kind}>
          <MarkSign kind={kind} /> {plural(count, MARK_NAMES[kind].toLowerCase(), manyOf(kind))}
        </li>
      ))}
    </ul>
  );
}

function manyOf(kind: Mark["kind"]): string {
  return kind === "clear" ? "clearings of old results" : `${MARK_NAMES[kind].toLowerCase()}s`;
}

interface HappenedProperties {
  readonly marks: readonly Mark[];
  readonly most: number;
}

/** The newest events, in words. */
export function ChartEvent({ marks, most }: HappenedProperties): ComponentChild {
  if (marks.length === 0) return null;
  const shown = marks.slice(-most).reverse();
  return (
    <div class="happened">
      <h3>What happened</h3>
      <ol>
        {shown.map(({ request, kind, text }, index) => (
          <li key={`${request} ${kind} ${index}`}>
            <MarkSign kind={kind} />
            <span class="request-number">request {request}</span>
            <span>
              <Safe text={text} />
            </span>
          </li>
        ))}
      </ol>
      {marks.length > most && <p class="note">and {plural(marks.length - most, "earlier one")}</p>}
    </div>
  );
}

const MARK_NAMES: Readonly<Record<Mark["kind"], string>> = {
  compaction: "Compaction",
  fold: "Shortened output",
  clear: "Clearing of old results",
  miss: "Cache rebuild",
};

/** The same shapes as in `area-chart.tsx`, distinguishable without colour. */
export function MarkSign({ kind }: { readonly kind: Mark["kind"] }): ComponentChild {
  return (
    <svg
      class={`sign sign-${kind}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      role="img"
      aria-label={MARK_NAMES[kind]}
    >
      {kind === "compaction" && <rect x="1.5" y="1.5" width="9" height="9" fill="currentColor" />}
      {kind === "fold" && <path d="M1.5 1.5h9l-4.5 9z" fill="currentColor" />}
      {kind === "clear" && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />}
      {kind === "miss" && <path d="M2 2l8 8M10 2l-8 8" stroke="currentColor" stroke-width="2" />}
    </svg>
  );
}
