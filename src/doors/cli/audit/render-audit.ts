import { renderCount } from "../../../core/render-count.ts";
import type { Evidence, Finding } from "../../../recorded/lint/finding.ts";
import type { Terminal } from "../command.ts";
import {
  markAtLeast,
  paint,
  renderLowerUsd,
  renderPercent,
  renderSafely,
  renderTable,
  renderTokens,
  renderUsd,
} from "../print/style.ts";
import type { AuditedServer } from "./audit-servers.ts";
import type { Audit } from "./judge-baseline.ts";

const LOADING: Readonly<Record<Audit["loading"], string>> = {
  loaded: "the client loads every tool schema (as a recorded first request shows)",
  deferred: "the client sends only tool names and loads schemas on demand (as a recorded first request shows)",
  unknown: "no session is recorded; current clients load tool schemas on demand, older clients load all of them",
};

const MOST_ROWS = 10;
const MOST_REPEATED = 5;
const START_CHARACTERS = 40;

export function renderAudit(audit: Audit, terminal: Terminal): string {
  const title = (text: string): string => paint(terminal, "bold", text);
  return [
    `${title("Startup context")}: ${renderBaseline(audit)}`,
    "",
    ...renderParts(audit),
    "",
    ...(audit.servers.length === 0
      ? ["No MCP server is configured for this project."]
      : [title("MCP servers, most tools per call first"), ...renderServers(audit)]),
    "",
    ...renderFiles(audit),
    ...(audit.warnings.length > 0 ? ["", title("Warnings"), ...renderFindings(audit.warnings, terminal)] : []),
    ...renderUnused(audit, title),
    ...renderList(title("What would help"), audit.recommendations.map(renderAdvice)),
    ...renderRepeated(title("Text repeated in one context window"), audit.repeated),
    ...(audit.contextBudget === undefined ? [] : ["", ...audit.contextBudget.split("\n").map(renderSafely)]),
    "",
    `The sizes of schemas and files are estimated with the ${audit.tokenizer} tokenizer (95 of 100 estimates are within 24 % of the real size). Prices as of ${audit.pricesAsOf}; a subscription bills differently.`,
  ].join("\n");
}

function renderBaseline({
  baselineTokens,
  baselineSource,
  baselineShare,
  windowTokens,
  usdPerMonth,
  isAtLeast,
  requestsPerMonth,
}: Audit): string {
  // An empty configuration does not mean an empty request: only a recorded request shows the client's own prompt.
  if (baselineSource !== "recorded" && baselineTokens === 0) return "unknown: no session of this project is recorded";
  const size = `${baselineSource === "recorded" ? "" : "about "}${renderTokens(baselineTokens)} tokens, ${renderPercent(baselineShare)} of ${renderTokens(windowTokens)}`;
  if (usdPerMonth === undefined) return size;
  return `${size}, ${renderLowerUsd(usdPerMonth, isAtLeast)} a month at your ${renderCount(requestsPerMonth, "request")}`;
}

function renderParts({
  parts,
  partsTokens,
  formulaTokens,
  unexplainedTokens,
  baselineTokens,
  firstRequests,
}: Audit): readonly string[] {
  const [first] = firstRequests;
  const rows = [
    ...parts.map(({ part, tokens, source }) => [`  ${renderSafely(part)}`, renderTokens(tokens), source]),
    ["sum of these parts", renderTokens(partsTokens), ""],
    ...(unexplainedTokens === undefined
      ? []
      : [["the client's own prompt and tools, and unrecorded parts", renderTokens(unexplainedTokens), "the rest"]]),
    ...(first ? [["measured: first request of the newest session", renderTokens(baselineTokens), "usage"]] : []),
    ["formula: tools x 500 + agents x 300 + CLAUDE.md", renderTokens(formulaTokens), "a rule of thumb"],
  ];
  const others = firstRequests.slice(1, 5).map(({ baseTokens }) => renderTokens(baseTokens));
  return [renderTable(rows), ...(others.length > 0 ? [`first requests of older sessions: ${others.join(", ")}`] : [])];
}

function renderServers({
  servers,
  loading,
  tools,
  allLoadedTokens,
  allDeferredTokens,
  sessions,
}: Audit): readonly string[] {
  const row = (server: AuditedServer): readonly string[] => [
    `  ${renderSafely(server.name)}`,
    server.scope,
    server.status === "measured" ? String(server.tools) : "-",
    server.status === "measured" ? renderTokens(server.loadedTokens) : "-",
    server.status === "measured" ? renderTokens(server.deferredTokens) : "-",
    sessions === 0 ? "-" : `${server.calls} in ${server.sessions}/${sessions}`,
  ];
  const total = (shown: string): string => (servers.some(({ status }) => status === "measured") ? shown : "-");
  return [
    renderTable([
      ["  server", "scope", "tools", "all loaded", "deferred", "calls in sessions"],
      ...servers.map(row),
      [
        "  total",
        "",
        ...[String(tools), renderTokens(allLoadedTokens), renderTokens(allDeferredTokens)].map(total),
        "",
      ],
    ]),
    LOADING[loading],
    ...renderTroubles(servers),
  ];
}

function renderTroubles(servers: readonly AuditedServer[]): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { name, why = "", lastError = "", status, isApproved } of servers) {
    const last = lastError === "" ? "" : `; its last output: ${lastError}`;
    const trouble =
      status !== "measured"
        ? `${status === "failed" ? "failed" : "not measured"}: ${why}${last}`
        : "not approved in the client yet, so there is no cost";
    if (status !== "measured" || !isApproved) named.set(trouble, [...(named.get(trouble) ?? []), name]);
  }
  return [...named].map(([trouble, names]) => {
    const count = names.length > 1 ? ` (${names.length})` : "";
    return renderSafely(`${names.join(", ")}${count} ${trouble}`);
  });
}

function renderFiles({ instructions, scopedRules, agents, skills, skippedFiles }: Audit): readonly string[] {
  const cut = <T>(rows: readonly T[]): readonly T[] => rows.slice(0, MOST_ROWS);
  const more = (count: number): readonly string[] => (count > MOST_ROWS ? [`  and ${count - MOST_ROWS} more`] : []);
  const heaviest = [...skills].sort((left, right) => right.bodyTokens - left.bodyTokens);
  return [
    `Instruction files: ${instructions.length}${scopedRules.length > 0 ? `, and ${renderCount(scopedRules.length, "rule")} that apply to some paths only` : ""}`,
    ...cut(instructions).map(
      ({ path, lines, characters, tokens }) =>
        `  ${renderSafely(path)}: ${renderCount(lines, "line")}, ${renderCount(characters, "character")}, ${renderTokens(tokens)} tokens`,
    ),
    ...more(instructions.length),
    `Agents: ${agents.length}; skills: ${skills.length}`,
    ...cut(agents).map(
      ({ name, listingTokens }) =>
        `  agent ${renderSafely(name)}: ${renderTokens(listingTokens)} tokens in every request`,
    ),
    ...more(agents.length),
    ...cut(heaviest).map(
      ({ name, listingTokens, bodyTokens }) =>
        `  skill ${renderSafely(name)}: ${renderTokens(listingTokens)} tokens in every request, ${renderTokens(bodyTokens)} when invoked`,
    ),
    ...more(skills.length),
    ...skippedFiles.map(({ path, why }) => `not read: ${renderSafely(path)} ${renderSafely(why)}`),
  ];
}

function renderAdvice({ text, savesTokens, usdPerMonth, isAtLeast }: Audit["recommendations"][number]): string {
  if (savesTokens === 0) return text;
  const dollars = usdPerMonth === undefined ? "" : `, ${renderLowerUsd(usdPerMonth, isAtLeast)} a month`;
  return `${text}: saves ${renderTokens(savesTokens)} tokens a request${dollars}`;
}

function renderUnused(audit: Audit, title: (text: string) => string): readonly string[] {
  const { unused } = audit;
  if (unused.length === 0) return [];
  const more = unused.length > MOST_ROWS ? [`  and ${unused.length - MOST_ROWS} more (plimsoll trim shows all)`] : [];
  return [
    "",
    title("Offered to your sessions but never used"),
    renderTable(listUnused(unused.slice(0, MOST_ROWS))),
    ...more,
    `${renderBasis(audit)} Run: plimsoll trim`,
  ];
}

export function listUnused(unused: Audit["unused"]): readonly (readonly string[])[] {
  return [
    ["  what", "tokens a request", "a month", "sessions"],
    ...unused.map(({ kind, name, tokens, usdPerMonth, isAtLeast, sessions }) => [
      `  ${kind} ${renderSafely(name)}`,
      tokens === 0 ? "not measured" : renderTokens(tokens),
      tokens === 0 || usdPerMonth === undefined ? "-" : renderLowerUsd(usdPerMonth, isAtLeast),
      `0 of ${sessions}`,
    ]),
  ];
}

export function renderBasis({ sessions, requestsPerMonth, requestDays, pricesAsOf }: Audit): string {
  return `Based on ${renderCount(sessions, "recorded session")} of this project. The monthly cost covers the project's ${renderCount(requestsPerMonth, "request")} in ${renderCount(requestDays, "day")}, without subagents' requests, at prices of ${pricesAsOf}.`;
}

function renderRepeated(title: string, repeated: Audit["repeated"]): readonly string[] {
  if (repeated.length === 0) return [];
  const rows = repeated
    .slice(0, MOST_REPEATED)
    .map(({ label, start, repeats, tokens, requests, usd, isAtLeast }) => [
      `  ${renderSafely(`${label}: ${start.slice(0, START_CHARACTERS)}`)}`,
      String(repeats),
      renderTokens(tokens),
      String(requests),
      markAtLeast(isAtLeast, renderUsd(usd)),
    ]);
  return ["", title, renderTable([["  what", "repetitions", "tokens each", "requests", "cost so far"], ...rows])];
}

function renderList(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", title, ...items.map((item) => `  ${renderSafely(item)}`)];
}

export function renderFindings(findings: readonly Finding[], terminal: Terminal): readonly string[] {
  return findings.flatMap(({ rule, severity, evidence, what, fix }) => [
    `${paint(terminal, severity === "error" ? "red" : "yellow", severity)} ${renderSafely(rule)} ${paint(terminal, "bold", renderSafely(renderEvidence(evidence)))}`,
    `  ${renderSafely(what)}`,
    `  fix: ${renderSafely(fix)}`,
  ]);
}

function renderEvidence(evidence: Evidence): string {
  if (evidence.kind === "session") return `session ${evidence.session}`;
  if (evidence.kind === "baseline") return evidence.part;
  return evidence.line === undefined ? evidence.path : `${evidence.path}:${evidence.line}`;
}
