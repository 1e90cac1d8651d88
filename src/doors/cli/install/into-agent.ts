import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CliError, type Terminal } from "../command.ts";
import { findPackage } from "./find-package.ts";

/** Agents whose own process Plimsoll is loaded into by a file of theirs, or by themselves. */
export const AGENTS = ["pi", "opencode"] as const;

export interface IntoAgent {
  readonly status: "installed" | "already" | "planned" | "by-agent";
  /** The file that makes the agent load it; `null` where the agent installs by itself. */
  readonly file: string | null;
  /** What the file holds, or what the person types. */
  readonly line: string;
}

export function installIntoAgent(agent: string, terminal: Terminal, isDry: boolean): IntoAgent {
  const root = findPackage();
  if (agent === "pi") return { status: "by-agent", file: null, line: `pi install ${root}` };
  const { XDG_CONFIG_HOME, HOME = "" } = terminal.environment;
  const file = path.join(XDG_CONFIG_HOME || path.join(HOME, ".config"), "opencode", "plugin", "plimsoll.js");
  const line = `export { default } from ${JSON.stringify(path.join(root, "dist", "opencode.js"))};\n`;
  const before = readOwn(file);
  if (before === line) return { status: "already", file, line };
  if (isDry) return { status: "planned", file, line };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, line);
  return { status: "installed", file, line };
}

/** What is there of ours, of this version or another; anything else is somebody's own and stays. */
function readOwn(file: string): string | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  const text = entry.isFile() ? readFileSync(file, "utf8") : "";
  if (!/^export \{ default \} from ".*opencode\.js";\n$/.test(text))
    throw new CliError(`${file} is not Plimsoll's: move it away, then run it again`);
  return text;
}

const ENDINGS: Readonly<Record<IntoAgent["status"], string>> = {
  installed: "Start a new session of OpenCode. Deleting the file takes Plimsoll out again.",
  already: "It stood there already: nothing was changed.",
  planned: "Nothing was changed.",
  "by-agent": "pi installs packages by itself, and this is one: nothing was changed here.",
};

export function renderIntoAgent({ status, file, line }: IntoAgent): string {
  const where = file === null ? "Type:" : `${file}${status === "planned" ? " would hold" : " holds"} one line:`;
  return `${where}\n\n  ${line.trimEnd()}\n\n${ENDINGS[status]}`;
}
