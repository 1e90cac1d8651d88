import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CliError, type Terminal } from "../../command.ts";
import { findPackage } from "../find-package.ts";
import { removeEmpty } from "../settings-file.ts";
import type { Agent } from "./agent.ts";

/** OpenCode loads every file in its plugin folder; ours is one line. */
export const opencode: Agent = {
  name: "opencode",
  planInstall({ terminal }) {
    const file = locateFile(terminal);
    const line = `export { default } from ${JSON.stringify(path.join(findPackage(), "dist", "opencode.js"))};\n`;
    const plan = { file, line, notes: [] };
    if (requireOwn(file) === line) return { ...plan, status: "already" };
    return {
      ...plan,
      status: "due",
      carryOut: async () => {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, line);
        return ["Start a new session to use Plimsoll. To remove Plimsoll, run: plimsoll uninstall --agent opencode"];
      },
    };
  },
  planRemoval({ terminal }) {
    const file = locateFile(terminal);
    const line = requireOwn(file);
    if (line === undefined) return { status: "already", file, line: "", notes: [] };
    return {
      status: "due",
      file,
      line,
      notes: [],
      carryOut: async () => {
        rmSync(file);
        removeEmpty(path.dirname(file), terminal.environment.HOME ?? "");
        return ["Running OpenCode sessions keep Plimsoll until they end."];
      },
    };
  },
  examine({ terminal }) {
    const file = locateFile(terminal);
    const [, target] = OWN.exec(readText(file) ?? "") ?? [];
    const fix = "plimsoll install --agent opencode";
    if (target === undefined)
      return { isInstalled: false, what: `not installed; to install, run: ${fix}`, problems: [] };
    const problem = { what: `${file} points to ${target}, which does not exist`, fix };
    return { isInstalled: true, what: `plugin ${file}`, problems: existsSync(JSON.parse(target)) ? [] : [problem] };
  },
  impossible: ["does not run in OpenCode 2, whose plugins have another form"],
};

const OWN = /^export \{ default \} from (".*opencode\.js");\n$/;

function locateFile({ environment }: Terminal): string {
  const { XDG_CONFIG_HOME, HOME = "" } = environment;
  return path.join(XDG_CONFIG_HOME || path.join(HOME, ".config"), "opencode", "plugin", "plimsoll.js");
}

/** Our file, of this version or another. Any other file belongs to the person and stays. */
function requireOwn(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const text = readText(file) ?? "";
  if (!OWN.test(text)) throw new CliError(`${file} does not belong to Plimsoll: move it away, then run this again`);
  return text;
}

function readText(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined;
}
