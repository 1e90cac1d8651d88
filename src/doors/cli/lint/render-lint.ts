import { renderCount } from "../../../core/render-count.ts";
import type { Evidence } from "../../../recorded/lint/finding.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely } from "../style.ts";
import type { LintReport } from "./collect-findings.ts";

export function renderLint({ findings, errors, warnings, looked, rules }: LintReport, terminal: Terminal): string {
  const { instructionFiles, sourceFiles, sessions } = looked;
  const silent = rules.filter(({ seenIn }) => seenIn.every((place) => (place === "sessions" ? sessions : 1) === 0));
  return [
    ...findings.flatMap(({ rule, severity, evidence, what, fix }) => [
      `${paint(terminal, severity === "error" ? "red" : "yellow", severity)} ${renderSafely(rule)} ${paint(terminal, "bold", renderSafely(renderEvidence(evidence)))}`,
      `  ${renderSafely(what)}`,
      `  fix: ${renderSafely(fix)}`,
    ]),
    ...(findings.length > 0 ? [""] : []),
    `${renderCount(errors, "error")}, ${renderCount(warnings, "warning")}; looked at ${renderCount(instructionFiles, "instruction file")}, ${renderCount(sourceFiles, "source file")}, ${renderCount(sessions, "recorded session")}`,
    ...(silent.length > 0
      ? [`not decided, for want of recorded sessions: ${silent.map(({ id }) => id).join(", ")}`]
      : []),
  ].join("\n");
}

function renderEvidence(evidence: Evidence): string {
  if (evidence.kind === "session") return `session ${evidence.session}`;
  return evidence.line === undefined ? evidence.path : `${evidence.path}:${evidence.line}`;
}
