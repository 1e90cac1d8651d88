import type { ComponentChild } from "preact";
import type { PolicyTotal } from "../what-if.ts";
import { renderUsd } from "./format.ts";
import { placeLabels } from "./place-labels.ts";
import { renderVisible } from "./split-hidden.ts";

const WIDTH = 720;
const HEIGHT = 340;
const LEFT = 24;
const RIGHT = 150;
const TOP = 20;
const BOTTOM = 34;

/** Nothing lost lies a little above the axis, so that it can be read. */
const LIFT = 22;

interface Point {
  readonly policy: string;
  readonly netUsd: number;
  readonly coldLost: number;
}

/** Net dollars against what was lost, with the frontier of what no other policy beats on both. */
export function FrontierPlot({ policies }: { readonly policies: readonly PolicyTotal[] }): ComponentChild {
  const points = policies.flatMap(({ policy, netUsd, coldLost }): readonly Point[] =>
    netUsd === null || coldLost === null ? [] : [{ policy, netUsd, coldLost }],
  );
  if (points.length === 0) return <p class="quiet">No policy of this replay tells both its price and its loss.</p>;
  const mostUsd = Math.max(...points.map(({ netUsd }) => netUsd), 1e-9);
  const mostLost = Math.max(...points.map(({ coldLost }) => coldLost), 1e-9);
  const x = ({ netUsd }: Point): number => LEFT + (netUsd / mostUsd) * (WIDTH - LEFT - RIGHT);
  const y = ({ coldLost }: Point): number =>
    HEIGHT - BOTTOM - LIFT - (coldLost / mostLost) * (HEIGHT - TOP - BOTTOM - LIFT - 10);
  const labels = placeLabels(points.map((point) => ({ x: x(point), y: y(point), text: nameOf(point) })));
  const frontier = findFrontier(points.filter((point) => !isLimit(point)));
  const best = frontier.map(({ policy }) => renderVisible(policy)).join(", ");
  const path = frontier.map((point, index) => `${index === 0 ? "M" : "L"}${x(point)} ${y(point)}`).join(" ");
  return (
    <svg
      class="frontier"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Beaten by no other on both: ${best}`}
    >
      <path class="axis" d={`M${LEFT} ${TOP} V${HEIGHT - BOTTOM} H${WIDTH - 8}`} />
      <text x={LEFT} y={HEIGHT - 10}>
        net dollars: 0
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 10} text-anchor="middle">
        {renderUsd(mostUsd)}
      </text>
      <text x={LEFT + 6} y={TOP - 6}>
        cold needs lost
      </text>
      <path class="frontier-line" d={path} />
      {points.map((point, index) => (
        <g key={point.policy} class={frontier.includes(point) ? "on-frontier" : isLimit(point) ? "is-limit" : ""}>
          <circle cx={x(point)} cy={y(point)} r="5" />
          <text x={labels[index]?.x} y={labels[index]?.y} text-anchor={labels[index]?.anchor}>
            {nameOf(point)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** What knows the future is a limit to measure by, and nobody's choice. */
function isLimit({ policy }: Point): boolean {
  return policy.startsWith("clairvoyant");
}

function nameOf(point: Point): string {
  return `${renderVisible(point.policy)}${isLimit(point) ? " (knows the future)" : ""}`;
}

/** From the cheapest on, whatever loses less than all that are cheaper. */
export function findFrontier(points: readonly Point[]): readonly Point[] {
  const found: Point[] = [];
  for (const point of [...points].sort((left, right) => left.netUsd - right.netUsd || left.coldLost - right.coldLost))
    if (point.coldLost < (found.at(-1)?.coldLost ?? Number.POSITIVE_INFINITY)) found.push(point);
  return found;
}
