import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Series } from "../wire.ts";
import { AreaChart, isLineOutside, MarkSign, nameColours, SIGNS } from "./area-chart.tsx";
import { plural, renderShareText, renderTokens } from "./format.ts";
import { renderVisible, Safe } from "./safe.tsx";

/** The chart with its legend, which also shows the values of the request under the pointer. */
export function LoadChart({ series, lineTokens }: Readonly<{ series: Series; lineTokens: number }>): ComponentChild {
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
    `What fills the window over ${plural(series.requests.length, "request")}; the agent compacts at ${renderTokens(lineTokens)}.`,
    largest ? `The largest part is ${renderVisible(largest.name)}.` : "",
  ].join(" ");
  return (
    <div class="load-chart">
      <div>
        <AreaChart series={series} lineTokens={lineTokens} label={label} pointed={pointed} onPoint={point} />
        {isLineOutside(Math.max(...series.usedTokens), lineTokens) && (
          <p class="note">The agent compacts at {renderTokens(lineTokens)} tokens, far above this chart.</p>
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

function SignLegend({ marks }: Pick<Series, "marks">): ComponentChild {
  const kinds = (["compaction", "fold", "clear", "miss"] as const).filter((kind) =>
    marks.some((mark) => mark.kind === kind),
  );
  return (
    <ul class="sign-legend">
      {kinds.map((kind) => {
        const count = marks.filter((mark) => mark.kind === kind).length;
        const one = SIGNS[kind].name.toLowerCase();
        return (
          <li key={kind}>
            <MarkSign kind={kind} /> {plural(count, one, kind === "clear" ? "clearings of old results" : `${one}s`)}
          </li>
        );
      })}
    </ul>
  );
}

/** The newest events, in words. */
export function ChartEvent({ marks, most }: Pick<Series, "marks"> & { readonly most: number }): ComponentChild {
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
