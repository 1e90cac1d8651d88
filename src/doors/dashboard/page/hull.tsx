import type { ComponentChild } from "preact";
import type { NowHealth } from "../wire.ts";
import { renderTokens } from "./format.ts";

const WIDTH = 200;
const HEIGHT = 272;
/** Leaves room above for half the ring, where the client compacts at the very end of the window. */
const TOP = 26;
const BOTTOM = 260;
/** Where the levels change, as shares of the load line. */
const BANDS = [0.6, 0.78, 0.9] as const;

/** A ship's side: water up to the load, and the mark at the point where the client compacts. */
export function Hull({ health }: { readonly health: NowHealth }): ComponentChild {
  const { usedTokens, windowTokens, compactionPointTokens, level } = health;
  const heightOf = (tokens: number): number => BOTTOM - Math.min(1, tokens / windowTokens) * (BOTTOM - TOP);
  const mark = heightOf(compactionPointTokens);
  const water = heightOf(usedTokens ?? 0);
  const label =
    usedTokens === null
      ? "The size of the window is not known yet"
      : `${renderTokens(usedTokens)} of ${renderTokens(windowTokens)} tokens, the client compacts at ${renderTokens(compactionPointTokens)}, level ${level}`;
  const centre = 78;
  return (
    <svg class="hull" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <defs>
        <linearGradient id="depth" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2={HEIGHT}>
          <stop class="shallow" offset="0" />
          <stop class="deep" offset="1" />
        </linearGradient>
        <clipPath id="plate">
          <path d={`M8 ${TOP} H${WIDTH - 8} V${BOTTOM - 18} q0 18 -18 18 H26 q-18 0 -18 -18 Z`} />
        </clipPath>
      </defs>
      <g clip-path="url(#plate)">
        <rect class="plate" x="0" y="0" width={WIDTH} height={HEIGHT} />
        {[0.25, 0.5, 0.75].map((share) => (
          <path key={share} class="seam" d={`M0 ${heightOf(windowTokens * share)} H${WIDTH}`} />
        ))}
        <g class="water" style={{ transform: `translateY(${water}px)` }}>
          <rect x="0" y="4" width={WIDTH} height={HEIGHT} />
          <path
            d={`M-40 5 q10 -7 20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 t20 0 V8 H-40 Z`}
          />
        </g>
      </g>
      <path class="plate-edge" d={`M8 ${TOP} H${WIDTH - 8} V${BOTTOM - 18} q0 18 -18 18 H26 q-18 0 -18 -18 Z`} />
      <g class="load-mark">
        <circle cx={centre} cy={mark} r="21" />
        <path d={`M${centre - 44} ${mark} H${centre + 44}`} />
        <path class="ladder" d={`M146 ${mark} V${heightOf(compactionPointTokens * BANDS[0])}`} />
        {[1, ...BANDS].map((share) => (
          <g key={share}>
            <path class="rung" d={`M146 ${heightOf(compactionPointTokens * share)} h14`} />
            <text x="164" y={heightOf(compactionPointTokens * share) + 3.5}>
              {share === 1 ? "full" : `${Math.round(share * 100)} %`}
            </text>
          </g>
        ))}
      </g>
    </svg>
  );
}
