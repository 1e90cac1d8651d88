import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { parseJson, textField } from "../../../../core/json.ts";
import { readObject, readRegularFile } from "../../../../files/read-regular-file.ts";
import { codex as host } from "../../../../hosts/codex/host.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { CliError, type Terminal } from "../../command.ts";
import { type Client, runProgram } from "../find-client.ts";
import { copyPackage, findPackage, isPassing, MARKETPLACE, PLUGIN_FOLDERS, PLUGIN_IDS } from "../find-package.ts";
import { backUp, writeSettingsFile } from "../settings-file.ts";
import type { Agent, AgentPlace } from "./agent.ts";

const TABLES = { marketplace: `[marketplaces.${MARKETPLACE}]`, plugin: `[plugins."${PLUGIN_IDS.classic}"]` } as const;

/** What Codex's `config.toml` says about us. Only Codex writes the file; we only read it. */
export function parseConfigEntries(text: string): {
  readonly source: string | undefined;
  readonly isEnabled: boolean;
} {
  const [, quoted, plain] =
    /^source\s{0,9}=\s{0,9}(?:("(?:[^"\\]|\\.)*")|'([^']*)')/m.exec(tableOf(text, "marketplace")) ?? [];
  const isEnabled = /^enabled\s{0,9}=\s{0,9}true\b/m.test(tableOf(text, "plugin"));
  const source = quoted === undefined ? plain : parseJson(quoted);
  return { source: typeof source === "string" ? source : undefined, isEnabled };
}

/** The lines that Codex adds, as it writes them. */
export function renderConfigEntries(root: string): string {
  const marketplace = `${TABLES.marketplace}\nsource_type = "local"\nsource = ${JSON.stringify(root)}\n`;
  return `${marketplace}\n${TABLES.plugin}\nenabled = true\n`;
}

function tableOf(text: string, name: keyof typeof TABLES): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() === TABLES[name]);
  if (first < 0) return "";
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => /^\s*\[/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).join("\n");
}

/** Codex registers marketplaces and plugins in its `config.toml` by its own commands; we never write that file. */
export const codex: Agent = {
  name: "codex",
  planInstall(place) {
    const { terminal } = place;
    const seen = look(terminal);
    const own = findPackage();
    // Codex is given a copy where npx may clear the package's own folder.
    const root = isPassing(own) ? path.join(locateOwnData(terminal.environment), "package") : own;
    const plan = { file: seen.config, line: renderConfigEntries(root) };
    if (seen.source === root && seen.isEnabled && isCurrent(seen.folder))
      return { ...plan, status: "already", notes: [] };
    const commands = [
      ...(seen.source === undefined || seen.source === root ? [] : [["marketplace", "remove", MARKETPLACE]]),
      ["marketplace", "add", root],
      ["add", PLUGIN_IDS.classic],
    ];
    return {
      ...plan,
      status: "due",
      asksFirst: true,
      notes: listCommands(commands),
      carryOut: async () => {
        if (root !== own) copyPackage(own, root);
        const undo = "To remove Plimsoll, run: plimsoll uninstall --agent codex";
        return [...(await askCodex(place, seen, commands)), TRUST, undo];
      },
    };
  },
  planRemoval(place) {
    const seen = look(place.terminal);
    const commands = [
      ...(seen.isNamed ? [["remove", PLUGIN_IDS.classic]] : []),
      ...(seen.source === undefined ? [] : [["marketplace", "remove", MARKETPLACE]]),
    ];
    if (commands.length === 0) return { file: seen.config, line: "", status: "already", notes: [] };
    return {
      file: seen.config,
      line: renderConfigEntries(seen.source ?? ""),
      status: "due",
      asksFirst: true,
      notes: listCommands(commands),
      carryOut: () => askCodex(place, seen, commands),
    };
  },
  examine({ terminal }) {
    const { isEnabled, folder, source } = look(terminal);
    const fix = "plimsoll install --agent codex";
    if (!isEnabled) return { isInstalled: false, what: `not installed; to install, run: ${fix}`, problems: [] };
    const problems = [
      ...(isCurrent(folder) ? [] : [{ what: "Codex's copy of the plugin is not the one in this package", fix }]),
      ...(source !== undefined && existsSync(source)
        ? []
        : [{ what: "the folder of Plimsoll's marketplace in Codex does not exist", fix }]),
    ];
    return { isInstalled: true, what: `${PLUGIN_IDS.classic} from ${source ?? "an unknown folder"}`, problems };
  },
  impossible: [
    "Plimsoll can replace a tool result only by blocking it, and Codex logs that as an error",
    "Plimsoll folds only command outputs",
    "Plimsoll cannot tell the summarising model what to keep, and only the gateway can compact without a model",
  ],
};

const TRUST = "Codex runs the hooks only after you accept them: start Codex in a terminal to do so, or open /hooks.";

function look({ environment }: Terminal) {
  const home = host.locateHome(environment);
  const config = path.join(home, "config.toml");
  const text = readConfig(config);
  const folder = path.join(home, "plugins", "cache", MARKETPLACE, path.basename(PLUGIN_IDS.classic, `@${MARKETPLACE}`));
  const version = textField(readObject(locateOwn(".codex-plugin/plugin.json")) ?? {}, "version");
  const isNamed = (text ?? "").includes(TABLES.plugin);
  return { ...parseConfigEntries(text ?? ""), config, text, folder: path.join(folder, version), isNamed };
}

/** Whether Codex's copy equals this package, compared by the files that it starts. */
function isCurrent(folder: string): boolean {
  return ["codex/hooks.json", "codex/mcp.json", "dist/codex.cjs", "dist/mcp.cjs"].every((name) => {
    const copy = path.join(folder, name);
    return existsSync(copy) && readFileSync(copy).equals(readFileSync(locateOwn(name)));
  });
}

function locateOwn(name: string): string {
  return path.join(findPackage(), PLUGIN_FOLDERS.classic, name);
}

type Commands = readonly (readonly string[])[];

/** Each command takes well under a second. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 4 << 20;

function listCommands(commands: Commands): readonly string[] {
  return commands.map((words) => `codex plugin ${words.join(" ")}`);
}

function readConfig(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readRegularFile(file, MAX_BYTES);
  if (text === undefined) throw new CliError(`${file} cannot be used as a settings file: nothing was changed`);
  return text;
}

/** Lets Codex change its own file after copying it. If something fails, the copy is restored. */
async function askCodex(
  { program, terminal }: AgentPlace,
  { config, text }: ReturnType<typeof look>,
  commands: Commands,
) {
  if (program === undefined)
    throw new CliError(
      "codex was not found: put it on PATH, or pass its path: plimsoll install --agent codex --program PATH",
    );
  const backup = backUp(config, terminal.nowMs());
  for (const words of commands) {
    const failure = await run(program, words, terminal);
    if (failure === undefined) continue;
    if (readConfig(config) !== text) writeSettingsFile(config, text);
    if (backup !== undefined) rmSync(backup);
    throw new CliError(failure);
  }
  if (readConfig(config)?.trim() === "") rmSync(config, { force: true });
  return backup === undefined ? [] : [`Backup of ${config}: ${backup}`];
}

async function run(program: Client, words: readonly string[], terminal: Terminal): Promise<string | undefined> {
  const { isDone, output } = await runProgram(program.path, ["plugin", ...words], { terminal, timeoutMs: TIMEOUT_MS });
  if (isDone) return undefined;
  const said = output.split("\n").filter((line) => !/^\s*WARNING: /.test(line));
  const fix = /unrecognized subcommand|unexpected argument/.test(output)
    ? `Codex ${program.version ?? "of this version"} has no plugins: update it (npm install -g @openai/codex)`
    : "fix what Codex reports, then run this again";
  const why = said.join(" ").replace(/\s+/g, " ").trim();
  return `codex plugin ${words.join(" ")} failed, and nothing was changed (${why}): ${fix}`;
}
