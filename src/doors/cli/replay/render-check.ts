import { renderCount } from "../../../core/render-count.ts";
import type { Bucket, CheckSummary, Reading } from "../../../replay/summarise-check.ts";
import type { Terminal } from "../command.ts";
import { paint, renderTable, renderUsd } from "../style.ts";

const BAR = 30;

export function renderCheck(check: CheckSummary, terminal: Terminal): string {
  const { estimator, dollars, recordedUsd, unexplainedMisses, requests } = check;
  const percent = (share: number | undefined): string => (share === undefined ? "-" : `${(share * 100).toFixed(1)} %`);
  return [
    paint(terminal, "bold", "The simulator against what was recorded"),
    "",
    `Size of ${renderCount(requests, "request")}, by the estimator alone: median absolute error ${percent(estimator.medianAbsoluteError)}, p95 ${percent(estimator.p95AbsoluteError)}, median ${percent(estimator.medianError)}`,
    renderDistribution(estimator.distribution, percent),
    "",
    `Dollars of what the client did, simulated over recorded (${renderUsd(recordedUsd)}), by session`,
    renderTable([
      ["", "median", "p10", "p90", "total", "90 %"],
      renderReading("as time stamps explain it", dollars.asTimeStampsExplain),
      renderReading(`with ${unexplainedMisses} misses as recorded`, dollars.withRecordedMisses),
    ]),
    "",
    "Sessions by that ratio, as time stamps explain it",
    renderDistribution(dollars.asTimeStampsExplain.distribution, (ratio) => (ratio ?? 0).toFixed(2)),
  ].join("\n");
}

function renderReading(
  name: string,
  { medianRatio, p10Ratio, p90Ratio, totalRatio, totalInterval }: Reading,
): readonly string[] {
  const ratio = (value: number | undefined): string => value?.toFixed(3) ?? "-";
  const interval = totalInterval ? `${ratio(totalInterval.low)}-${ratio(totalInterval.high)}` : "-";
  return [name, ratio(medianRatio), ratio(p10Ratio), ratio(p90Ratio), ratio(totalRatio), interval];
}

function renderDistribution(buckets: readonly Bucket[], renderEdge: (edge: number | undefined) => string): string {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  return renderTable(
    buckets.map(({ from, count }, index) => [
      `  ${from === undefined ? `below ${renderEdge(buckets[index + 1]?.from)}` : `from ${renderEdge(from)}`}`,
      String(count),
      "█".repeat(Math.round((count / most) * BAR)).padEnd(BAR),
    ]),
  );
}
