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
  const shape = `${useIsDark()} ${series.layers.map(({ name }) => name).join("|")}`;
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

function planPlot(place: HTMLElement, latest: () => Omit<AreaChartProperties, "label">): uPlot.Options {
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
      { ...axis, grid: { show: false }, values: (_, all) => all.map((value) => (value % 1 === 0 ? `${value}` : "")) },
      { ...axis, size: 52, grid: { stroke: line, width: 1 }, values: (_, all) => all.map(renderTick) },
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
function useIsDark(): boolean {
  const [isDark, change] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => change(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isDark;
}

/** Just before a compaction the window is still full, so the chart must show a cliff, not a slope. */
const CLIFF = 0.001;

/** Indexes of the series in drawing order; the one before each compaction is repeated. */
export function listPagePlaces({ requests, marks }: Series): readonly Readonly<{ request: number; place: number }>[] {
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
    if (kind === "compaction") drawBoundary(plot, x, ratio);
    const others = above.get(request) ?? 0;
    above.set(request, others + 1);
    drawSign(plot, kind, { x, y: bbox.top - (9 + others * SIGN_HEIGHT) * ratio, ratio });
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
  ctx.stroke(new Path2D(`M${bbox.left} ${y}h${bbox.width}`));
  ctx.beginPath();
  ctx.arc(bbox.left + bbox.width - 22 * ratio, y, 8 * ratio, 0, Math.PI * 2);
  ctx.stroke();
}

function drawBoundary({ ctx, bbox }: uPlot, x: number, ratio: number): void {
  ctx.strokeStyle = readColour("--ink");
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  ctx.stroke(new Path2D(`M${x} ${bbox.top}v${bbox.height}`));
  ctx.setLineDash([]);
}

/** In a square of 12; the shapes are distinguishable without colour. */
export const SIGNS: Readonly<Record<Mark["kind"], Readonly<{ name: string; path: string; isLine: boolean }>>> = {
  compaction: { name: "Compaction", path: "M1.5 1.5h9v9h-9z", isLine: false },
  fold: { name: "Shortened output", path: "M1.5 1.5h9l-4.5 9z", isLine: false },
  clear: { name: "Clearing of old results", path: "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", isLine: true },
  miss: { name: "Cache rebuild", path: "M2 2l8 8M10 2l-8 8", isLine: true },
};

/** `x` and `y` are the middle of the sign. */
function drawSign(
  { ctx }: uPlot,
  kind: Mark["kind"],
  { x, y, ratio }: Readonly<Record<"x" | "y" | "ratio", number>>,
): void {
  const { path, isLine } = SIGNS[kind];
  ctx.fillStyle = readColour("--ink");
  ctx.strokeStyle = readColour(kind === "miss" ? "--accent" : "--ink");
  ctx.lineWidth = 2;
  ctx.save();
  ctx.translate(x - 6 * ratio, y - 6 * ratio);
  ctx.scale(ratio, ratio);
  if (isLine) ctx.stroke(new Path2D(path));
  else ctx.fill(new Path2D(path));
  ctx.restore();
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
