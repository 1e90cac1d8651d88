import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Mark, Series, ShownLayer } from "../wire.ts";

interface AreaChartProperties {
  readonly series: Series;
  readonly lineTokens: number;
  readonly label: string;
  /** Receives the index in the series under the pointer, or nothing. */
  readonly onPoint: (index: number | undefined) => void;
}

/** What fills the window over the requests, as stacked areas below the load line. */
export function AreaChart({ series, lineTokens, label, onPoint }: AreaChartProperties): ComponentChild {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = useTheme();
  const shape = `${theme} ${series.layers.map(({ name }) => name).join("|")}`;
  const latest = useRef({ series, lineTokens, onPoint });
  latest.current = { series, lineTokens, onPoint };
  useEffect(() => {
    const place = frame.current;
    if (!place) return undefined;
    const drawn = new uPlot(
      planPlot(place, () => latest.current),
      stack(latest.current.series),
      place,
    );
    plot.current = drawn;
    const follow = new ResizeObserver(() => drawn.setSize(sizeOf(place)));
    follow.observe(place);
    return () => {
      follow.disconnect();
      drawn.destroy();
      plot.current = undefined;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(stack(series)), [series, lineTokens]);
  return <div class="chart" ref={frame} role="img" aria-label={label} />;
}

function sizeOf(place: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(240, place.clientWidth), height: place.clientWidth < 560 ? 240 : 330 };
}

/** From the top down, so that each lower area is drawn over the one that contains it. */
function stack(series: Series): uPlot.AlignedData {
  const places = listPagePlaces(series);
  const sums: number[][] = [];
  let below: readonly number[] = places.map(() => 0);
  for (const { tokens } of series.layers) {
    const sum = below.map((value, index) => value + (tokens[places[index]?.place ?? 0] ?? 0));
    sums.push(sum);
    below = sum;
  }
  return [places.map(({ request }) => request), ...sums.reverse()];
}

type Latest = Pick<AreaChartProperties, "series" | "lineTokens" | "onPoint">;

function planPlot(place: HTMLElement, latest: () => Latest): uPlot.Options {
  const { layers } = latest().series;
  const colours = [...nameColours(layers)].reverse().map(readColour);
  const [ink, line] = [readColour("--muted"), readColour("--line")];
  const axis = { stroke: ink, font: "12px system-ui, sans-serif", ticks: { show: false } };
  return {
    ...sizeOf(place),
    padding: [MARKS_HEIGHT, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_, least, most) => [least, Math.max(most, least + 1)] },
      y: { range: (_, __, most) => [0, chooseTop(most, latest().lineTokens)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, values) => values.map((value) => (value % 1 === 0 ? `${value}` : "")),
      },
      {
        ...axis,
        size: 52,
        grid: { stroke: line, width: 1 },
        values: (_, values) => values.map((value) => renderTick(value)),
      },
    ],
    series: [{}, ...colours.map((colour) => ({ stroke: colour, fill: colour, width: 0, points: { show: false } }))],
    hooks: {
      draw: [(plot) => drawMarks(plot, latest().series.marks, latest().lineTokens)],
      setCursor: [({ cursor }) => latest().onPoint(listPagePlaces(latest().series)[cursor.idx ?? -1]?.place)],
    },
  };
}

/** Round numbers need no decimals. */
function renderTick(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens % 1e6 === 0 ? `${tokens / 1e6}M` : `${tokens / 1000}k`;
}

/** Follows the person's colour scheme: a canvas has to be drawn again when it changes. */
function useTheme(): "light" | "dark" {
  const [isDark, change] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => change(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isDark ? "dark" : "light";
}

/** Just before a compaction the window is still full, so the chart must show a cliff, not a slope. */
const CLIFF = 0.001;

/** Indexes of the series in drawing order; the one before each compaction is repeated. */
export function listPagePlaces({
  requests,
  marks,
}: Series): readonly { readonly request: number; readonly place: number }[] {
  const compacted = new Set(marks.filter(({ kind }) => kind === "compaction").map(({ request }) => request));
  return requests.flatMap((request, place) => {
    const here = { request, place };
    return place > 0 && compacted.has(request) ? [{ request: request - CLIFF, place: place - 1 }, here] : [here];
  });
}

const MARKS_HEIGHT = 38;
const SIGN_HEIGHT = 13;

function drawMarks(plot: uPlot, marks: readonly Mark[], lineTokens: number): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  const above = new Map<number, number>();
  for (const { request, kind } of marks) {
    const x = plot.valToPos(request, "x", true);
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
    if (kind === "compaction") drawBoundary(ctx, { x, top: bbox.top, bottom: bbox.top + bbox.height, ratio });
    const others = above.get(request) ?? 0;
    above.set(request, others + 1);
    drawSign(ctx, kind, { x, y: bbox.top - (9 + others * SIGN_HEIGHT) * ratio, size: 4.5 * ratio });
  }
  drawLoadLine(plot, lineTokens, ratio);
  ctx.restore();
}

function drawLoadLine(plot: uPlot, lineTokens: number, ratio: number): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(lineTokens, "y", true);
  if (y < bbox.top - 1) return;
  ctx.strokeStyle = readColour("--accent");
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(bbox.left + bbox.width - 22 * ratio, y, 8 * ratio, 0, Math.PI * 2);
  ctx.stroke();
}

interface Boundary {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly ratio: number;
}

function drawBoundary(ctx: CanvasRenderingContext2D, { x, top, bottom, ratio }: Boundary): void {
  ctx.strokeStyle = readColour("--ink");
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, bottom);
  ctx.stroke();
  ctx.setLineDash([]);
}

interface Sign {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The same shapes as in `load-chart.tsx`. */
function drawSign(ctx: CanvasRenderingContext2D, kind: Mark["kind"], { x, y, size }: Sign): void {
  ctx.fillStyle = readColour("--ink");
  ctx.strokeStyle = readColour(kind === "miss" ? "--accent" : "--ink");
  ctx.lineWidth = size / 2.4;
  ctx.beginPath();
  if (kind === "fold") {
    ctx.moveTo(x - size, y - size);
    ctx.lineTo(x + size, y - size);
    ctx.lineTo(x, y + size);
    ctx.closePath();
    ctx.fill();
  } else if (kind === "miss") {
    ctx.moveTo(x - size, y - size);
    ctx.lineTo(x + size, y + size);
    ctx.moveTo(x + size, y - size);
    ctx.lineTo(x - size, y + size);
    ctx.stroke();
  } else if (kind === "clear") {
    ctx.arc(x, y, size, 0, Math.PI * 2);
    ctx.stroke();
  } else ctx.fillRect(x - size, y - size, size * 2, size * 2);
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

function readColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
