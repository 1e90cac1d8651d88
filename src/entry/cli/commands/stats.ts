import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { parseObject, textField } from "../../../core/json.ts";
import { renderCount } from "../../../core/render-count.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import { fitWeights, listLimitMoves } from "../../../measure/fit-weights.ts";
import { locateData, locateWeights } from "../../../policy/actions/data-paths.ts";
import { importMachine, isMachineName, keepAlias, renderHistory } from "../../../recorded/history.ts";
import type { ScannedFile } from "../../../recorded/join-scans.ts";
import { readLimitReadings } from "../../../recorded/look-back/read-reported-limits.ts";
import { collectHome, collectRecorded, findTranscripts } from "../collect-usage.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../command.ts";
import { collectInjections, renderInjections } from "../injections.ts";
import { PERIOD_OPTIONS } from "../parse-period.ts";
import { renderSafely } from "../print/style.ts";
import { orSample } from "../read-recent.ts";
import { FORMER_GROUPS, GROUPS, ORDERS, reportStatistics } from "../stats/statistics.ts";
import { reportCalibration, reportSummaries } from "../stats/stats-summaries.ts";

export const statsCommand: Command = defineCommand({
  name: "stats",
  summary: "Shows the tokens and the cost of recorded sessions, and the causes of cache misses",
  positional: {
    name: "PATH",
    help: "folders or .jsonl files; by default all recorded sessions. Put the word summaries first to see the sizes of compaction summaries",
  },
  options: {
    by: { value: "WHAT", help: "how to group the rows", choices: GROUPS, formerly: FORMER_GROUPS },
    sort: {
      value: "BY",
      help: "how to sort the rows; by default, days, weeks and months are sorted by date, and other rows by cost, highest first",
      choices: ORDERS,
    },
    ...PERIOD_OPTIONS,
    calibration: { help: "show the token estimator's error for each model, on your sessions" },
    injections: { help: "show what Plimsoll added to the context of the recorded sessions, and what that cost" },
    limits: { help: "estimate from status line readings how your subscription counts each kind of token" },
    export: {
      value: "FILE",
      help: "write the sums of all your sessions (paths, times, models and tokens; no text) to a file for another machine",
    },
    import: { value: "FILE", help: "add the sums that another machine exported; a request in both counts once" },
    machine: {
      value: "NAME",
      help: "with --export or --import, the name of the exporting machine; by default, its host name",
    },
    alias: {
      value: "NAME=FOLDER",
      help: "call the project in this folder NAME from now on; folders with one name are one project. =FOLDER forgets it",
    },
    csv: { help: "print the rows as comma-separated values, with the fields of --json" },
  },
  examples: {
    "plimsoll stats": "shows all your recorded sessions, by model",
    "plimsoll stats --by session --sort pauses":
      "sorts your sessions by the cost of pauses in which the prompt cache expired",
    "plimsoll stats --by day --json": "prints a row per day as JSON",
    "plimsoll stats --by project --csv": "prints a row per project, for a spreadsheet",
    "plimsoll stats --by folder": "prints each worktree and clone by itself; --by project adds them up",
    "plimsoll stats --alias shop=/work/old-shop": "counts the work in that folder as the project shop",
    "plimsoll stats --export laptop.jsonl": "writes the sums of this machine's sessions to a file",
    "plimsoll stats --import laptop.jsonl": "adds another machine's sums, which --by machine shows",
    "plimsoll stats --calibration": "shows the token estimator's error on your own sessions",
    "plimsoll stats summaries": "shows the sizes of compaction summaries at p50, p90, p99 and p99.99",
    "plimsoll stats --limits": "shows how the five-hour limit counts tokens, and how certain that is",
    "plimsoll stats --injections": "shows the tokens and the cost of each kind of text that Plimsoll added",
  },
  async run(invocation, terminal) {
    const [first, ...rest] = invocation.positionals;
    if (first === "summaries") return reportSummaries(findTranscripts(rest, terminal), terminal);
    if (invocation.flags.has("csv") && invocation.flags.has("json"))
      throw new CliError("pass --csv or --json, not both");
    const moved = await moveHistory(invocation, terminal);
    if (moved) return moved;
    const isAboutContent = invocation.flags.has("calibration") || invocation.flags.has("injections");
    const files = isAboutContent ? findTranscripts(invocation.positionals, terminal) : [];
    if (invocation.flags.has("calibration")) return reportCalibration(files, terminal);
    if (invocation.flags.has("injections")) {
      const report = collectInjections(files, terminal);
      return { json: report, text: () => renderInjections(report) };
    }
    if (invocation.flags.has("limits")) {
      const report = collectLimits((await collectRecorded(invocation.positionals, terminal)).scanned, terminal);
      return { json: report, text: () => renderStatsLimits(report) };
    }
    return reportStatistics(orSample(invocation, terminal, "plimsoll stats"), terminal);
  },
});

/** How the five-hour limit weighs kinds of tokens, from the person's own readings. If the result is certain it is saved for the policy. */
function collectLimits(scanned: readonly ScannedFile[], terminal: Terminal) {
  const home = locateHome(terminal.environment);
  const moves = listLimitMoves(
    readLimitReadings(home),
    scanned.flatMap(({ ownSteps }) => ownSteps),
  );
  const fitted = fitWeights(moves.moves);
  if (fitted && existsSync(locateData(home))) writeAtomically(locateWeights(home), `${JSON.stringify(fitted)}\n`);
  return { ...moves, fitted };
}

function renderStatsLimits({ readings, moves, model, fitted }: ReturnType<typeof collectLimits>): string {
  const basis = `${renderCount(moves.length, "change")} of the five-hour limit, from ${renderCount(readings, "reading")}`;
  if (readings === 0)
    return "Your limits are unknown: the agent reports them only to a status line, and only on a subscription. To record them, run: plimsoll install --status-line";
  if (!fitted)
    return `Too little is recorded to say how your subscription counts tokens: ${basis}. Until more is recorded, "objective": "tokens" counts every token alike.`;
  const { weights, uncertainty } = fitted;
  return [
    `Weights learned from ${basis}, all with ${renderSafely(model)}. A token that is sent or written has the weight 1:`,
    `  read from the cache  ${weights.read.toFixed(2)} ± ${uncertainty.read.toFixed(2)}`,
    `  output               ${weights.output.toFixed(2)} ± ${uncertainty.output.toFixed(2)}`,
    fitted.isSure
      ? 'These weights are certain enough: from the next session on, "objective": "tokens" uses them.'
      : 'These weights are not certain enough yet. Until they are, "objective": "tokens" counts every token alike.',
    "No vendor publishes these weights. Usage on other machines and on the web is not recorded here, which makes the weights less certain.",
  ].join("\n");
}

/** The first line of an export: the name of the machine. */
const HEADER = "sumsOf";

/** Carries sums from one machine to another; `undefined` if that is not what was asked for. */
async function moveHistory(invocation: Invocation, terminal: Terminal) {
  const { values } = invocation;
  const alias = values.get("alias");
  if (alias !== undefined) return nameFolder(alias, terminal);
  const [to, from, machine] = [values.get("export"), values.get("import"), values.get("machine")];
  if (machine !== undefined && !isMachineName(machine))
    throw new CliError(`--machine takes a name of letters, digits, dots and hyphens, not "${machine}"`);
  if (to !== undefined && from !== undefined) throw new CliError("pass --export or --import, not both");
  if (to !== undefined) return exportHistory(path.resolve(terminal.directory, to), machine, terminal);
  if (from !== undefined) return importHistory(path.resolve(terminal.directory, from), machine, terminal);
  if (machine !== undefined) throw new CliError("--machine needs --export or --import");
  return undefined;
}

function nameFolder(alias: string, terminal: Terminal) {
  const [, name = "", given = ""] = /^([^=]*)=(.+)$/.exec(alias) ?? [];
  if (given === "") throw new CliError(`--alias takes a name and a folder, such as shop=/work/shop, not "${alias}"`);
  const folder = path.resolve(terminal.directory, given);
  if (!keepAlias(terminal.environment, folder, name)) throw new CliError("the name cannot be stored");
  const text = name === "" ? `${folder} has no name of yours any more.` : `Work in ${folder} is the project ${name}.`;
  return { json: { folder, name }, text: () => `${text} Run: plimsoll stats --by project` };
}

async function exportHistory(file: string, given: string | undefined, terminal: Terminal) {
  const { scanned } = await collectHome(terminal);
  const own = scanned.filter(({ keptOf = "", steps }) => keptOf === "" && steps.length > 0);
  if (own.length === 0) throw CliError.foundNothing("no request is recorded on this machine");
  const machine = given ?? nameThisMachine();
  const text = renderHistory(own.map((scan) => ({ file: scan.file, scan })));
  writeAtomically(file, `${JSON.stringify({ [HEADER]: machine })}\n${text}`);
  return answerMoved({ machine, file, files: own.length, skipped: 0 }, "exported");
}

function importHistory(file: string, given: string | undefined, terminal: Terminal) {
  const text = readExport(file);
  const end = text.indexOf("\n") + 1;
  const named = textField(parseObject(text.slice(0, end)), HEADER);
  const machine = given ?? named;
  if (!isMachineName(machine)) throw new CliError(`${file} names no machine: pass --machine NAME`);
  const imported = importMachine(terminal.environment, machine, named === "" ? text : text.slice(end));
  if (!imported) throw new CliError(`${file} holds no sums that this version can read, or they cannot be stored`);
  return answerMoved({ machine, file, files: imported.files.length, skipped: imported.skipped }, "imported");
}

function readExport(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CliError(`cannot read ${file}`);
  }
}

function nameThisMachine(): string {
  const name = hostname()
    .replace(/[^\w.-]/g, "-")
    .slice(0, 64);
  return isMachineName(name) ? name : "machine";
}

function answerMoved(
  moved: { readonly machine: string; readonly file: string; readonly files: number; readonly skipped: number },
  done: "exported" | "imported",
) {
  const { machine, file, files, skipped } = moved;
  const lost = skipped > 0 ? ` ${renderCount(skipped, "line")} could not be read.` : "";
  const next =
    done === "exported"
      ? `On the other machine, run: plimsoll stats --import ${path.basename(file)}`
      : "Run: plimsoll stats --by machine";
  return {
    json: { done, ...moved },
    text: () => `The sums of ${renderCount(files, "session file")} of ${machine} are ${done}.${lost} ${next}`,
  };
}
