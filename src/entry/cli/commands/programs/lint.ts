import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { readTree, TREE_LIMITS, type TreeFile } from "../../../../files/builder/walk-tree.ts";
import { readStalenessFacts } from "../../../../files/instruction-files-facts.ts";
import { nodeProjectFiles } from "../../../../files/node-project-files.ts";
import { readPlainFile } from "../../../../files/private-files.ts";
import { readRules } from "../../../../files/project-reader.ts";
import type { LoadedInstruction } from "../../../../hosts/baseline.ts";
import { listProject, requireBaseline } from "../../../../hosts/catalogue.ts";
import { checkStaleness } from "../../../../library/prompt/instructions/check-staleness.ts";
import type { InstructionFile } from "../../../../library/prompt/instructions/instruction-file.ts";
import { checkConflicts, checkInstructions } from "../../../../recorded/lint/check-instructions.ts";
import { checkSessions } from "../../../../recorded/lint/check-sessions.ts";
import { FINDING_RULES, type Finding, inFile, sortFindings } from "../../../../recorded/lint/finding.ts";
import { readSessions } from "../../audit/read-recorded.ts";
import { renderFindings } from "../../audit/render-audit.ts";
import { CliError, type Command, defineCommand, parseWhole, type Terminal } from "../../command.ts";
import { joinLines } from "../../print/style.ts";
import { PROJECT_OPTION, requireProject } from "../../require-session.ts";

export const lintCommand: Command = defineCommand({
  name: "lint",
  summary: "Checks your files and recorded sessions for wasted context and for instructions that are too long",
  options: {
    ...PROJECT_OPTION,
    "max-warnings": { value: "N", help: "fail on more than N warnings; by default fail only on errors" },
  },
  examples: {
    "plimsoll lint": "lists every finding with its evidence and fix; exits with status 1 if any finding is an error",
    "plimsoll lint --max-warnings 1000 --json":
      "prints the findings as JSON, and fails if there are more than 1,000 warnings",
  },
  async run(invocation, terminal) {
    const maxWarnings = parseWhole(invocation.values, "max-warnings", 0) ?? Number.POSITIVE_INFINITY;
    const report = await collectFindings(requireProject(invocation, terminal), terminal);
    const { errors, warnings } = report;
    const tooMany = warnings > maxWarnings ? `${renderCount(warnings, "warning")}, more than ${maxWarnings}` : "";
    const why = errors > 0 ? (errors === 1 ? "one error" : `${errors} errors`) : tooMany;
    const failure = why === "" ? undefined : CliError.failed(why);
    return { json: report, text: () => renderLint(report, terminal), failure };
  },
});

function renderLint({ findings, errors, warnings, looked, rules }: LintReport, terminal: Terminal): string {
  const { instructionFiles, sessions } = looked;
  const silent = rules.filter(({ seenIn }) => seenIn.every((place) => (place === "sessions" ? sessions : 1) === 0));
  return joinLines(
    renderFindings(findings, terminal),
    findings.length > 0 && "",
    `${renderCount(errors, "error")}, ${renderCount(warnings, "warning")}; looked at ${renderCount(instructionFiles, "instruction file")}, ${renderCount(sessions, "recorded session")}`,
    silent.length > 0 && `not checked, because no session is recorded: ${silent.map(({ id }) => id).join(", ")}`,
  );
}

type LintReport = Awaited<ReturnType<typeof collectFindings>>;

/** More instruction files than any project has. Each is compared with those above it. */
const NESTED_LIMITS = { ...TREE_LIMITS, maxFiles: 1000, maxMs: 4000 };

/** Runs every rule on a project's files and newest sessions. Errors come first, then the order of the rules. */
async function collectFindings(project: string, terminal: Terminal) {
  const { files, memoryIndex } = requireBaseline(terminal.hosts).readInstructions(terminal.environment, project);
  const tree = readTree(project, {
    clockMs: () => performance.now(),
    limits: NESTED_LIMITS,
    isWanted: (name) => /^CLAUDE(?:\.local)?\.md$/.test(name),
  });
  // The project's rules that Plimsoll adds to every window.
  const rules = (await readRules(nodeProjectFiles, project)).map(({ name, text }): InstructionFile => {
    return { scope: "project", path: path.join(project, name), text };
  });
  const always = [...files, ...rules, ...readSkills(project, terminal)];
  const nested = listNested(tree.files, project).filter((one) => !files.some((file) => file.path === one.path));
  const recorded = listProject(terminal.environment, project, terminal.hosts);
  const sessions = readSessions(recorded).map(({ id, session }) => ({
    id,
    recording: session.recording,
    interpretCall: session.host.vocabulary.interpretCall,
  }));
  const found = [
    ...checkInstructions(files, memoryIndex),
    ...checkConflicts(always, nested),
    ...files.flatMap((file) => checkStale(file, project, terminal.nowMs())),
    ...checkSessions(sessions),
  ];
  const findings = sortFindings(found.map((finding) => shorten(finding, project)));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return {
    project,
    // A rule reports nothing if there is nothing to decide it by.
    looked: { instructionFiles: always.length + nested.length, sessions: sessions.length },
    rules: FINDING_RULES.filter(({ seenIn }) => !seenIn.includes("baseline")).map((rule) => ({
      ...rule,
      findings: findings.filter((one) => one.rule === rule.id).length,
    })),
    errors,
    warnings: findings.length - errors,
    findings,
  };
}

/** Skills are loaded together with other skills and with what every request contains. */
function readSkills(project: string, { hosts, environment }: Terminal): readonly InstructionFile[] {
  const { skills } = requireBaseline(hosts).readDefinitions(environment, project, "dense");
  return skills.map(({ path: file }) => ({ scope: "project", path: file, text: readPlainFile(file, 1e6)?.text ?? "" }));
}

/** Instruction files of subfolders, which the client loads when work goes there. */
function listNested(files: readonly TreeFile[], project: string): readonly InstructionFile[] {
  return files
    .filter((file) => file.path.includes("/"))
    .map((file) => ({ scope: "child", path: path.join(project, file.path), text: file.text }));
}

/** Checks only the project's own files: the person's own files may refer to another project. */
function checkStale(file: LoadedInstruction, project: string, nowMs: number): readonly Finding[] {
  if (file.scope !== "project") return [];
  return checkStaleness(file, readStalenessFacts(project, file.path, nowMs)).map(({ what, fix, kind }) => ({
    rule: "stale-instructions",
    severity: "warning",
    // Counted from 1; absent if no line mentions it.
    evidence: inFile(file.path, file.text.split("\n").findIndex((line) => line.includes(what)) + 1 || undefined),
    what: kind === "age" || kind === "commits" ? `unchanged for ${what}` : `mentions ${what}`,
    fix,
  }));
}

/** Makes paths relative to the project, as an editor shows them. */
function shorten(finding: Finding, project: string): Finding {
  if (finding.evidence.kind !== "file") return finding;
  const full = path.resolve(project, finding.evidence.path);
  const within = path.relative(project, full);
  return { ...finding, evidence: { ...finding.evidence, path: within.startsWith("..") ? full : within } };
}
