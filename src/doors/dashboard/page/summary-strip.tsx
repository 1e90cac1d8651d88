import type { ComponentChild } from "preact";
import type { Distribution } from "../../../measure/distribution.ts";
import { renderTokens } from "./format.ts";

interface SummaryStripProperties {
  readonly tokens: readonly number[];
  readonly distribution: Distribution;
}

const BINS = 40;
const WIDTH = 800;
const HEIGHT = 110;

/** How many summaries are of which size. */
export function SummaryStrip({ tokens, distribution }: SummaryStripProperties): ComponentChild {
  const most = Math.max(1, distribution.largest);
  const counts = new Array<number>(BINS).fill(0);
  for (const size of tokens) {
    const bin = Math.min(BINS - 1, Math.floor((size / most) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const tallest = Math.max(...counts);
  const median = distribution.quantiles[0]?.value ?? 0;
  const label = `Sizes from ${renderTokens(tokens[0] ?? 0)} to ${renderTokens(most)} tokens, half of them below ${renderTokens(median)}`;
  return (
    <div class="strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {counts.map((count, bin) => {
          const height = (count / tallest) * (HEIGHT - 6);
          const x = (bin / BINS) * WIDTH;
          return <rect key={bin} class="bin" x={x + 1} y={HEIGHT - height} width={WIDTH / BINS - 2} height={height} />;
        })}
        <path class="median" d={`M${(median / most) * WIDTH} 0 V${HEIGHT}`} />
      </svg>
      <p class="day-ends">
        <span>0</span>
        <span>half below {renderTokens(median)}</span>
        <span>{renderTokens(most)} tokens</span>
      </p>
    </div>
  );
}
