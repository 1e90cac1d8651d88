import { renderCount } from "../../../core/render-count.ts";
import { renderFindings } from "../audit/render-findings.ts";
import { PROJECT_OPTION, requireProject } from "../audit/require-project.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_FAILURE, type Terminal } from "../command.ts";
import { collectFindings, type LintReport } from "../lint/collect-findings.ts";
import { parseWhole } from "../parse-whole.ts";
import { renderJson } from "../render-json.ts";

export const lintCommand: Command = {
  name: "lint",
  summary: "Seven ways to waste a window, and the budgets of instructions, checked on your files and recorded sessions",
  options: [
    PROJECT_OPTION,
    { name: "max-warnings", value: "N", help: "fail above so many warnings; without it only errors fail" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll lint", shows: "every finding with its evidence and fix; exit status 1 where one is an error" },
    {
      command: "plimsoll lint --max-warnings 1000 --json",
      shows: "the same for a script, failing above 1,000 warnings",
    },
  ],
  async run(invocation, terminal) {
    const maxWarnings = parseWhole(invocation.values, "max-warnings", 0) ?? Number.POSITIVE_INFINITY;
    const report = await collectFindings(requireProject(invocation, terminal), terminal);
    terminal.print(invocation.flags.has("json") ? renderJson(report) : renderLint(report, terminal));
    if (report.errors > 0)
      throw new CliError(report.errors === 1 ? "one error" : `${report.errors} errors`, EXIT_FAILURE);
    if (report.warnings > maxWarnings)
      throw new CliError(`${renderCount(report.warnings, "warning")}, more than ${maxWarnings}`, EXIT_FAILURE);
  },
};

function renderLint({ findings, errors, warnings, looked, rules }: LintReport, terminal: Terminal): string {
  const { instructionFiles, sourceFiles, sessions } = looked;
  const silent = rules.filter(({ seenIn }) => seenIn.every((place) => (place === "sessions" ? sessions : 1) === 0));
  return [
    ...renderFindings(findings, terminal),
    ...(findings.length > 0 ? [""] : []),
    `${renderCount(errors, "error")}, ${renderCount(warnings, "warning")}; looked at ${renderCount(instructionFiles, "instruction file")}, ${renderCount(sourceFiles, "source file")}, ${renderCount(sessions, "recorded session")}`,
    ...(silent.length > 0
      ? [`not decided, for want of recorded sessions: ${silent.map(({ id }) => id).join(", ")}`]
      : []),
  ].join("\n");
}
