import type { ComponentChild } from "preact";
import { useRef, useState } from "preact/hooks";
import type { SessionDetail } from "../wire.ts";
import { plural, renderDays, renderLowerUsd, renderTokens } from "./format.ts";
import { Panel } from "./states.tsx";
import { saveFile } from "./table.tsx";

const WIDTH = 960;
const HEIGHT = 360;
const PLOT = { left: 24, right: 936, top: 104, bottom: 296 } as const;
/** The picture carries its own colours because it is also shown outside this page. */
const INK = {
  paper: "#0d2236",
  text: "#f4f1ea",
  quiet: "#a9bccd",
  load: "#5fb3e6",
  usd: "#ffb454",
  miss: "#ff7a6b",
} as const;
const FONT = "system-ui, sans-serif";

/** A session in one picture to keep or share: the load, each compaction, each rebuild of the cache, and the cost. */
export function Story({ detail }: { readonly detail: SessionDetail }): ComponentChild {
  const picture = useRef<SVGSVGElement>(null);
  const [hasNames, name] = useState(false);
  const save = (): void => {
    if (picture.current)
      saveFile("session.svg", "image/svg+xml", new XMLSerializer().serializeToString(picture.current));
  };
  return (
    <Panel id="story" title="This session in one picture">
      <Picture detail={detail} hasNames={hasNames} svg={picture} />
      <p class="more">
        <label>
          <input type="checkbox" checked={hasNames} onChange={(event) => name(event.currentTarget.checked)} /> with
          title and project
        </label>{" "}
        <button type="button" onClick={save}>
          Save the picture (SVG)
        </button>
      </p>
    </Panel>
  );
}

interface PictureProperties {
  readonly detail: SessionDetail;
  readonly hasNames: boolean;
  readonly svg: { current: SVGSVGElement | null };
}

function Picture({ detail, hasNames, svg }: PictureProperties): ComponentChild {
  const { requests, totals, compactionPointTokens } = detail;
  const peak = Math.max(0, ...requests.map(({ contextTokens }) => contextTokens));
  const most = Math.max(peak, compactionPointTokens);
  const x = (index: number): number =>
    PLOT.left + (index / Math.max(1, requests.length - 1)) * (PLOT.right - PLOT.left);
  const y = (share: number): number => PLOT.bottom - share * (PLOT.bottom - PLOT.top);
  let sumUsd = 0;
  const sums = requests.map(({ usd = 0 }) => (sumUsd += usd));
  const allUsd = Math.max(1e-9, sumUsd);
  const draw = (shares: readonly number[]): string =>
    shares.map((share, index) => `${x(index).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
  const load = draw(requests.map(({ contextTokens }) => contextTokens / most));
  const compactions = requests.flatMap(({ compaction }, index) => (compaction === undefined ? [] : [index]));
  const misses = requests.flatMap(({ miss }, index) => (miss === undefined ? [] : [index]));
  const figures = [
    `${renderLowerUsd(totals.usd, totals.isAtLeast)} in ${plural(requests.length, "request")}`,
    plural(compactions.length, "compaction"),
    `${plural(misses.length, "cache rebuild")}, ${renderLowerUsd(totals.missed.usd, totals.missed.isAtLeast)}`,
    `peak context ${renderTokens(peak)}`,
  ].join(" · ");
  const heading = hasNames ? `${detail.title} · ${detail.project}` : `A session in ${detail.host}`;
  return (
    <svg
      ref={svg}
      class="story"
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${heading}: ${figures}`}
      font-family={FONT}
    >
      <rect width={WIDTH} height={HEIGHT} rx="12" fill={INK.paper} />
      <text x={PLOT.left} y="38" font-size="20" font-weight="600" fill={INK.text}>
        {heading.length > 84 ? `${heading.slice(0, 83)}…` : heading}
      </text>
      <text x={PLOT.left} y="62" font-size="15" fill={INK.text}>
        {figures}
      </text>
      <text x={PLOT.left} y="84" font-size="13" fill={INK.quiet}>
        {renderDays(detail.startMs, detail.lastMs)}
        {detail.model ? ` · ${detail.model}` : ""}
      </text>
      <polygon
        points={`${PLOT.left},${PLOT.bottom} ${load} ${x(requests.length - 1)},${PLOT.bottom}`}
        fill={INK.load}
        opacity="0.3"
      />
      <polyline points={load} fill="none" stroke={INK.load} stroke-width="2" />
      <line
        x1={PLOT.left}
        x2={PLOT.right}
        y1={y(compactionPointTokens / most)}
        y2={y(compactionPointTokens / most)}
        stroke={INK.quiet}
        stroke-dasharray="4 4"
      />
      <polyline points={draw(sums.map((usd) => usd / allUsd))} fill="none" stroke={INK.usd} stroke-width="2" />
      {compactions.map((index) => (
        <path key={`c${index}`} d={`M${x(index)} ${PLOT.top} V${PLOT.bottom}`} stroke={INK.text} stroke-width="1.5" />
      ))}
      {misses.map((index) => (
        <circle key={`m${index}`} cx={x(index)} cy={PLOT.bottom + 8} r="3.5" fill={INK.miss} />
      ))}
      {KEYS.map(([colour, words], index) => (
        <text key={words} x={PLOT.left + index * 190} y="336" font-size="13" fill={INK[colour]}>
          {words}
        </text>
      ))}
      <text x={PLOT.right} y="336" font-size="13" text-anchor="end" fill={INK.quiet}>
        plimsoll
      </text>
    </svg>
  );
}

const KEYS = [
  ["load", "▬ tokens in context"],
  ["usd", "▬ dollars so far"],
  ["text", "┃ compaction"],
  ["miss", "● cache rebuild"],
] as const;
