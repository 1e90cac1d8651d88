import { lstatSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { type Originals, openProjectOriginals } from "../../files/artifacts/originals.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { HOSTS, type Hosts, hostOf, listProject, locateHome } from "../../hosts/catalogue.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import { locateData, locateSession } from "../../policy/actions/data-paths.ts";

/** The project and session that the server serves; nothing outside of them is ever read. */
export interface Place {
  readonly host: Host;
  readonly environment: Environment;
  readonly project: string;
  /** The home of Plimsoll's own data. */
  readonly configFolder: string;
  /** As given by the client; empty if it gives none. */
  readonly sessionId: string;
}

/** The client that started the server identifies itself in the environment; otherwise the one that last worked in the project is assumed. */
export function findPlace(environment: Environment, directory: string, hosts: Hosts = HOSTS): Place {
  const host = hosts.find((candidate) => candidate.findServed(environment)) ?? findLast(environment, directory, hosts);
  const { project = "", sessionId = "" } = host.findServed(environment) ?? {};
  const configFolder = locateHome(environment, hosts);
  return { host, environment, project: path.resolve(project || directory), configFolder, sessionId };
}

/** The caller's place if the client sends it with the call; otherwise the one that the server was started for. */
export function findCallingPlace(place: Place, meta: JsonObject, hosts: Hosts = HOSTS): Place {
  for (const host of hosts) {
    const { project = "", sessionId = "" } = host.findCaller?.(meta, place.environment) ?? {};
    if (project !== "") return { ...place, host, project: path.resolve(project), sessionId };
  }
  return place;
}

function findLast(environment: Environment, directory: string, hosts: Hosts): Host {
  const [newest] = listProject(environment, path.resolve(directory), hosts);
  return newest ? hostOf(newest.path, hosts) : hosts[0];
}

/** The session's transcript, or the newest of the project without a session; `undefined` if there is none yet. */
export function findTranscript({ host, environment, project, configFolder, sessionId }: Place): string | undefined {
  // An invalid id never becomes a path.
  if (locateSession(configFolder, sessionId) !== undefined) return host.findTranscript(environment, project, sessionId);
  return host.listProject(environment, project).find((file) => {
    // A link could lead anywhere.
    return lstatSync(findHoldingFile(file.path), { throwIfNoEntry: false })?.isFile() === true;
  })?.path;
}

/** Everything that left the conversations of the project, wherever it is stored. */
export function openPlace(place: Place): Originals {
  return openProjectOriginals({
    project: place.project,
    dataFolder: locateData(place.configFolder),
    sessionIds: () => listSessionIds(place),
  });
}

/** The served session, then the client's other sessions in the project, newest first. */
export function listSessionIds({ host, environment, project, configFolder, sessionId }: Place): readonly string[] {
  const files = host.listProject(environment, project);
  const ids = [sessionId, ...files.map((file) => host.nameSession(file.path))];
  return [...new Set(ids)].filter((id) => locateSession(configFolder, id) !== undefined);
}
