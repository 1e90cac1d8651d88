import type { ComponentChild, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Mark, Series, ShownLayer } from "../wire.ts";

interface AreaChartProperties {
  readonly series: Series;
  readonly lineTokens: number;
  readonly label: string;
  /** The index in the series under the pointer. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

/** What fills the window over the requests, as stacked areas below the load line. */
export function AreaChart({ series, lineTokens, label, pointed, onPoint }: AreaChartProperties): ComponentChild {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const { height, right, bottom, x } = planScale(series, lineTokens, width);
  // Not drawn anew for every request that is pointed to.
  const drawn = useMemo(() => drawSeries(series, lineTokens, width), [series, lineTokens, width]);
  const under = series.requests[pointed ?? -1];
  const point = ({ clientX }: PointerEvent): void => {
    const atX = clientX - (frame.current?.getBoundingClientRect().left ?? 0);
    const distance = ({ request }: PagePlace): number => Math.abs(x(request) - atX);
    onPoint(listPagePlaces(series).reduce((best, place) => (distance(place) < distance(best) ? place : best)).place);
  };
  return (
    <div class="chart" ref={frame} role="img" aria-label={label}>
      <svg width={width} height={height} aria-hidden="true">
        {drawn}
        {under !== undefined && <path class="pointer" d={`M${x(under)} ${TOP}V${bottom}`} />}
        <rect
          {...{ x: LEFT, y: TOP, width: right - LEFT, height: bottom - TOP }}
          fill="transparent"
          onPointerDown={point}
          onPointerMove={point}
          // A finger that was lifted has left too, and its values must stay.
          onPointerLeave={({ pointerType }) => pointerType !== "touch" && onPoint(undefined)}
        />
      </svg>
    </div>
  );
}

/** All but the pointer. */
export function drawSeries(series: Series, lineTokens: number, width: number): ComponentChild {
  const scale = planScale(series, lineTokens, width);
  const { right, bottom, x, y } = scale;
  const places = listPagePlaces(series);
  const lineY = y(lineTokens);
  const signs = new Map<number, number>();
  return (
    <>
      <Axes scale={scale} />
      {stack(series.layers, places, scale).map(({ name, colour, path }) => (
        <path key={name} d={path} style={{ fill: `var(${colour})` }} />
      ))}
      {series.marks.map(({ request, kind }, index) => {
        if (x(request) < LEFT - 1 || x(request) > right + 1) return null;
        const below = signs.get(request) ?? 0;
        signs.set(request, below + 1);
        return (
          <g key={`${request} ${kind} ${index}`}>
            {kind === "compaction" && <path class="boundary" d={`M${x(request)} ${TOP}V${bottom}`} />}
            <MarkSign kind={kind} x={x(request) - 6} y={TOP - 15 - below * SIGN_HEIGHT} />
          </g>
        );
      })}
      {lineY >= TOP && (
        <>
          <path class="load-line" d={`M${LEFT} ${lineY}H${right}`} />
          <circle class="load-line" cx={right - 22} cy={lineY} r="8" />
        </>
      )}
    </>
  );
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, change] = useState(0);
  useLayoutEffect(() => {
    const follow = new ResizeObserver(() => change(frame.current?.clientWidth ?? 0));
    if (frame.current) follow.observe(frame.current);
    return () => follow.disconnect();
  }, []);
  return Math.max(240, width);
}

/** Room around the areas for the tokens on the left, the signs above and the requests below. */
const LEFT = 52;
const TOP = 38;
const RIGHT = 8;
const BOTTOM = 50;
const SIGN_HEIGHT = 13;

function planScale({ requests, usedTokens }: Series, lineTokens: number, width: number) {
  const height = width < 560 ? 240 : 330;
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const first = requests[0] ?? 0;
  const last = Math.max(first + 1, requests.at(-1) ?? 0);
  const most = chooseTop(Math.max(1, ...usedTokens), lineTokens);
  return {
    height,
    right,
    bottom,
    x: (request: number): number => LEFT + ((request - first) / (last - first)) * (right - LEFT),
    y: (tokens: number): number => bottom - (tokens / most) * (bottom - TOP),
    requestTicks: listTicks(first, last, (right - LEFT) / 50).filter(Number.isInteger),
    tokenTicks: listTicks(0, most, (bottom - TOP) / 30),
  };
}

type Scale = ReturnType<typeof planScale>;

/** Round numbers from one to the other, at most so many. */
function listTicks(from: number, to: number, most: number): readonly number[] {
  const least = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= least) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step);
}

function Axes({ scale }: { readonly scale: Scale }): ComponentChild {
  const { right, bottom, x, y, requestTicks, tokenTicks } = scale;
  return (
    <>
      {tokenTicks.map((tokens) => (
        <g key={tokens}>
          <path class="grid-line" d={`M${LEFT} ${y(tokens)}H${right}`} />
          <text x={LEFT - 5} y={y(tokens) + 3} text-anchor="end">
            {renderTick(tokens)}
          </text>
        </g>
      ))}
      {requestTicks.map((request) => (
        <text key={request} x={x(request)} y={bottom + 14} text-anchor="middle">
          {request}
        </text>
      ))}
    </>
  );
}

/** Round numbers need no decimals. */
function renderTick(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens % 1e6 === 0 ? `${tokens / 1e6}M` : `${tokens / 1000}k`;
}

/** From the top down, so that each lower area is drawn over the one that contains it. */
function stack(layers: readonly ShownLayer[], places: readonly PagePlace[], { bottom, x, y }: Scale) {
  const colours = nameColours(layers);
  let sums: readonly number[] = places.map(() => 0);
  const areas = layers.map(({ name, tokens }, layer) => {
    sums = sums.map((below, index) => below + (tokens[places[index]?.place ?? 0] ?? 0));
    const points = places.map(({ request }, index) => `L${x(request).toFixed(2)} ${y(sums[index] ?? 0).toFixed(2)}`);
    return { name, colour: colours[layer] ?? "", path: `M${LEFT} ${bottom}${points.join("")}V${bottom}Z` };
  });
  return areas.reverse();
}

type PagePlace = Readonly<Record<"request" | "place", number>>;

/** Just before a compaction the window is still full, so the chart must show a cliff, not a slope. */
const CLIFF = 0.001;

/** Indexes of the series in drawing order; the one before each compaction is repeated. */
export function listPagePlaces({ requests, marks }: Series): readonly PagePlace[] {
  const compacted = new Set(marks.filter(({ kind }) => kind === "compaction").map(({ request }) => request));
  return requests.flatMap((request, place) => {
    const here = { request, place };
    return place > 0 && compacted.has(request) ? [{ request: request - CLIFF, place: place - 1 }, here] : [here];
  });
}

/** In a square of 12; the shapes are distinguishable without colour. */
export const SIGNS: Readonly<Record<Mark["kind"], Readonly<{ name: string; path: string; isLine: boolean }>>> = {
  compaction: { name: "Compaction", path: "M1.5 1.5h9v9h-9z", isLine: false },
  fold: { name: "Shortened output", path: "M1.5 1.5h9l-4.5 9z", isLine: false },
  clear: { name: "Clearing of old results", path: "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isLine: true },
  miss: { name: "Cache rebuild", path: "M2 2l8 8M10 2l-8 8", isLine: true },
};

/** `x` and `y` are its place in a drawing. */
export function MarkSign({ kind, ...place }: Pick<Mark, "kind"> & { x?: number; y?: number }): ComponentChild {
  const { name, path, isLine } = SIGNS[kind];
  const [fill, stroke] = isLine ? ["none", "currentColor"] : ["currentColor", "none"];
  return (
    <svg {...place} class={`sign sign-${kind}`} width="12" height="12" viewBox="0 0 12 12" role="img" aria-label={name}>
      <path d={path} fill={fill} stroke={stroke} stroke-width="2" />
    </svg>
  );
}

/** A line this many times above everything sent would squash the areas to the floor. */
const FAR_ABOVE = 3;

/** Whether the line is outside of the chart, so that a text has to say where it is. */
export function isLineOutside(mostTokens: number, lineTokens: number): boolean {
  return lineTokens > mostTokens * FAR_ABOVE;
}

export function chooseTop(mostTokens: number, lineTokens: number): number {
  return isLineOutside(mostTokens, lineTokens) ? mostTokens * 1.25 : Math.max(mostTokens, lineTokens) * 1.08;
}

/** The style sheet defines the colours per theme; a layer only names its own. */
export function nameColours(layers: readonly ShownLayer[]): readonly string[] {
  let tools = 0;
  return layers.map(({ kind }) => (kind === "tool" ? `--layer-tool-${++tools}` : `--layer-${kind}`));
}
