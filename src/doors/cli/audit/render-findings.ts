import type { Evidence, Finding } from "../../../recorded/lint/finding.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely } from "../style.ts";

/** What was found wrong, each with what shows it and its fix. */
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
