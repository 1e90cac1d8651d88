import type { Invocation, Terminal } from "../command.ts";
import { findProgram } from "./find-client.ts";
import { type InstallationRecord, type InstalledFile, readOriginal, readRecord } from "./installation-record.ts";
import type { Installation } from "./plan-installation.ts";
import { type Change, planRemoval } from "./plan-settings.ts";
import { isTrimmed } from "./plan-trim.ts";
import { readRegistry } from "./register-plugins.ts";
import { locateSettings, readSettingsFile, type SettingsFile } from "./settings-file.ts";

export interface Uninstallation extends Pick<Installation, "places" | "client" | "registry" | "changes"> {
  readonly record: InstallationRecord;
}

export async function planUninstallation({ values }: Invocation, terminal: Terminal): Promise<Uninstallation> {
  const places = locateSettings(terminal);
  const record = readRecord(places.configFolder) ?? { atMs: 0, files: [] };
  const trimmed = record.files.map(({ path }) => path).filter(isTrimmed);
  const changes = [places.user, ...trimmed]
    .map((file) => {
      const known = record.files.find(({ path }) => path === file);
      return planFile(readSettingsFile(file), known);
    })
    .filter(({ before, after }) => before !== after);
  return {
    places,
    client: await findProgram("claude", values.get("client"), terminal),
    record,
    registry: readRegistry(places.configFolder),
    changes,
  };
}

/** The exact bytes from before if the file was not changed since; otherwise only our entries are removed. */
export function planFile(file: SettingsFile, record: InstalledFile | undefined): Change {
  if (file.text === undefined) return { path: file.path, before: undefined, after: undefined };
  const original = record && readOriginal(record, file.text);
  if (original) return { path: file.path, before: file.text, after: original.text };
  const { isMade: isMadeFile = false, own = [] } = record ?? {};
  return planRemoval(file, { isMadeFile, own, isOwnOnly: isTrimmed(file.path) });
}
