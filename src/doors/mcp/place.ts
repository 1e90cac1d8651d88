import { lstatSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { type Originals, openProjectOriginals } from "../../files/artifacts/originals.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { HOSTS, type Hosts, hostOf, listProject, locateHome } from "../../hosts/catalogue.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import { locateData, locateSession } from "../../policy/deeds/data-paths.ts";

/** Which project and which session the server serves: nothing outside of them is ever read. */
export interface Place {
  readonly host: Host;
  readonly environment: Environment;
  readonly project: string;
  /** Where Plimsoll's own data lies. */
  readonly configFolder: string;
  /** As the client told it; empty for a client that does not tell. */
  readonly sessionId: string;
}

/** The client that started the server says so in its environment; otherwise it is the one that worked in the project last. */
export function findPlace(environment: Environment, directory: string, hosts: Hosts = HOSTS): Place {
  const host = hosts.find((candidate) => candidate.findServed(environment)) ?? findLast(environment, directory, hosts);
  const { project = "", sessionId = "" } = host.findServed(environment) ?? {};
  const configFolder = locateHome(environment, hosts);
  return { host, environment, project: path.resolve(project || directory), configFolder, sessionId };
}

/** Whose call it is, where the client says so beside it; otherwise the place that the server was started for. */
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

/** The session's transcript; without a session the newest of the project. `undefined` where there is none yet. */
export function findTranscript({ host, environment, project, configFolder, sessionId }: Place): string | undefined {
  // An id that is none never becomes a path.
  if (locateSession(configFolder, sessionId) !== undefined) return host.findTranscript(environment, project, sessionId);
  return host.listProject(environment, project).find((file) => isPlainFile(file.path))?.path;
}

/** What left the conversations of the project, wherever it was put. */
export function openPlace(place: Place): Originals {
  return openProjectOriginals({
    project: place.project,
    dataFolder: locateData(place.configFolder),
    sessionIds: () => listSessionIds(place),
  });
}

/** The session that is served, then the others that the client recorded in the project, the newest first. */
export function listSessionIds({ host, environment, project, configFolder, sessionId }: Place): readonly string[] {
  const files = host.listProject(environment, project);
  const ids = [sessionId, ...files.map((file) => host.nameSession(file.path))];
  return [...new Set(ids)].filter((id) => locateSession(configFolder, id) !== undefined);
}

/** A link could lead anywhere. */
function isPlainFile(transcript: string): boolean {
  return lstatSync(findHoldingFile(transcript), { throwIfNoEntry: false })?.isFile() === true;
}
