import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { parseObject, textField } from "../../../core/json.ts";
import { renderCount } from "../../../core/render-count.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { importMachine, isMachineName, keepAlias, renderHistory } from "../../../recorded/history.ts";
import { collectHome } from "../collect-usage.ts";
import { CliError, type CommandAnswer, EXIT_NOTHING_FOUND, type Invocation, type Terminal } from "../command.ts";

/** The first line of an export: the name of the machine. */
const HEADER = "sumsOf";

/** Carries sums from one machine to another; `undefined` if that is not what was asked for. */
export async function moveHistory(invocation: Invocation, terminal: Terminal): Promise<CommandAnswer | undefined> {
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

function nameFolder(alias: string, terminal: Terminal): CommandAnswer {
  const [, name = "", given = ""] = /^([^=]*)=(.+)$/.exec(alias) ?? [];
  if (given === "") throw new CliError(`--alias takes a name and a folder, such as shop=/work/shop, not "${alias}"`);
  const folder = path.resolve(terminal.directory, given);
  if (!keepAlias(terminal.environment, folder, name)) throw new CliError("the name cannot be stored");
  const text = name === "" ? `${folder} has no name of yours any more.` : `Work in ${folder} is the project ${name}.`;
  return { json: { folder, name }, text: () => `${text} Run: plimsoll stats --by project` };
}

async function exportHistory(file: string, given: string | undefined, terminal: Terminal): Promise<CommandAnswer> {
  const { scanned } = await collectHome(terminal);
  const own = scanned.filter(({ keptOf = "", steps }) => keptOf === "" && steps.length > 0);
  if (own.length === 0) throw new CliError("no request is recorded on this machine", EXIT_NOTHING_FOUND);
  const machine = given ?? nameThisMachine();
  const text = renderHistory(own.map((scan) => ({ file: scan.file, scan })));
  writeAtomically(file, `${JSON.stringify({ [HEADER]: machine })}\n${text}`);
  return answerMoved({ machine, file, files: own.length, skipped: 0 }, "exported");
}

function importHistory(file: string, given: string | undefined, terminal: Terminal): CommandAnswer {
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
): CommandAnswer {
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
