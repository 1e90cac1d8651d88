/** Dollars of replay against a second pricer that shares no code with the first: every session, some policies, to the cent. */
import { LAB_POLICIES } from "../replay/catalogue.ts";
import { hasCorpus, listCorpus } from "./corpus.ts";
import { exportRequests, prepareFile, sumUsd } from "./export-requests.ts";
import { priceExported } from "./second-pricer.ts";

const JUDGED = ["native", "native@200k", "native@100k", "plimsoll", "clear_tool_uses", "none"];
const HALF_A_CENT = 0.005;

export function run(): void {
  if (!hasCorpus) {
    console.log("skipped: no recorded sessions beside the project");
    return;
  }
  const policies = LAB_POLICIES.filter(({ name }) => JUDGED.includes(name));
  const totals = policies.map((policy) => ({ policy, sessions: 0, requests: 0, first: 0, second: 0, largest: 0 }));
  for (const file of listCorpus()) {
    const briefing = prepareFile(file);
    if (!briefing) continue;
    for (const total of totals) {
      const { lines, outcome } = exportRequests(briefing, total.policy);
      const [first, second] = [sumUsd(outcome), priceExported(lines)];
      total.sessions++;
      total.requests += lines.split("\n").length - 1;
      total.first += first;
      total.second += second;
      total.largest = Math.max(total.largest, Math.abs(first - second));
    }
  }
  for (const { policy, sessions, requests, first, second, largest } of totals)
    console.log(
      `${policy.name}: ${sessions} sessions, ${requests} requests; first $${first.toFixed(4)}, second $${second.toFixed(4)}, largest difference in a session $${largest.toExponential(1)}`,
    );
  const isEqual = totals.every(({ largest }) => largest < HALF_A_CENT);
  console.log(isEqual ? "equal to the cent in every session" : "NOT equal to the cent");
  if (!isEqual) process.exitCode = 1;
}
