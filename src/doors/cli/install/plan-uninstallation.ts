import { existsSync } from "node:fs";
import { objectField } from "../../../core/json.ts";
import { CliError, type Invocation, type Terminal } from "../command.ts";
import { findProgram } from "./find-client.ts";
import { MARKETPLACE, type PluginScope } from "./find-package.ts";
import { type InstallationRecord, type InstalledFile, readOriginal, readRecord } from "./installation-record.ts";
import type { Installation } from "./plan-installation.ts";
import { type Change, planRemoval } from "./plan-settings.ts";
import { isTrimmed } from "./plan-trim.ts";
import { readRegistry } from "./register-plugins.ts";
import {
  listEnabled,
  locateSettings,
  type Places,
  readSettingsFile,
  refuseLink,
  requireApart,
  type SettingsFile,
} from "./settings-file.ts";

export interface Uninstallation
  extends Pick<Installation, "places" | "scope" | "client" | "registry" | "changes" | "notes"> {
  readonly record: InstallationRecord;
  /** Whether nothing else needs the marketplace. */
  readonly hasMarketplace: boolean;
}

export async function planUninstallation({ values }: Invocation, terminal: Terminal): Promise<Uninstallation> {
  const scope: PluginScope = values.get("scope") === "project" ? "project" : "user";
  const places = locateSettings(terminal);
  if (scope === "project") {
    requireApart(places);
    refuseLink(places.project);
  }
  const record = readRecord(places.configFolder) ?? { atMs: 0, files: [] };
  const others = listOthers(record, places, scope);
  const hasMarketplace = others.length === 0;
  const trimmed = record.files.map(({ path }) => path).filter((file) => hasMarketplace && isTrimmed(file));
  const files = [
    ...(scope === "user" ? [places.user] : [...(hasMarketplace ? [places.user] : []), places.project]),
    ...trimmed,
  ];
  const changes = files
    .map((file) => {
      const known = record.files.find(({ path }) => path === file);
      return planFile(readSettingsFile(file), known, hasMarketplace);
    })
    .filter(({ before, after }) => before !== after);
  return {
    places,
    scope,
    client: await findProgram("claude", values.get("client"), terminal),
    record,
    hasMarketplace,
    registry: readRegistry(places.configFolder, scope, terminal.directory),
    changes,
    notes: others.map((file) => `Plimsoll is still switched on in ${file}, so the marketplace stays registered.`),
  };
}

/** Settings files that still use the plugins. An unreadable file does not count. */
function listOthers(record: InstallationRecord, places: Places, scope: PluginScope): readonly string[] {
  const mine = scope === "user" ? places.user : places.project;
  const all = new Set([places.user, places.project, ...record.files.map((file) => file.path)]);
  return [...all].filter((file) => {
    try {
      return file !== mine && existsSync(file) && listEnabled(readSettingsFile(file)).length > 0;
    } catch (error) {
      if (error instanceof CliError) return false;
      throw error;
    }
  });
}

/** The exact bytes from before if the file was not changed since; otherwise only our entries are removed. */
export function planFile(file: SettingsFile, record: InstalledFile | undefined, hasMarketplace: boolean): Change {
  if (file.text === undefined) return { path: file.path, before: undefined, after: undefined };
  const keepsMarketplace =
    !hasMarketplace && objectField(file.settings, "extraKnownMarketplaces")?.[MARKETPLACE] !== undefined;
  const original = record === undefined || keepsMarketplace ? undefined : readOriginal(record, file.text);
  if (original) return { path: file.path, before: file.text, after: original.text };
  const { made = [], isMade: isMadeFile = false, own = [] } = record ?? {};
  return planRemoval(file, { hasMarketplace, made, isMadeFile, own, isOwnOnly: isTrimmed(file.path) });
}
