import { readHead } from "../files/read-regular-file.ts";
import type { Baseline } from "./baseline.ts";
import { locateOwnHome } from "./claude-code/disk/projects.ts";
import { claudeCode } from "./claude-code/host.ts";
import { codex } from "./codex/host.ts";
import { copilot } from "./copilot/host.ts";
import { followMeasures, followSession, type RecordedSession, type TranscriptReading } from "./follow-transcript.ts";
import { gemini } from "./gemini/host.ts";
import type { Environment, Host, TranscriptFile, WireFormat } from "./host.ts";
import { openCode } from "./opencode/host.ts";
import { pi } from "./pi/host.ts";
import { createAccounts, type UsageScan } from "./usage.ts";

/** At least one: its home is where Plimsoll keeps its own data, and what no other host knows is read as its. */
export type Hosts = readonly [Host, ...Host[]];

/** Every client there is: a folder and a line here. */
export const HOSTS: Hosts = [claudeCode, codex, pi, openCode, copilot, gemini];

/** Whose words are taken for a request that does not say what client sent it: the first that sends such requests. */
export function hostOfWire(format: WireFormat): Host {
  return HOSTS.find(({ wireFormat }) => wireFormat === format) ?? HOSTS[0];
}

/** Whose file it is: opened once at most, and only where its place does not tell. */
export function hostOf(path: string, hosts: Hosts = HOSTS): Host {
  let head: string | undefined;
  return hosts.find((host) => host.isOwn(path, () => (head ??= readHead(path)))) ?? hosts[0];
}

export function findHost(name: string, hosts: Hosts = HOSTS): Host | undefined {
  return hosts.find((host) => host.name === name);
}

/** What the first of them that tells it puts into every request. */
export function requireBaseline(hosts: Hosts = HOSTS): Baseline {
  const baseline = hosts.find((host) => host.baseline)?.baseline;
  if (!baseline) throw new TypeError("none of these hosts has a baseline: add one to the host that is to be audited");
  return baseline;
}

/** Where Plimsoll keeps what it knows of all sessions: in one place, whichever client they ran in. */
export function locateHome(environment: Environment, [first]: Hosts = HOSTS): string {
  return first === claudeCode ? locateOwnHome(environment) : first.locateHome(environment);
}

/** Below a folder, or the file itself, each as its own host's; newest first. */
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
      return withClient(
        host.listTranscripts(root, isOwn).filter(({ path }) => isOwn(path)),
        host,
        hosts,
      );
    }),
  );
}

/** All that the clients keep. */
export function listAll(environment: Environment, hosts: Hosts = HOSTS): readonly TranscriptFile[] {
  return sort(hosts.map((host) => withClient(host.listTranscripts(host.locateTranscripts(environment)), host, hosts)));
}

/** Where all of it lies: one folder a client. */
export function locateAll(environment: Environment, hosts: Hosts = HOSTS): readonly string[] {
  return hosts.map((host) => host.locateTranscripts(environment));
}

/** Those of a project, without subagents'; newest first. */
export function listProject(
  environment: Environment,
  project: string,
  hosts: Hosts = HOSTS,
): readonly TranscriptFile[] {
  return sort(hosts.map((host) => host.listProject(environment, project)));
}

/** The sessions of all clients that can be resumed; `undefined` where one of them cannot tell. */
export function listSessions(environment: Environment, hosts: Hosts = HOSTS): ReadonlySet<string> | undefined {
  const all = hosts.map((host) => host.listSessions(environment));
  const known = all.filter((sessions) => sessions !== undefined);
  return known.length < all.length ? undefined : new Set(known.flatMap((sessions) => [...sessions]));
}

/** The session that a file is named after. */
export function nameSession(path: string, hosts: Hosts = HOSTS): string {
  return hostOf(path, hosts).nameSession(path);
}

/** A whole transcript, read once for whatever is asked about it. */
export function readSession(path: string, hosts: Hosts = HOSTS): RecordedSession {
  return followSession(hostOf(path, hosts), path).read();
}

/** The same without its contents, in bounded memory. */
export function readMeasures(path: string, hosts: Hosts = HOSTS): TranscriptReading {
  return followMeasures(hostOf(path, hosts), path).read();
}

/** The accounts alone, in the fastest way that its host has. */
export function scanUsage(path: string, hosts: Hosts = HOSTS): UsageScan {
  const host = hostOf(path, hosts);
  if (host.scanUsage) return host.scanUsage(path);
  const accounts = createAccounts();
  const { tally } = host.openTranscript(path).read({ onEntry: (entry) => accounts.follow(entry) });
  return { ...accounts.close(), lines: { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed } };
}

/** The client that recorded a listed file. */
export function hostOfListed({ client }: Pick<TranscriptFile, "client">, hosts: Hosts = HOSTS): Host {
  return hosts.find((host) => nameClient(host, hosts) === client) ?? hosts[0];
}

/** What a client is called for people who use several: nothing for the first, whose sessions are the usual ones. */
export function nameClient(host: Host, [first]: Hosts = HOSTS): string | undefined {
  return host === first ? undefined : host.title;
}

function withClient(files: readonly TranscriptFile[], host: Host, hosts: Hosts): readonly TranscriptFile[] {
  const client = nameClient(host, hosts);
  return client === undefined ? files : files.map((file) => ({ ...file, client }));
}

/** Each list is in order already. */
function sort(lists: readonly (readonly TranscriptFile[])[]): readonly TranscriptFile[] {
  const [only, ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return only ?? [];
  return lists.flat().sort((left, right) => right.modifiedMs - left.modifiedMs);
}
