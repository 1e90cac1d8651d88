import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Series } from "../wire.ts";
import { chooseTop } from "./choose-top.ts";
import { drawMarks, MARKS_HEIGHT } from "./draw-marks.ts";
import { nameColours, readColour } from "./layer-colours.ts";
import { listPagePlaces } from "./list-places.ts";

interface AreaChartProperties {
  readonly series: Series;
  readonly lineTokens: number;
  readonly label: string;
  /** Told the place in the series that is pointed at, or nothing. */
  readonly onPoint: (index: number | undefined) => void;
}

/** What fills the window over the requests, layer upon layer, below the load line. */
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

/** From the top down, so that each lower area is drawn over the one it is part of. */
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

/** Round numbers need no digits behind the point. */
function renderTick(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens % 1e6 === 0 ? `${tokens / 1e6}M` : `${tokens / 1000}k`;
}

/** Changes with the person's colour scheme: what is drawn on a canvas has to be drawn again. */
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
