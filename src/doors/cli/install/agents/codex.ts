import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isObject, textField } from "../../../../core/json-fields.ts";
import { readRegularFile } from "../../../../files/read-regular-file.ts";
import { codex as host } from "../../../../hosts/codex/host.ts";
import { locateData } from "../../../../policy/deeds/data-paths.ts";
import { CliError, type Terminal } from "../../command.ts";
import { type Client, runProgram } from "../find-client.ts";
import { copyPackage, findPackage, isPassing } from "../find-package.ts";
import { MARKETPLACE, PLUGIN_FOLDERS, PLUGIN_IDS } from "../plugin-names.ts";
import { backUp, writeSettingsFile } from "../settings-file.ts";
import { locateSettings } from "../settings-places.ts";
import { type Agent, type AgentPlace, settled } from "./agent.ts";
import { type CodexEntries, keepsLines, parseConfigEntries, renderConfigEntries } from "./codex-config.ts";

/** It enters marketplaces and plugins in its own `config.toml`, by its own commands: that file is never written by anybody else. */
export const codex: Agent = {
  name: "codex",
  planInstall(place) {
    const { terminal } = place;
    const seen = look(terminal);
    const [own, root] = locateRoot(terminal);
    const plan = { file: seen.config, line: renderConfigEntries(root) };
    if (seen.source === root && seen.isEnabled && isCurrent(seen.folder))
      return settled({ ...plan, status: "already" });
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
        return [
          ...(await askCodex(place, seen, commands)),
          TRUST,
          "plimsoll uninstall --host codex takes it out again.",
        ];
      },
    };
  },
  planRemoval(place) {
    const seen = look(place.terminal);
    const commands = [
      ...(seen.isNamed ? [["remove", PLUGIN_IDS.classic]] : []),
      ...(seen.source === undefined ? [] : [["marketplace", "remove", MARKETPLACE]]),
    ];
    const plan = { file: seen.config, line: commands.length === 0 ? "" : renderConfigEntries(seen.source ?? "") };
    if (commands.length === 0) return settled({ ...plan, status: "already" });
    return {
      ...plan,
      status: "due",
      asksFirst: true,
      notes: listCommands(commands),
      carryOut: () => askCodex(place, seen, commands),
    };
  },
  examine({ terminal }) {
    const { isEnabled, folder, source } = look(terminal);
    const fix = "plimsoll install --host codex";
    if (!isEnabled) return { isInstalled: false, what: `not installed: ${fix}`, problems: [] };
    const problems = [
      ...(isCurrent(folder) ? [] : [{ what: "the plugin in Codex is of another version than this program", fix }]),
      ...(source !== undefined && existsSync(source)
        ? []
        : [{ what: "the marketplace that Codex knows Plimsoll by leads nowhere", fix }]),
    ];
    return { isInstalled: true, what: `${PLUGIN_IDS.classic} from ${source ?? "nowhere"}`, problems };
  },
  impossible: [
    "a result is replaced by blocking it, which Codex logs as an error",
    "only outputs of commands are folded",
    "its summary cannot be told what to keep, and a compaction is answered by the gateway alone",
  ],
};

const TRUST =
  "Codex runs the hooks once you have said yes to them: start it in a terminal, where it asks, or look at /hooks.";

interface Seen extends CodexEntries {
  readonly config: string;
  /** `undefined` where there is no such file. */
  readonly text: string | undefined;
  /** Where Codex keeps its copy of the plugin. */
  readonly folder: string;
  /** Switched on or off, it is entered. */
  readonly isNamed: boolean;
}

function look({ environment }: Terminal): Seen {
  const home = host.locateHome(environment);
  const config = path.join(home, "config.toml");
  const text = readConfig(config);
  const folder = path.join(home, "plugins", "cache", MARKETPLACE, path.basename(PLUGIN_IDS.classic, `@${MARKETPLACE}`));
  const isNamed = (text ?? "").includes(`[plugins."${PLUGIN_IDS.classic}"]`);
  return { ...parseConfigEntries(text ?? ""), config, text, folder: path.join(folder, readVersion()), isNamed };
}

/** Of the package, and of the folder that Codex is shown: npx may clear its own. */
function locateRoot(terminal: Terminal): readonly [own: string, root: string] {
  const own = findPackage();
  return [own, isPassing(own) ? path.join(locateData(locateSettings(terminal).configFolder), "package") : own];
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(locateOwn(".codex-plugin/plugin.json"), "utf8"));
  return isObject(manifest) ? textField(manifest, "version") : "";
}

/** Whether Codex's copy is what this package brings, by the files that it starts. */
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

/** Each takes well under a second. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 4 << 20;

function listCommands(commands: Commands): readonly string[] {
  return commands.map((words) => `codex plugin ${words.join(" ")}`);
}

/** `undefined` where there is no such file. */
function readConfig(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readRegularFile(file, MAX_BYTES);
  if (text === undefined) throw new CliError(`${file} is not a file that settings can stand in: nothing was changed`);
  return text;
}

/** Lets Codex change its own file, of which a copy stays: where something goes wrong, or a line of the person's were missing then, it goes back. */
async function askCodex(
  { program, terminal }: AgentPlace,
  { config, text }: { readonly config: string; readonly text: string | undefined },
  commands: Commands,
): Promise<readonly string[]> {
  if (program === undefined)
    throw new CliError("codex is not found: put it on PATH, or name it with --client PATH, then run this again");
  const backup = backUp(config, terminal.nowMs());
  const fail = (why: string): never => {
    if (readConfig(config) !== text) writeSettingsFile(config, text);
    if (backup !== undefined) rmSync(backup);
    throw new CliError(why);
  };
  for (const words of commands) {
    const failure = await run(program, words, terminal);
    if (failure !== undefined) fail(failure);
  }
  const after = readConfig(config) ?? "";
  if (!keepsLines(text ?? "", after))
    fail(
      `Codex left out lines of your own when it wrote ${config}, so it is as it was: add by hand what --dry-run shows`,
    );
  if (after.trim() === "") rmSync(config, { force: true });
  return backup === undefined ? [] : [`${config} as it was: ${backup}`];
}

async function run(program: Client, words: readonly string[], terminal: Terminal): Promise<string | undefined> {
  const { isDone, output } = await runProgram(program.path, ["plugin", ...words], { terminal, timeoutMs: TIMEOUT_MS });
  if (isDone) return undefined;
  const said = output.split("\n").filter((line) => !/^\s*WARNING: /.test(line));
  const fix = /unrecognized subcommand|unexpected argument/.test(output)
    ? `Codex ${program.version ?? "of this version"} has no plugins: update it (npm install -g @openai/codex)`
    : "mend what it names, then run this again";
  const why = said.join(" ").replace(/\s+/g, " ").trim();
  return `codex plugin ${words.join(" ")} failed, and nothing was changed (${why}): ${fix}`;
}
