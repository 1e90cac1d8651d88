import { existsSync, lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { findColdFiles } from "../../../files/cold-files.ts";
import { listEntries } from "../../../files/list-files.ts";
import { HOSTS, locateHome } from "../../../hosts/catalogue.ts";
import { locateData, locateSpareHome } from "../../../policy/actions/data-paths.ts";
import { listOwnData } from "../../../recorded/own-data.ts";
import { planClearSummaries, planResetState } from "../../../survive/cold-tasks/plan-cold-maintenance.ts";
import type { Terminal } from "../command.ts";
import { readInstalled } from "../doctor/read-installed.ts";
import { AGENTS } from "./agents/catalogue.ts";
import { MARKETPLACE } from "./find-package.ts";
import { readRecord } from "./installation-record.ts";
import { locateSettings, removeEmpty } from "./settings-file.ts";

/** Everything that Plimsoll has written outside of projects: session data, indexes, its settings, copies of settings. */
export interface OwnFiles {
  readonly paths: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly isRemoved: boolean;
  readonly usedBy: readonly string[];
}

/** The files that go when Plimsoll is removed from the last client. */
export function findOwnFiles(terminal: Terminal, leaving: string, isKept: boolean): OwnFiles {
  const { environment } = terminal;
  const { configFolder, project } = locateSettings(terminal);
  const settings = [project, ...(readRecord(configFolder)?.files ?? []).map((file) => file.path)];
  const homes = HOSTS.map((host) => host.locateHome(environment));
  const cold = findColdFiles(locateHome(environment), environment.HOME);
  const all = [
    ...new Set([locateData(configFolder), ...listOwnData(environment)]),
    ...[configFolder, locateSpareHome(environment)].map((home) => path.join(home, "plimsoll.json")),
    // Clients only mark their copy of a plugin as removed.
    ...homes.map((home) => path.join(home, "plugins", "cache", MARKETPLACE)),
    ...[...new Set([...homes, ...settings.map((file) => path.dirname(file))])].flatMap(listBackups),
    ...planClearSummaries(cold),
    ...planResetState(cold),
  ];
  const paths = all.filter((file) => existsSync(file));
  const usedBy = listUsers(terminal, leaving);
  const isRemoved = !isKept && usedBy.length === 0 && paths.length > 0;
  return { paths, ...measureAll(paths), isRemoved, usedBy };
}

/** Also removes folders that are empty afterwards, up to the person's home. */
export function removeOwnFiles({ paths }: OwnFiles, { environment: { HOME = "" } }: Terminal): void {
  for (const file of paths) {
    rmSync(file, { recursive: true, force: true });
    removeEmpty(path.dirname(file), HOME);
  }
}

export function renderOwnFiles(
  { paths, files, bytes, isRemoved, usedBy }: OwnFiles,
  isDone: boolean,
): readonly string[] {
  if (paths.length === 0) return [];
  const size = `${files} ${files === 1 ? "file" : "files"}, ${(bytes / 1e6).toFixed(1)} MB`;
  const list = paths.map((file) => `  ${file}`);
  if (isRemoved)
    return [`${isDone ? "Removed" : "Would be removed"}, including what past sessions stored (${size}):`, ...list];
  const why = usedBy.length > 0 ? `${usedBy.join(" and ")} still uses it` : "plimsoll uninstall removes it";
  return [`What Plimsoll recorded stays (${size}; ${why}):`, ...list];
}

function listUsers(terminal: Terminal, leaving: string): readonly string[] {
  const inClaude = leaving === HOSTS[0].name ? undefined : readInstalled(terminal);
  const isInClaude = inClaude && (inClaude.plugins.length > 0 || inClaude.hasSettingsHooks);
  const agents = AGENTS.filter(
    (agent) => agent.name !== leaving && agent.examine({ terminal, program: undefined }).isInstalled,
  );
  const names = [...(isInClaude ? [HOSTS[0].name] : []), ...agents.map(({ name }) => name)];
  return names.map((name) => HOSTS.find((host) => host.name === name)?.title ?? name);
}

function listBackups(folder: string): readonly string[] {
  return listEntries(folder)
    .filter(({ name }) => name.includes(".plimsoll-backup-"))
    .map(({ name }) => path.join(folder, name));
}

/** A link counts as itself; an unreadable file counts as nothing. */
function measureAll(paths: readonly string[]): Pick<OwnFiles, "files" | "bytes"> {
  let [files, bytes] = [0, 0];
  for (const file of paths) {
    const status = lstatSync(file, { throwIfNoEntry: false });
    const inside = status?.isDirectory() ? listEntries(file).map(({ name }) => path.join(file, name)) : undefined;
    const size = inside ? measureAll(inside) : { files: 1, bytes: status?.size ?? 0 };
    files += size.files;
    bytes += size.bytes;
  }
  return { files, bytes };
}
