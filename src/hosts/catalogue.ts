import { readHead } from "../files/read-regular-file.ts";
import type { Baseline } from "./baseline.ts";
import { locateOwnHome } from "./claude-code/disk/projects.ts";
import { claudeCode } from "./claude-code/host.ts";
import { codex } from "./codex/host.ts";
import { copilot } from "./copilot/host.ts";
import { followSession, type RecordedContents, type RecordedSession, readTranscript } from "./follow-transcript.ts";
import { gemini } from "./gemini/host.ts";
import type { Environment, Host, TranscriptFile, WireFormat } from "./host.ts";
import { openCode } from "./opencode/host.ts";
import { pi } from "./pi/host.ts";
import { createAccounts, type UsageScan } from "./usage.ts";

export { hasCacheLife, nameInstalled } from "./claude-code/disk/installed.ts";

/** At least one: Plimsoll keeps its own data in the first host's home, and files that no host recognises are read as its. */
export type Hosts = readonly [Host, ...Host[]];

/** All clients. A new one is a folder and a line here. */
export const HOSTS: Hosts = [claudeCode, codex, pi, openCode, copilot, gemini];

/** The host that is assumed if a request does not say which client sent it: the first that uses this format. */
export function hostOfWire(format: WireFormat): Host {
  return HOSTS.find(({ wireFormat }) => wireFormat === format) ?? HOSTS[0];
}

/** The host of a file, which is opened once at most, and only if its place does not tell. */
export function hostOf(path: string, hosts: Hosts = HOSTS): Host {
  let head: string | undefined;
  return hosts.find((host) => host.isOwn(path, () => (head ??= readHead(path)))) ?? hosts[0];
}

export function findHost(name: string, hosts: Hosts = HOSTS): Host | undefined {
  return hosts.find((host) => host.name === name);
}

export function requireBaseline(hosts: Hosts = HOSTS): Baseline {
  const baseline = hosts.find((host) => host.baseline)?.baseline;
  if (!baseline) throw new TypeError("none of these hosts has a baseline: add one to the host that is to be audited");
  return baseline;
}

/** Where Plimsoll keeps its data on all sessions: one place for all clients. */
export function locateHome(environment: Environment, [first]: Hosts = HOSTS): string {
  return first === claudeCode ? locateOwnHome(environment) : first.locateHome(environment);
}

/** Transcripts below a folder, or the file itself, each with its own host; newest first. */
export function listTranscripts(root: string, hosts: Hosts = HOSTS): readonly TranscriptFile[] {
  const owners = new Map<string, Host>();
  const ownerOf = (path: string): Host => {
    const owner = owners.get(path) ?? hostOf(path, hosts);
    owners.set(path, owner);
    return owner;
  };
  return sort(
    hosts.map((host) => {
      const isOwn = (path: string): boolean => ownerOf(path) === host;
      const own = host.listTranscripts(root, isOwn).filter(({ path }) => isOwn(path));
      return withClient(own, host, hosts);
    }),
  );
}

export function listAll(environment: Environment, hosts: Hosts = HOSTS): readonly TranscriptFile[] {
  return sort(hosts.map((host) => withClient(host.listTranscripts(host.locateTranscripts(environment)), host, hosts)));
}

export function locateAll(environment: Environment, hosts: Hosts = HOSTS): readonly string[] {
  return hosts.map((host) => host.locateTranscripts(environment));
}

/** A project's transcripts without subagents'; newest first. */
export function listProject(
  environment: Environment,
  project: string,
  hosts: Hosts = HOSTS,
): readonly TranscriptFile[] {
  return sort(hosts.map((host) => host.listProject(environment, project)));
}

/** The resumable sessions of all clients; `undefined` if one of them cannot tell. */
export function listSessions(environment: Environment, hosts: Hosts = HOSTS): ReadonlySet<string> | undefined {
  const all = hosts.map((host) => host.listSessions(environment));
  const known = all.filter((sessions) => sessions !== undefined);
  return known.length < all.length ? undefined : new Set(known.flatMap((sessions) => [...sessions]));
}

export function nameSession(path: string, hosts: Hosts = HOSTS): string {
  return hostOf(path, hosts).nameSession(path);
}

export function readSession(path: string, hosts: Hosts = HOSTS): RecordedSession {
  return followSession(hostOf(path, hosts), path).read();
}

/** The same without what is measured of it. */
export function readContents(path: string, hosts: Hosts = HOSTS): RecordedContents {
  return readTranscript(hostOf(path, hosts), path);
}

/** The same with the contents of its last window alone, in bounded memory. */
export function readLastWindow(path: string, hosts: Hosts = HOSTS): RecordedSession {
  return followSession(hostOf(path, hosts), path, { isLastWindow: true }).read();
}

/** Usage only, in the host's fastest way. */
export function scanUsage(path: string, hosts: Hosts = HOSTS): UsageScan {
  const host = hostOf(path, hosts);
  if (host.scanUsage) return host.scanUsage(path);
  const accounts = createAccounts();
  const { tally } = host.openTranscript(path).read({ onEntry: (entry) => accounts.follow(entry) });
  return { ...accounts.close(), lines: { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed } };
}

export function hostOfListed({ client }: Pick<TranscriptFile, "client">, hosts: Hosts = HOSTS): Host {
  return hosts.find((host) => nameClient(host, hosts) === client) ?? hosts[0];
}

/** A client's name for people who use several; `undefined` for the first, whose sessions are the usual ones. */
export function nameClient(host: Host, [first]: Hosts = HOSTS): string | undefined {
  return host === first ? undefined : host.title;
}

function withClient(files: readonly TranscriptFile[], host: Host, hosts: Hosts): readonly TranscriptFile[] {
  const client = nameClient(host, hosts);
  return client === undefined ? files : files.map((file) => ({ ...file, client }));
}

/** Each list is sorted already. */
function sort(lists: readonly (readonly TranscriptFile[])[]): readonly TranscriptFile[] {
  const [only, ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return only ?? [];
  return lists.flat().sort((left, right) => right.modifiedMs - left.modifiedMs);
}
