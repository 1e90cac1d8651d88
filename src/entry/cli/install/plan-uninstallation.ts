import { CliError, type Invocation, type Terminal } from "../command.ts";
import { findProgram } from "./find-client.ts";
import { type InstallationRecord, type InstalledFile, readOriginal, readRecord } from "./installation-record.ts";
import type { Installation } from "./plan-installation.ts";
import { type Change, planRemoval } from "./plan-settings.ts";
import { isTrimmed } from "./plan-trim.ts";
import { readRegistry } from "./register-plugins.ts";
import { locateSettings, readSettingsFile, refuseLink, type SettingsFile } from "./settings-file.ts";

export interface Uninstallation extends Pick<Installation, "places" | "client" | "registry" | "changes"> {
  readonly record: InstallationRecord;
}

export async function planUninstallation({ values }: Invocation, terminal: Terminal): Promise<Uninstallation> {
  const places = locateSettings(terminal);
  const record = readRecord(places.configFolder) ?? { atMs: 0, files: [] };
  const others = record.files.filter(({ path }) => path !== places.user);
  const own = record.files.find(({ path }) => path === places.user);
  const changes = [planFile(readSettingsFile(places.user), own), ...others.flatMap(planOther)];
  return {
    places,
    client: await findProgram("claude", values.get("program"), terminal),
    record,
    registry: readRegistry(places.configFolder),
    changes: changes.filter(({ before, after }) => before !== after),
  };
}

/** A project's file that was changed by `trim`, or by an install of an earlier version. One that cannot be read stays as it is. */
function planOther(known: InstalledFile): readonly Change[] {
  try {
    refuseLink(known.path);
    return [planFile(readSettingsFile(known.path), known)];
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** The exact bytes from before if the file was not changed since; otherwise only our entries are removed. */
export function planFile(file: SettingsFile, record: InstalledFile | undefined): Change {
  if (file.text === undefined) return { path: file.path, before: undefined, after: undefined };
  const original = record && readOriginal(record, file.text);
  if (original) return { path: file.path, before: file.text, after: original.text };
  const { isMade: isMadeFile = false, own = [] } = record ?? {};
  return planRemoval(file, { isMadeFile, own, isOwnOnly: isTrimmed(file.path) });
}
