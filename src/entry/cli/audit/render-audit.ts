import { groupBy } from "../../../core/group-by.ts";
import { renderCount } from "../../../core/render-count.ts";
import { LEAST_EVIDENCE } from "../../../policy/choose-deferred.ts";
import type { AuditedServer } from "../../../recorded/audit/startup-context.ts";
import type { Evidence, Finding } from "../../../recorded/lint/finding.ts";
import type { Terminal } from "../command.ts";
import {
  joinLines,
  markAtLeast,
  paint,
  renderLowerUsd,
  renderPercent,
  renderSafely,
  renderTable,
  renderTokens,
  renderUsd,
} from "../print/style.ts";
import type { Audit } from "./judge-baseline.ts";

const LOADING: Readonly<Record<Audit["loading"], string>> = {
  loaded: "the agent loads every tool schema (as a recorded first request shows)",
  deferred: "the agent sends only tool names and loads schemas on demand (as a recorded first request shows)",
  unknown: "no session is recorded; current agents load tool schemas on demand, older agents load all of them",
};

const MOST_ROWS = 10;
const MOST_REPEATED = 5;
const START_CHARACTERS = 40;

export function renderAudit(audit: Audit, terminal: Terminal): string {
  const { servers, warnings, unused, recommendations, repeated, contextBudget } = audit;
  const title = (text: string): string => paint(terminal, "bold", text);
  return joinLines(
    `${title("Startup context")}: ${renderBaseline(audit)}`,
    "",
    renderParts(audit),
    "",
    servers.length === 0
      ? "No MCP server is configured for this project."
      : [title("MCP servers, most tools per call first"), renderServers(audit)],
    "",
    renderBase(audit, terminal),
    renderFiles(audit),
    warnings.length > 0 && ["", title("Warnings"), ...renderFindings(warnings, terminal)],
    unused.length > 0 && [
      "",
      title("Offered to your sessions but never used"),
      renderTable(listUnused(unused.slice(0, MOST_ROWS))),
      ...noteMore(unused.length, " (plimsoll trim shows all)"),
      `${renderBasis(audit)} Run: plimsoll trim`,
    ],
    recommendations.length > 0 && ["", title("What would help"), ...recommendations.map(renderAdvice)],
    repeated.length > 0 && ["", title("Text repeated in one context window"), renderRepeated(repeated)],
    contextBudget !== undefined && ["", ...contextBudget.split("\n").map(renderSafely)],
    "",
    `The sizes of schemas and files are estimated with the ${audit.tokenizer} tokenizer (95 of 100 estimates are within 24 % of the real size). Prices as of ${audit.pricesAsOf}; a subscription bills differently.`,
  );
}

function renderBaseline(audit: Audit): string {
  const { baselineTokens, windowTokens, usdPerMonth } = audit;
  const isRecorded = audit.baselineSource === "recorded";
  // An empty configuration does not mean an empty request: only a recorded request shows the client's own prompt.
  if (!isRecorded && baselineTokens === 0) return "unknown: no session of this project is recorded";
  const size = `${isRecorded ? "" : "about "}${renderTokens(baselineTokens)} tokens, ${renderPercent(audit.baselineShare)} of ${renderTokens(windowTokens)}`;
  if (usdPerMonth === undefined) return size;
  return `${size}, ${renderLowerUsd(usdPerMonth, audit.isAtLeast)} a month at your ${renderCount(audit.requestsPerMonth, "request")}`;
}

function renderParts(audit: Audit): string {
  const { unexplainedTokens, firstRequests } = audit;
  const hasBase = audit.base.tools.length > 0;
  const rest = hasBase
    ? "unrecorded parts, and the error of the estimates"
    : "the agent's own prompt and tools, and unrecorded parts";
  const measured = "measured: first request of the newest session";
  const rows = [
    ...audit.parts.map(({ part, tokens, source }) => [`  ${renderSafely(part)}`, renderTokens(tokens), source]),
    ["sum of these parts", renderTokens(audit.partsTokens), ""],
    ...(unexplainedTokens === undefined ? [] : [[rest, renderTokens(unexplainedTokens), "the rest"]]),
    ...(firstRequests.length > 0 ? [[measured, renderTokens(audit.baselineTokens), "usage"]] : []),
    ["formula: tools x 500 + agents x 300 + CLAUDE.md", renderTokens(audit.formulaTokens), "a rule of thumb"],
  ];
  const others = firstRequests.slice(1, 5).map(({ baseTokens }) => renderTokens(baseTokens));
  return joinLines(renderTable(rows), others.length > 0 && `first requests of older sessions: ${others.join(", ")}`);
}

/** The prompt as the client recorded it: its sections, and each tool with the sessions that called it. */
function renderBase({ base }: Audit, terminal: Terminal): readonly string[] {
  const { sections, tools, evidence, saved } = base;
  if (tools.length === 0) return [];
  const usd = ({ usdPerMonth, isAtLeast }: Audit["base"]["saved"]): string =>
    usdPerMonth === undefined ? "-" : renderLowerUsd(usdPerMonth, isAtLeast);
  const calls = `called in, of ${evidence.sessions}`;
  const behind = tools.filter(({ place }) => place === "behind");
  return [
    paint(terminal, "bold", "The base of every request, as the agent recorded it"),
    renderTable([
      ["  section of the system prompt", "tokens", "a month"],
      ...sections
        .slice(0, MOST_ROWS)
        .map((part) => [`  ${renderSafely(part.name)}`, renderTokens(part.tokens), usd(part)]),
    ]),
    ...noteMore(sections.length),
    renderTable([
      ["  tool", "tokens", "a month", calls, "place"],
      ...tools
        .slice(0, MOST_TOOLS)
        .map((tool) => [
          `  ${renderSafely(tool.name)}`,
          renderTokens(tool.tokens),
          usd(tool),
          String(tool.sessions),
          tool.place === "front" ? "in every request" : "behind the tool search",
        ]),
    ]),
    ...(tools.length > MOST_TOOLS ? [`  and ${tools.length - MOST_TOOLS} more (plimsoll audit --json shows all)`] : []),
    `Based on ${renderCount(evidence.sessions, "session")} ${evidence.of === "project" ? "of this project" : "of all your projects"} with ${renderCount(evidence.requests, "request")}.`,
    behind.length > 0
      ? `${renderCount(behind.length, "tool")} behind the tool search: saves ${renderTokens(saved.tokens)} tokens a request${saved.usdPerMonth === undefined ? "" : `, ${usd(saved)} a month`}. A tool comes back for good when the model calls it, and at once if permissions.allow in your settings names it; "base": "keep" brings back all of them.`
      : evidence.isEnough
        ? "Plimsoll keeps no tool behind the tool search in this project."
        : `Plimsoll moves no tool behind the tool search: this needs ${LEAST_EVIDENCE.sessions} sessions with ${LEAST_EVIDENCE.requests} requests.`,
    "",
  ];
}

const MOST_TOOLS = 40;

function renderServers(audit: Audit): string {
  const { servers, sessions } = audit;
  const sizes = (isMeasured: boolean, tools: number, ...tokens: readonly number[]): readonly string[] =>
    [String(tools), ...tokens.map(renderTokens)].map((size) => (isMeasured ? size : "-"));
  const row = (server: AuditedServer): readonly string[] => [
    `  ${renderSafely(server.name)}`,
    server.scope,
    ...sizes(server.status === "measured", server.tools, server.loadedTokens, server.deferredTokens),
    sessions === 0 ? "-" : `${server.calls} in ${server.sessions}/${sessions}`,
  ];
  const isAnyMeasured = servers.some(({ status }) => status === "measured");
  const total = sizes(isAnyMeasured, audit.tools, audit.allLoadedTokens, audit.allDeferredTokens);
  return joinLines(
    renderTable([
      ["  server", "scope", "tools", "all loaded", "deferred", "calls in sessions"],
      ...servers.map(row),
      ["  total", "", ...total, ""],
    ]),
    LOADING[audit.loading],
    renderTroubles(servers),
  );
}

function renderTroubles(servers: readonly AuditedServer[]): readonly string[] {
  const describe = ({ why = "", lastError = "", status }: AuditedServer): string => {
    if (status === "measured") return "not approved in the agent yet, so there is no cost";
    const last = lastError === "" ? "" : `; its last output: ${lastError}`;
    return `${status === "failed" ? "failed" : "not measured"}: ${why}${last}`;
  };
  const troubled = servers.filter(({ status, isApproved }) => status !== "measured" || !isApproved);
  return [...groupBy(troubled, describe)].map(([trouble, group]) => {
    const count = group.length > 1 ? ` (${group.length})` : "";
    return renderSafely(`${group.map(({ name }) => name).join(", ")}${count} ${trouble}`);
  });
}

function renderFiles({ instructions, scopedRules, agents, skills, skippedFiles }: Audit): string {
  const list = <T>(rows: readonly T[], render: (row: T) => string): readonly string[] => [
    ...rows.slice(0, MOST_ROWS).map((row) => `  ${render(row)}`),
    ...noteMore(rows.length),
  ];
  const heaviest = [...skills].sort((left, right) => right.bodyTokens - left.bodyTokens);
  const scoped = `, and ${renderCount(scopedRules.length, "rule")} that apply to some paths only`;
  const everywhere = ({ name, listingTokens }: Audit["agents"][number]): string =>
    `${renderSafely(name)}: ${renderTokens(listingTokens)} tokens in every request`;
  return joinLines(
    `Instruction files: ${instructions.length}${scopedRules.length > 0 ? scoped : ""}`,
    list(
      instructions,
      ({ path, lines, characters, tokens }) =>
        `${renderSafely(path)}: ${renderCount(lines, "line")}, ${renderCount(characters, "character")}, ${renderTokens(tokens)} tokens`,
    ),
    `Agents: ${agents.length}; skills: ${skills.length}`,
    list(agents, (agent) => `agent ${everywhere(agent)}`),
    list(heaviest, (skill) => `skill ${everywhere(skill)}, ${renderTokens(skill.bodyTokens)} when invoked`),
    skippedFiles.map(({ path, why }) => `not read: ${renderSafely(path)} ${renderSafely(why)}`),
  );
}

function noteMore(rows: number, where = ""): readonly string[] {
  return rows > MOST_ROWS ? [`  and ${rows - MOST_ROWS} more${where}`] : [];
}

function renderAdvice({ text, savesTokens, usdPerMonth, isAtLeast }: Audit["recommendations"][number]): string {
  const dollars = usdPerMonth === undefined ? "" : `, ${renderLowerUsd(usdPerMonth, isAtLeast)} a month`;
  const saves = savesTokens === 0 ? "" : `: saves ${renderTokens(savesTokens)} tokens a request${dollars}`;
  return `  ${renderSafely(`${text}${saves}`)}`;
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

function renderRepeated(repeated: Audit["repeated"]): string {
  const rows = repeated
    .slice(0, MOST_REPEATED)
    .map(({ label, start, repeats, tokens, requests, usd, isAtLeast }) => [
      `  ${renderSafely(`${label}: ${start.slice(0, START_CHARACTERS)}`)}`,
      String(repeats),
      renderTokens(tokens),
      String(requests),
      markAtLeast(isAtLeast, renderUsd(usd)),
    ]);
  return renderTable([["  what", "repetitions", "tokens each", "requests", "cost so far"], ...rows]);
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
