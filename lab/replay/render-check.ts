import { renderCount } from "../../src/core/render-count.ts";
import type { Terminal } from "../../src/entry/cli/command.ts";
import { paint, renderSafely, renderTable, renderUsd } from "../../src/entry/cli/print/style.ts";
import type { Bucket, CheckSummary, ClientCheck, Reading } from "./summarise-check.ts";

const BAR = 30;

export function renderCheck(check: CheckSummary, terminal: Terminal): string {
  const { estimator, dollars, recordedUsd, unexplainedMisses, requests, largestView, clients } = check;
  const percent = (share: number | undefined): string => (share === undefined ? "-" : `${(share * 100).toFixed(1)} %`);
  return [
    paint(terminal, "bold", "The simulator against what was recorded"),
    "",
    `Size of ${renderCount(requests, "request")}, by the estimator alone: median absolute error ${percent(estimator.medianAbsoluteError)}, p95 ${percent(estimator.p95AbsoluteError)}, median ${percent(estimator.medianError)}`,
    renderDistribution(estimator.distribution, percent),
    "",
    `Dollars of what the client did, simulated over recorded (${renderUsd(recordedUsd)}), by session; with compactions,`,
    `${check.simulatedCompactions} simulated and ${check.recordedCompactions} recorded, each with the request that wrote its summary`,
    renderTable([
      ["", "median", "p10", "p90", "total", "90 %"],
      renderReading("as time stamps explain it", dollars.asTimeStampsExplain),
      renderReading(`with ${unexplainedMisses} misses as recorded`, dollars.withRecordedMisses),
      renderReading(`with ${check.unexplainedHits} hits as recorded, too`, dollars.withRecordedCache),
    ]),
    "",
    "Sessions by that ratio, as time stamps explain it",
    renderDistribution(dollars.asTimeStampsExplain.distribution, (ratio) => (ratio ?? 0).toFixed(2)),
    "",
    ...renderClients(clients),
    ...(largestView ? [renderLargestView(largestView)] : []),
  ].join("\n");
}

/** By client: sums of dollars hold sessions that are within 15 % of what was recorded, each client's together within 5 %. */
function renderClients(clients: readonly ClientCheck[]): readonly string[] {
  const cells = ({ sessions, recordedUsd, ratio }: ClientCheck["all"]): readonly string[] => [
    String(sessions),
    renderUsd(recordedUsd),
    ratio?.toFixed(3) ?? "-",
  ];
  const head = ["", "sessions", "recorded", "ratio", "counted", "recorded", "ratio"];
  return [
    "Simulated over recorded dollars by client, short sessions included: all, and those that plimsoll replay counts",
    renderTable([head, ...clients.map(({ client, all, counted }) => [client, ...cells(all), ...cells(counted)])]),
    "",
    ...clients.flatMap(({ client, leftOut }) => [
      ...(leftOut.length > 0 ? [`Not counted of ${client}, and why`] : []),
      ...leftOut.map(({ name, why }) => `  ${renderSafely(name)}: ${why}`),
    ]),
    "",
  ];
}

function renderLargestView({ name, share }: NonNullable<CheckSummary["largestView"]>): string {
  const beyond = share > 1 ? ": more than fits, so that nothing is to be believed of that session" : "";
  return `The largest simulated request: ${share.toFixed(3)} of its window (${renderSafely(name)})${beyond}`;
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
