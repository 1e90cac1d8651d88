/**
 * The tables of docs/research/benchmark.md out of answers of `plimsoll replay --json`: --json=FILE, with --at-edit=FILE for the other marks
 * and --doors=FILE,FILE for entry points that were walked in runs of their own. Nothing is measured here.
 */
import { readFileSync } from "node:fs";
import type { PolicyTotals, ReplayReport } from "../../src/replay/report.ts";

type Answer = Omit<ReplayReport, "steps"> & { readonly requests: number };

export function run(options: readonly string[]): void {
  const read = (name: string): readonly Answer[] =>
    options
      .filter((option) => option.startsWith(`--${name}=`))
      .flatMap((option) => option.slice(name.length + 3).split(","))
      .map((file): Answer => JSON.parse(readFileSync(file, "utf8")));
  const [whole] = read("json");
  const [atEdit] = read("at-edit");
  const entryPoints = read("doors").flatMap(splitEntryPoints);
  if (whole) {
    console.log(`${renderAll(whole, atEdit)}\n`);
    console.log(`${renderSpread(whole)}\n`);
    console.log(`${renderHalves(whole.policies.map(({ name }) => ({ answer: whole, name })))}\n`);
  }
  if (entryPoints.length > 0)
    console.log(`${renderEntryPoints(entryPoints)}\n\n${renderHalves(entryPoints)}\n\n${renderLeft(entryPoints)}`);
  if (!whole && entryPoints.length === 0)
    console.log("pass --json=FILE or --doors=FILE: answers of plimsoll replay --json");
}

/** One row, in the run that it was walked in: everything is relative to that run's own reference. */
interface Row {
  readonly answer: Answer;
  readonly name: string;
}

function splitEntryPoints(answer: Answer): readonly Row[] {
  return answer.policies.filter(({ name }) => name.startsWith("door:")).map(({ name }) => ({ answer, name }));
}

function totalsOf({ answer, name }: Row): PolicyTotals | undefined {
  return answer.policies.find((policy) => policy.name === name);
}

function renderAll({ policies }: Answer, atEdit: Answer | undefined): string {
  const rows = policies.map((policy) => {
    const { name, wordlessSessions, relative, netUsd, intervals, prefixBusts, fatal } = policy;
    const interval = intervals.netUsd;
    const between = interval ? ` (${Math.round(interval.low)} to ${Math.round(interval.high)})` : "";
    const other = atEdit?.policies.find((candidate) => candidate.name === name);
    return [
      `\`${name}\`${wordlessSessions > 0 ? "*" : ""}`,
      ratio(relative.netUsd, 3),
      ratio(other?.relative.netUsd, 3),
      `${Math.round(netUsd)}${between}`,
      share(policy.hotRetained, 2),
      share(policy.coldRetained),
      share(policy.coldRecoverable),
      share(policy.coldLost, 2),
      fatal === undefined ? "–" : String(fatal),
      share(policy.editLineRecall),
      String(prefixBusts),
      ratio(relative.sessionP95),
    ];
  });
  const titles =
    "policy, net, net with marks at the edit, dollars (90 % interval), hot in sight %, cold in sight %, behind a handle %, lost %, fatal, edited lines in sight %, prefix busts, p95 session";
  return renderTable(titles.split(", "), rows);
}

function renderSpread(answer: Answer): string {
  const rows = answer.policies.map((policy) => {
    const { name, relative, bounds } = policy;
    const inGroup = (group: string) =>
      answer.groups.find((one) => one.name === group)?.policies.find((one) => one.name === name)?.relative;
    const { netInterval } = relative;
    const summaries = bounds
      ? `${ratio(bounds.heldAsRecorded?.relativeNetUsd)} / ${ratio(bounds.heldNothing.relativeNetUsd)}`
      : "–";
    return [
      `\`${name}\``,
      `${ratio(relative.netUsd, 3)}${netInterval ? ` (${ratio(netInterval.low)} to ${ratio(netInterval.high)})` : ""}`,
      ratio(inGroup("window200k")?.netUsd),
      ratio(inGroup("window1m")?.netUsd),
      `${ratio(inGroup("short")?.netUsd)}; ${ratio(inGroup("short")?.worst?.netUsd)}`,
      ratio(relative.sessionMedian),
      ratio(relative.worst?.netUsd),
      `${Math.round((relative.dearerShare ?? 0) * 100)} %`,
      ratio(relative.requests),
      ratio(relative.tokens),
      ratio(relative.uncachedTokens),
      summaries,
    ];
  });
  const titles =
    "policy, net (90 % interval), 200k, 1M, short; its worst, median session, worst, dearer, requests, tokens, not from the cache, net: summaries kept as recorded / nothing";
  return renderTable(titles.split(", "), rows);
}

function renderEntryPoints(entryPoints: readonly Row[]): string {
  const rows = entryPoints.flatMap((row) => {
    const policy = totalsOf(row);
    if (!policy) return [];
    const { relative, fetches, compactions } = policy;
    const { netInterval } = relative;
    const groups = row.answer.groups;
    const short = groups.find(({ name }) => name === "short")?.policies.find(({ name }) => name === row.name)?.relative;
    return [
      [
        `\`${row.name}\``,
        `${ratio(relative.netUsd, 3)}${netInterval ? ` (${ratio(netInterval.low)} to ${ratio(netInterval.high)})` : ""}`,
        `${Math.round((relative.dearerShare ?? 0) * 100)} %`,
        ratio(relative.worst?.netUsd),
        `${ratio(short?.netUsd)}; ${ratio(short?.worst?.netUsd)}`,
        `${fetches}${fetches > 0 ? `, one in ${(row.answer.requests / fetches).toFixed(1)} requests` : ""}`,
        `${share(policy.coldRetained)} / ${share(policy.coldRecoverable)} / ${share(policy.coldLost, 2)}`,
        String(compactions),
      ],
    ];
  });
  const titles =
    "door, net (90 % interval), dearer, worst, short; its worst, recalls and re-reads, older need % in sight / behind a handle / lost, summaries by the client";
  return renderTable(titles.split(", "), rows);
}

/** Two halves by repository, in the order of their names, every other one: a rule may be tuned on the first only. */
function renderHalves(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { sessions } = row.answer;
    const repositories = [...new Set(sessions.map(({ repository }) => repository))].sort();
    const nets = [0, 1].map((half) => {
      const chosen = new Set(repositories.filter((_, index) => index % 2 === half));
      const among = sessions.filter(({ repository }) => chosen.has(repository));
      const sum = (name: string): number =>
        among.reduce((total, { policies }) => total + (policies.find((one) => one.name === name)?.netUsd ?? 0), 0);
      return `${ratio(sum(row.name) / sum("native"), 3)} (${among.length} sessions of ${chosen.size})`;
    });
    return [`\`${row.name}\``, ...nets];
  });
  return renderTable(["row", "first half of the repositories", "second half"], cells);
}

function renderLeft(entryPoints: readonly Row[]): string {
  const lines = entryPoints.map((row) => {
    const left = totalsOf(row)?.left ?? [];
    const reported = left.map(({ why, times }) => `${times} times "${why}"`).join(", ");
    return `- \`${row.name}\`: ${reported === "" ? "nothing that it said" : reported}`;
  });
  return lines.join("\n");
}

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function ratio(value: number | null | undefined, digits = 2): string {
  return typeof value === "number" && Number.isFinite(value) ? value.toFixed(digits) : "–";
}

function share(value: number | null | undefined, digits = 1): string {
  return typeof value === "number" ? (value * 100).toFixed(digits) : "–";
}
