import path from "node:path";
import type { Readable } from "node:stream";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { chooseLife } from "../../../replay/compare-lives.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "../../../replay/prompt-cache.ts";
import { readLastReplay } from "../../person/look-around.ts";
import { tellCacheLives } from "../../person/tell-look-back.ts";
import { CliError, type Invocation, type Terminal } from "../command.ts";
import { renderSafely } from "../print/style.ts";
import { canAsk, confirm } from "./confirm.ts";
import {
  type Client,
  FIRST_WITH_HOOKS,
  FIRST_WITH_OUR_PLUGINS,
  FIRST_WITH_STATUS_LINE,
  findProgram,
  hasModules,
} from "./find-client.ts";
import { findPackage, isPassing, type PluginName } from "./find-package.ts";
import { readRecord } from "./installation-record.ts";
import { type Change, isOurs, type OwnText, planInstall, planOwnTexts, type Target } from "./plan-settings.ts";
import { type Registry, readRegistry } from "./register-plugins.ts";
import { locateSettings, type Places, readSettingsFile, type SettingsFile } from "./settings-file.ts";

export interface Installation extends Target {
  readonly places: Places;
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
  const wantsLine = flags.has("status-line");
  const places = locateSettings(terminal);
  const user = readSettingsFile(places.user);
  const client = await findProgram("claude", values.get("client"), terminal);
  const choice = choosePlugins(client?.version, readWanted(flags));
  const own = findPackage();
  const root = isPassing(own) ? path.join(locateData(places.configFolder), "package") : own;
  const canShowLine =
    choice.plugins.includes("classic") &&
    (client?.version === undefined || isVersionAtLeast(client.version, FIRST_WITH_STATUS_LINE));
  const life = planLife(values.get("cache-life"), places);
  const target: Target = { ...choice, root, hasStatusLine: wantsLine && canShowLine, life };
  const change = planInstall(user, target);
  const registry = readRegistry(places.configFolder);
  const isRegistered = registry.root === root && choice.plugins.every((name) => registry.plugins.includes(name));
  return {
    ...target,
    places,
    client,
    why: choice.why,
    copyFrom: root === own ? undefined : own,
    changes: change.before === change.after ? [] : [change],
    registry,
    needsRegistering: client !== undefined && choice.oldVersion === undefined && !isRegistered,
    notes: [
      ...noteLine(user, wantsLine, canShowLine),
      ...noteLife(user, life, terminal),
      ...(change.before !== change.after && choice.plugins.includes("module") ? [BASE_NOTE] : []),
    ],
  };
}

const BASE_NOTE =
  'Tools that your recent sessions never called will wait behind the tool search, where the model finds them. To switch this off, write {"base": "keep"} to plimsoll.json in the same folder as these settings.';

function planLife(given: string | undefined, { configFolder, user }: Places): Target["life"] {
  const life = SET_CACHE_LIVES.find((name) => name === given);
  if (life === undefined) return undefined;
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

function noteLine({ settings }: SettingsFile, wantsLine: boolean, canShowLine: boolean): readonly string[] {
  const { statusLine } = settings;
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

/** The best plugin for a client of this version. The person's choice wins if it can work. */
function choosePlugins(version: string | undefined, wanted: PluginName | undefined): PluginChoice {
  const choose = (why: string, ...plugins: readonly PluginName[]): PluginChoice => {
    return { plugins, oldVersion: undefined, why };
  };
  if (version === undefined) {
    if (wanted !== undefined) return choose("as you asked", wanted);
    const why = "no client was found, so both plugins are switched on, but only one of them is ever active";
    return choose(why, "module", "classic");
  }
  if (!isVersionAtLeast(version, FIRST_WITH_HOOKS))
    throw new CliError(`Claude Code ${version} has no hooks: update it (claude update), then run this again`);
  if (wanted === "module" && !hasModules(version))
    throw new CliError(
      `Claude Code ${version} loads no hooks modules: update it (claude update), or install without --module, which adds command hooks instead`,
    );
  if (!isVersionAtLeast(version, FIRST_WITH_OUR_PLUGINS))
    return {
      plugins: ["classic"],
      oldVersion: version,
      why: `Claude Code ${version} cannot run Plimsoll's plugins, so Plimsoll adds its hooks to the settings`,
    };
  if (wanted !== undefined) return choose("as you asked", wanted);
  return hasModules(version)
    ? choose(`Claude Code ${version} loads hooks modules`, "module")
    : choose(`Claude Code ${version} loads no hooks modules, so Plimsoll uses command hooks`, "classic");
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

/** What of the wanted life the person has set otherwise, or the advice of the last replay. */
function noteLife(user: SettingsFile, life: Target["life"], terminal: Terminal): readonly string[] {
  if (!life) {
    const advice = adviseLife(user, terminal);
    return advice ? [advice.text] : [];
  }
  const { theirs } = planOwnTexts(user.settings, life.wanted, life.known);
  return theirs.map(({ path }) => `You have set ${path.join(".")} yourself: it stays as it is.`);
}

/** By the last replay, if nothing is set yet. */
function adviseLife({ settings }: SettingsFile, { environment }: Terminal) {
  const compared = readLastReplay(environment)?.cacheLives;
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
  if (!input || values.has("cache-life") || ["yes", "dry-run", "json"].some((name) => flags.has(name)))
    return invocation;
  const advice = adviseLife(readSettingsFile(locateSettings(terminal).user), terminal);
  if (!advice) return invocation;
  const lines = LIFE_TEXTS[advice.life].map(({ path, text }) => `+ ${path.join(".")}: "${text}"`);
  terminal.remark(`${renderSafely(advice.text)}\n\n${lines.join("\n")}\n\n`);
  if (!(await confirm("Add these lines to your settings, too?", terminal, input))) return invocation;
  return { ...invocation, values: new Map([...values, ["cache-life", advice.life]]) };
}
