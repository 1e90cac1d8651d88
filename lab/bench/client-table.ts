import type { FidelityKind } from "../../test/played/compare-bytes.ts";
import type { ArmFigures } from "../../test/played/measure-arm.ts";
import { ARMS, type ArmName, hasModule } from "../../test/played/play-session.ts";
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
  const of = (id: string, arm: ArmName): ArmFigures | undefined =>
    figures.find((entry) => entry.id === id && entry.arm === arm);
  const arms = ARMS.filter((arm) => figures.some((entry) => entry.arm === arm));
  const whole = ids.filter((id) => arms.every((arm) => of(id, arm)));
  const pairs = [...arms.filter(hasModule)].flatMap((own) =>
    arms.filter((arm) => !hasModule(arm)).map((rival) => [own, rival] as const),
  );
  const price = (id: string, arm: ArmName): number => of(id, arm)?.usd ?? Number.NaN;
  const total = (arm: ArmName): number => whole.reduce((sum, id) => sum + price(id, arm), 0);
  const join = (list: readonly (ArmFigures | undefined)[], render: (entry: ArmFigures) => string): string =>
    list.map((entry) => (entry ? render(entry) : "–")).join(" / ");
  const rows = ids.map((id) => {
    const all = arms.map((arm) => of(id, arm));
    const any = all.find((entry) => entry !== undefined);
    return [
      `${any?.repository} ${id}`,
      `${any?.recordedRequests}`,
      ...all.map((entry) => (entry ? usd(entry.usd) : "–")),
      ...pairs.map(([own, rival]) => ratio(price(id, own), price(id, rival))),
      join(all, ({ compactedAt }) => `${compactedAt.length}`),
      join(all, (entry) => (entry.usd / entry.replay.sendUsd).toFixed(3)),
      join(
        all.filter((entry) => entry && hasModule(entry.arm)),
        ({ verdict }) => verdict,
      ),
      join(
        all,
        ({ seconds, isComplete, urged }) =>
          `${seconds}${isComplete ? "" : " (cut)"}${urged ? ` (urged ${urged})` : ""}`,
      ),
    ];
  });
  const last = [
    [
      "total",
      "",
      ...arms.map((arm) => usd(total(arm))),
      ...pairs.map(([own, rival]) => ratio(total(own), total(rival))),
    ],
    [
      "median session",
      "",
      ...arms.map(() => ""),
      ...pairs.map(([own, rival]) => median(whole.map((id) => price(id, own) / price(id, rival))).toFixed(3)),
    ],
  ];
  const head = [
    "session",
    "requests",
    ...arms,
    ...pairs.map(([own, rival]) => `${own} / ${rival}`),
    ...["compactions", "played / replay", "the law", "seconds"],
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
