import { type ClientDollars, sumDollars } from "../../../replay/client-dollars.ts";
import type { ReplayReport } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { wrapText } from "../help.ts";
import { paint, renderTable, renderUsd } from "../style.ts";

const NAMES = ["client", "sessions", "billed", "replayed", "simulated", "Plimsoll", "saved"];

/** What was billed, what is simulated and Plimsoll's dollars, side by side; empty where Plimsoll was not asked for. */
export function renderClientDollars({ clients, leftOut }: ReplayReport, terminal: Terminal): string {
  const replayed = clients.filter(({ sessions, billedUsd = 0 }) => sessions > 0 || billedUsd > 0);
  if (!replayed.some(({ sessions }) => sessions > 0)) return "";
  const rows = replayed.length > 1 ? [...replayed, sumAll(replayed)] : replayed;
  const isFar = (one: ClientDollars): boolean => Math.abs(one.simulatedUsd / one.recordedUsd - 1) > 0.15;
  const legend =
    "billed: all recorded requests, the same sums as plimsoll stats. replayed: the part of it in the sessions below. " +
    "simulated: the same sessions with the client's own compaction, at list prices. " +
    "saved: Plimsoll's share of the simulated dollars, applied to what was billed." +
    (replayed.some(isFar)
      ? " Where it is far from replayed, the client recorded prices other than the list's, or --unchecked took in sessions that the simulation is far from."
      : "") +
    (leftOut.length > 0 ? " Sessions that are left out count only as billed, and are named below." : "");
  return [
    paint(terminal, "bold", "Dollars by client"),
    renderTable([NAMES, ...rows.map(renderRow)]),
    ...wrapText(legend, Math.min(terminal.columns, 100), ""),
  ].join("\n");
}

function renderRow(row: ClientDollars): readonly string[] {
  const { client, sessions, billedUsd, recordedUsd, simulatedUsd, ownUsd, savedUsd } = row;
  const dollars = [recordedUsd, simulatedUsd, ownUsd, savedUsd];
  const cells = sessions === 0 ? dollars.map(() => "-") : dollars.map((usd) => renderUsd(usd));
  return [client, String(sessions), billedUsd === undefined ? "-" : renderUsd(billedUsd), ...cells];
}

/** Savings are shares of each session's own bill: they are added up as they are. */
function sumAll(rows: readonly ClientDollars[]): ClientDollars {
  const sum = (pick: (row: ClientDollars) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const [billedUsd, sessions] = [sum((row) => row.billedUsd ?? 0), sum((row) => row.sessions)];
  return { ...sumDollars(rows), client: "all", billedUsd, sessions, savedUsd: sum(({ savedUsd }) => savedUsd) };
}
