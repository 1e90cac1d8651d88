import path from "node:path";
import type { Readable } from "node:stream";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { chooseLife, readComparedLives } from "../../../replay/compare-lives.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "../../../replay/prompt-cache.ts";
import { readLastReplay } from "../../person/look-around.ts";
import { tellCacheLives } from "../../person/tell-look-back.ts";
import { CliError, type Invocation, type Terminal } from "../command.ts";
import { renderSafely } from "../print/style.ts";
import { canAsk, confirm } from "./confirm.ts";
import { type Client, findClient, hasModules, hasStatusLine, runsPlugins } from "./find-client.ts";
import { findPackage, isPassing, type PluginName, type PluginScope } from "./find-package.ts";
import { readRecord } from "./installation-record.ts";
import { type Change, isOurs, type OwnText, planInstall, planOwnTexts, type Target } from "./plan-settings.ts";
import { type Registry, readRegistry } from "./register-plugins.ts";
import {
  locateSettings,
  type Places,
  readSettingsFile,
  refuseLink,
  requireApart,
  type SettingsFile,
} from "./settings-file.ts";

export interface Installation extends Target {
  readonly places: Places;
  readonly scope: PluginScope;
  readonly client: Client | undefined;
  readonly why: string;
  /** The package to copy, if its folder may vanish and the client is given a copy. */
  readonly copyFrom: string | undefined;
  readonly changes: readonly Change[];
  /** Whether the client has to be asked to register it. */
  readonly needsRegistering: boolean;
  readonly registry: Registry;
  readonly notes: readonly string[];
}

export async function planInstallation(invocation: Invocation, terminal: Terminal): Promise<Installation> {
  const { flags, values } = invocation;
  const scope: PluginScope = values.get("scope") === "project" ? "project" : "user";
  const wantsLine = flags.has("status-line");
  if (wantsLine && scope === "project")
    throw new CliError("the status line is a user setting: leave out --scope project");
  const places = locateSettings(terminal);
  const user = readSettingsFile(places.user);
  const client = await findClient(values.get("client"), terminal);
  const choice = choosePlugins(client?.version, readWanted(flags));
  const own = findPackage();
  const root = isPassing(own) ? path.join(locateData(places.configFolder), "package") : own;
  const canShowLine =
    choice.plugins.includes("classic") && (client?.version === undefined || hasStatusLine(client.version));
  const life = planLife(values.get("cache-life"), scope, places);
  const target: Target = { ...choice, root, hasStatusLine: wantsLine && canShowLine, life };
  const changes = planChanges(target, { scope, user, places }).filter(({ before, after }) => before !== after);
  const registry = readRegistry({ configFolder: places.configFolder, scope, directory: terminal.directory });
  const isRegistered = registry.root === root && choice.plugins.every((name) => registry.plugins.includes(name));
  return {
    ...target,
    places,
    scope,
    client,
    why: choice.why,
    copyFrom: root === own ? undefined : own,
    changes,
    registry,
    needsRegistering: client !== undefined && choice.oldVersion === undefined && !isRegistered,
    notes: [
      ...listNotes(user, { canShowLine, wantsLine }),
      ...(life ? noteTheirs(planOwnTexts(user.settings, life.wanted, life.known).theirs) : noteLife(user, terminal)),
    ],
  };
}

function planLife(given: string | undefined, scope: PluginScope, { configFolder, user }: Places): Target["life"] {
  const life = parseLife(given);
  if (life === undefined) return undefined;
  if (scope === "project") throw new CliError("the cache life is a user setting: leave out --scope project");
  return {
    wanted: LIFE_TEXTS[life],
    known: readRecord(configFolder)?.files.find((file) => file.path === user)?.own ?? [],
  };
}

function readWanted(flags: ReadonlySet<string>): PluginName | undefined {
  if (flags.has("classic") && flags.has("module"))
    throw new CliError("pass --classic or --module, not both; without them, the client's version decides");
  if (flags.has("module")) return "module";
  return flags.has("classic") ? "classic" : undefined;
}

interface Where {
  readonly scope: PluginScope;
  readonly user: SettingsFile;
  readonly places: Places;
}

function planChanges(target: Target, { scope, user, places }: Where): readonly Change[] {
  if (scope === "user") return [planInstall(user, target, "all")];
  requireApart(places);
  refuseLink(places.project);
  const project = readSettingsFile(places.project);
  if (target.oldVersion !== undefined) return [planInstall(project, target, "all")];
  return [planInstall(user, target, "marketplace"), planInstall(project, target, "plugins")];
}

interface Line {
  readonly canShowLine: boolean;
  readonly wantsLine: boolean;
}

function listNotes({ settings: { statusLine } }: SettingsFile, { canShowLine, wantsLine }: Line): readonly string[] {
  if (isOurs(statusLine)) return [];
  if (wantsLine && !canShowLine) return ["The module shows the load by itself: no status line is needed."];
  if (wantsLine && statusLine !== undefined) return ["Your own status line stays as it is."];
  const isOffered = canShowLine && !wantsLine && statusLine === undefined;
  return isOffered ? ["To show in the status line how full the window is, run: plimsoll install --status-line"] : [];
}

interface PluginChoice {
  readonly plugins: readonly PluginName[];
  /** Set if the client does not run our plugins, so that the hooks go into its settings. */
  readonly oldVersion: string | undefined;
  readonly why: string;
}

const FIRST_WITH_HOOKS = "1.0.38";

/** The best plugin for a client of this version. The person's choice wins if it can work. */
function choosePlugins(version: string | undefined, wanted: PluginName | undefined): PluginChoice {
  const choose = (plugins: readonly PluginName[], why: string): PluginChoice => ({
    plugins,
    oldVersion: undefined,
    why,
  });
  if (version === undefined) {
    if (wanted !== undefined) return choose([wanted], "as you asked");
    const why = "no client was found, so both plugins are switched on, but only one of them is ever active";
    return choose(["module", "classic"], why);
  }
  if (!isVersionAtLeast(version, FIRST_WITH_HOOKS))
    throw new CliError(`Claude Code ${version} has no hooks: update it (claude update), then run this again`);
  if (wanted === "module" && !hasModules(version))
    throw new CliError(
      `Claude Code ${version} loads no hooks modules: update it (claude update), or install without --module, which adds command hooks instead`,
    );
  if (!runsPlugins(version))
    return {
      plugins: ["classic"],
      oldVersion: version,
      why: `Claude Code ${version} cannot run Plimsoll's plugins, so Plimsoll adds its hooks to the settings`,
    };
  if (wanted !== undefined) return choose([wanted], "as you asked");
  return hasModules(version)
    ? choose(["module"], `Claude Code ${version} loads hooks modules`)
    : choose(["classic"], `Claude Code ${version} loads no hooks modules, so Plimsoll uses command hooks`);
}

const set = (text: string, ...path: readonly string[]): OwnText => ({ path, text, isListed: false });
/** A subagent works without breaks, so a cache of an hour would only cost more. */
const SUBAGENTS = set("5m", "subagentPromptCacheTtl");

/** Each cache lifetime in Claude Code's settings. The variable for messages can only shorten what the setting gives to all. */
const LIFE_TEXTS: Readonly<Record<SetCacheLife, readonly OwnText[]>> = {
  "5m": [set("5m", "promptCacheTtl"), SUBAGENTS],
  "1h": [set("1h", "promptCacheTtl"), SUBAGENTS],
  "1h+5m": [set("1h", "promptCacheTtl"), set("5m", "env", "CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL"), SUBAGENTS],
};

function parseLife(given: string | undefined): SetCacheLife | undefined {
  return SET_CACHE_LIVES.find((life) => life === given);
}

function noteTheirs(theirs: readonly OwnText[]): readonly string[] {
  return theirs.map(({ path }) => `You have set ${path.join(".")} yourself: it stays as it is.`);
}

/** The advice of the last replay, if nothing is set yet. */
function noteLife(user: SettingsFile, terminal: Terminal): readonly string[] {
  const told = adviseLife(user, terminal);
  return told ? [told.text] : [];
}

function adviseLife({ settings }: SettingsFile, { environment }: Terminal) {
  const compared = readComparedLives(readLastReplay(environment));
  const life = compared && chooseLife(compared)?.life;
  const isSet = planOwnTexts(settings, LIFE_TEXTS["1h+5m"], []).theirs.length > 0;
  return compared && life && !isSet ? { life, text: tellCacheLives(compared) } : undefined;
}

/** Asks whether to set the cheapest cache lifetime, too; only a yes adds it. */
export async function offerLife(
  invocation: Invocation,
  terminal: Terminal,
  input: Readable | undefined = canAsk(terminal) ? process.stdin : undefined,
): Promise<Invocation> {
  const { flags, values } = invocation;
  const isAnswered = ["cache-life", "scope"].some((name) => values.has(name));
  if (!input || isAnswered || ["yes", "dry-run", "json"].some((name) => flags.has(name))) return invocation;
  const advice = adviseLife(readSettingsFile(locateSettings(terminal).user), terminal);
  if (!advice) return invocation;
  const lines = LIFE_TEXTS[advice.life].map(({ path, text }) => `+ ${path.join(".")}: "${text}"`);
  terminal.remark(`${renderSafely(advice.text)}\n\n${lines.join("\n")}\n\n`);
  if (!(await confirm("Add these lines to your settings, too?", terminal, input))) return invocation;
  return { ...invocation, values: new Map([...values, ["cache-life", advice.life]]) };
}
