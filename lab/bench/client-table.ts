import type { FidelityKind } from "../../test/played/compare-bytes.ts";
import type { ArmFigures } from "../../test/played/measure-arm.ts";
import type { Bill } from "../../test/played/price-run.ts";
import { median } from "./measure.ts";

/** All that was played: each session's price per arm, then what was kept, then the difference to replay and where it lies. */
export function renderFigures(figures: readonly ArmFigures[]): string {
  return [renderPrices(figures), renderFidelity(figures), renderDifferences(figures)].join("\n\n");
}

const usd = (value: number): string => `$${value.toFixed(2)}`;
const ratio = (value: number, base: number): string => (base > 0 ? (value / base).toFixed(3) : "–");

function renderPrices(figures: readonly ArmFigures[]): string {
  const ids = [...new Set(figures.map(({ id }) => id))];
  const of = (id: string, arm: string): ArmFigures | undefined =>
    figures.find((entry) => entry.id === id && entry.arm === arm);
  const rows = ids.map((id) => {
    const [module, client, small] = [of(id, "module"), of(id, "client"), of(id, "client@100k")];
    const any = module ?? client ?? small;
    const all = [module, client, small];
    return [
      `${any?.repository} ${id}`,
      `${any?.recordedRequests}`,
      ...all.map((entry) => (entry ? usd(entry.usd) : "–")),
      ratio(module?.usd ?? 0, client?.usd ?? 0),
      ratio(module?.usd ?? 0, small?.usd ?? 0),
      all.map((entry) => entry?.compactedAt.length ?? "–").join(" / "),
      all.map((entry) => (entry ? (entry.usd / entry.replay.sendUsd).toFixed(3) : "–")).join(" / "),
      module?.verdict ?? "–",
      all
        .map((entry) =>
          entry
            ? `${entry.seconds}${entry.isComplete ? "" : " (cut)"}${entry.urged ? ` (urged ${entry.urged})` : ""}`
            : "–",
        )
        .join(" / "),
    ];
  });
  const whole = ids.filter((id) => of(id, "module") && of(id, "client") && of(id, "client@100k"));
  const total = (arm: string): number => whole.reduce((sum, id) => sum + (of(id, arm)?.usd ?? 0), 0);
  const middle = (base: string): string =>
    median(whole.map((id) => (of(id, "module")?.usd ?? 0) / (of(id, base)?.usd ?? 1))).toFixed(3);
  const last = [
    [
      "total",
      "",
      usd(total("module")),
      usd(total("client")),
      usd(total("client@100k")),
      ratio(total("module"), total("client")),
      ratio(total("module"), total("client@100k")),
      "",
      "",
      "",
      "",
    ],
    ["median session", "", "", "", "", middle("client"), middle("client@100k"), "", "", "", ""],
  ];
  const head = [
    "session",
    "requests",
    "module",
    "client",
    "client@100k",
    "/client",
    "/client@100k",
    "compactions m/c/100k",
    "played / replay m/c/100k",
    "the law",
    "seconds m/c/100k",
  ];
  return renderTable([head, ...rows, ...(whole.length > 0 ? last : [])]);
}

function renderFidelity(figures: readonly ArmFigures[]): string {
  const kinds: readonly FidelityKind[] = ["results", "errors", "pictures", "parallel", "calls", "answers", "prompts"];
  const arms = [...new Set(figures.map(({ arm }) => arm))];
  const rows = arms.map((arm) => [
    arm,
    ...kinds.map((kind) => {
      const shares = figures.filter((entry) => entry.arm === arm).map(({ fidelity }) => fidelity.shares[kind]);
      const [same, all] = [
        shares.reduce((sum, share) => sum + share.same, 0),
        shares.reduce((sum, share) => sum + share.all, 0),
      ];
      return all === 0 ? "–" : `${same} of ${all}`;
    }),
  ]);
  return renderTable([["reached the API as recorded", ...kinds], ...rows]);
}

/** Where the dollars differ from what replay says, by the parts of the bill and by what makes them. */
function renderDifferences(figures: readonly ArmFigures[]): string {
  const parts: readonly (keyof Bill)[] = ["read", "write", "output", "asked"];
  const arms = [...new Set(figures.map(({ arm }) => arm))];
  const rows = arms.map((arm) => {
    const own = figures.filter((entry) => entry.arm === arm);
    const sum = (pick: (entry: ArmFigures) => number): number => own.reduce((total, entry) => total + pick(entry), 0);
    const [played, said] = [sum((entry) => entry.usd), sum(({ replay }) => replay.sendUsd)];
    const [summaries, written] = [sum((entry) => entry.summaries), sum((entry) => entry.summaryTokens)];
    return [
      arm,
      usd(played),
      usd(said),
      ratio(played, said),
      ...parts.map((part) => {
        const difference = sum(({ bill, replay }) => bill[part] - replay.bill[part]);
        return `${difference < 0 ? "-" : "+"}${usd(Math.abs(difference))} (${((100 * difference) / said).toFixed(1)} %)`;
      }),
      `${sum(({ compactedAt }) => compactedAt.length)} / ${sum(({ replay }) => replay.compactedAt.length)}`,
      summaries === 0 ? "–" : `${summaries} of ${Math.round(written / summaries)} tokens`,
    ];
  });
  const head = [
    ...["arm", "played", "replay, no recalls", "played / replay"],
    ...parts.map((part) => `${part}: played - replay`),
    ...["compactions played / replay", "summaries written"],
  ];
  return renderTable([head, ...rows]);
}

function renderTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
