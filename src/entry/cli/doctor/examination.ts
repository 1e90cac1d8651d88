import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { groupBy } from "../../../core/group-by.ts";
import { listArtifactNames } from "../../../files/artifacts/artifact-folder.ts";
import { type Pruned, pruneEnded } from "../../../files/artifacts/prune-artifacts.ts";
import { nameFallback } from "../../../files/write-journal.ts";
import { HOSTS } from "../../../hosts/catalogue.ts";
import type { Host } from "../../../hosts/host.ts";
import { median, quantile } from "../../../measure/quantile.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import type { OwnAction } from "../../../policy/actions/own-action.ts";
import { describeRecalls } from "../../../policy/recall-rate.ts";
import { readHistory } from "../../../recorded/history.ts";
import { listJournals, type ReadActions, readJournals } from "../../../recorded/read-actions.ts";
import { readRecalls } from "../../../recorded/read-recalls.ts";
import { checkFiles, type PartCheck } from "../../gateway/start-check.ts";
import type { Invocation, Terminal } from "../command.ts";
import { describeConversations } from "../find-original.ts";
import type { Examined, Problem } from "../install/agents/agent.ts";
import { AGENTS } from "../install/agents/catalogue.ts";
import { readEngineNode } from "../install/engine-node.ts";
import { type Client, findProgram, parseVersion, runProgram } from "../install/find-client.ts";
import { readRecord } from "../install/installation-record.ts";
import {
  findLastSession,
  type Installed,
  listClassicEvents,
  listClosed,
  type OwnSettings,
  probeData,
  readInstalled,
  readOwnSettings,
} from "./read-installed.ts";

export interface Examination {
  readonly client: Client | undefined;
  readonly installed: Installed;
  readonly own: OwnSettings;
  /** Files that belong next to this program. */
  readonly files: readonly PartCheck[];
  readonly journal: RecentActions;
  readonly doors: readonly EntryPointEvent[];
  /** Events that the command hooks rely on and that have not been seen. */
  readonly unseen: readonly string[];
  readonly agents: readonly ExaminedAgent[];
  readonly fallback: RecentActions;
  readonly dataProblem: string | undefined;
  /** Folders of recorded sessions that may not be read, and what opens each. */
  readonly closed: readonly Problem[];
  /** The version of the `node` that the client would start; `undefined` if none is found. */
  readonly nodeVersion: string | undefined;
  /** Where `plimsoll install` found the engine's Node; `undefined` if the client looks on PATH. */
  readonly engineNode: string | undefined;
  /** The module's processes that run now. */
  readonly engines: readonly RunningEngine[];
  /** How often originals were fetched back after compactions, in words; empty if never counted. */
  readonly recalls: string;
  readonly installedAtMs: number | undefined;
  readonly lastSessionMs: number | undefined;
  /** Session files that the client has deleted and whose sums are kept. */
  readonly goneFiles: number;
  /** Originals in this project whose conversations can no longer be resumed. */
  readonly leftOver: Pick<Pruned, "removed" | "freedBytes">;
}

const PROGRAM = fileURLToPath(import.meta.url);

const NODE_TIMEOUT_MS = 10_000;

export async function examine({ values }: Invocation, terminal: Terminal): Promise<Examination> {
  const installed = readInstalled(terminal);
  const { configFolder } = installed;
  const journal = readRecentActions(configFolder);
  const entryPoints = summariseEntryPoints(journal.actions);
  const isClassic = installed.plugins.includes("classic") || installed.hasSettingsHooks;
  const hasModule = installed.plugins.includes("module");
  const engineNode = hasModule && !isClassic ? readEngineNode(configFolder) : undefined;
  const isUnseen = (name: string): boolean => !entryPoints.some(({ door, event }) => door === "hook" && event === name);
  return {
    client: await findProgram("claude", values.get("program"), terminal),
    installed,
    own: readOwnSettings(configFolder, terminal.directory),
    // When run from its sources, nothing is built and nothing is missing.
    files: PROGRAM.endsWith(".cjs") ? checkFiles(path.dirname(PROGRAM)) : [],
    journal,
    doors: entryPoints,
    unseen: isClassic && installed.root !== undefined ? listClassicEvents(installed.root).filter(isUnseen) : [],
    agents: await examineAgents(terminal, entryPoints),
    fallback: readFallback(terminal.environment, process.getuid?.() ?? 0),
    dataProblem: probeData(configFolder),
    closed: listClosed(terminal),
    nodeVersion: isClassic || engineNode !== undefined || hasModule ? await findNode(terminal, engineNode) : undefined,
    engineNode,
    engines: hasModule ? await findEngines(terminal) : [],
    recalls: describeRecalls(readRecalls(configFolder)),
    installedAtMs: readRecord(configFolder)?.atMs,
    lastSessionMs: findLastSession(configFolder),
    goneFiles: readHistory(terminal.environment).files.filter(({ machine }) => machine === "").length,
    leftOver: pruneEnded(describeConversations(terminal), true),
  };
}

async function findNode(terminal: Terminal, noted: string | undefined): Promise<string | undefined> {
  const folders = (terminal.environment.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const name = process.platform === "win32" ? "node.exe" : "node";
  const places = noted === undefined ? folders.map((folder) => path.join(folder, name)) : [noted];
  const node = places.find((file) => existsSync(file));
  if (node === undefined) return undefined;
  const { output } = await runProgram(node, ["--version"], { terminal, timeoutMs: NODE_TIMEOUT_MS });
  return parseVersion(output.replace("v", ""));
}

interface RunningEngine {
  readonly pid: number;
  readonly bytes: number;
}

/** By their command lines. Where there is no `ps`, none is found. */
async function findEngines(terminal: Terminal): Promise<readonly RunningEngine[]> {
  const words = ["-axo", "pid=,rss=,args="];
  const { isDone, output } = await runProgram("ps", words, { terminal, timeoutMs: NODE_TIMEOUT_MS });
  if (!isDone) return [];
  return output.split("\n").flatMap((line) => {
    const [, pid, kilobytes] = /^\s*(\d+)\s+(\d+)\s.*[\\/]engine[\\/]engine\.cjs$/.exec(line.trimEnd()) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), bytes: Number(kilobytes) * 1024 }];
  });
}

/** Enough to judge by, and bounded for people with many sessions. */
const MAX_SESSIONS = 20;
const MAX_BYTES = 256 * 1024;

interface RecentActions extends ReadActions {
  readonly sessions: number;
}

function readRecentActions(configFolder: string): RecentActions {
  const root = path.join(locateData(configFolder), "sessions");
  const readTime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = listArtifactNames(root)
    .map((name) => listJournals(path.join(root, name)))
    .map((journals) => ({ journals, atMs: Math.max(...journals.map(readTime)) }))
    .filter(({ atMs }) => atMs > 0)
    .sort((left, right) => right.atMs - left.atMs)
    .slice(0, MAX_SESSIONS);
  const files = newest.flatMap(({ journals }) => journals);
  return { ...readJournals(files, MAX_BYTES), sessions: newest.length };
}

/** What could not be written to its proper place. Everyone can write to the temporary folder, so only our own files are trusted. */
function readFallback({ TMPDIR, HOME }: Terminal["environment"], uid: number): RecentActions {
  const file = path.join(TMPDIR || tmpdir(), `plimsoll-${uid}`, nameFallback(HOME));
  const isOwn = process.getuid === undefined || statSync(file, { throwIfNoEntry: false })?.uid === uid;
  return { ...readJournals(isOwn ? [file] : [], MAX_BYTES), sessions: 0 };
}

/** One event at one of the two entry points, over the examined sessions. */
export interface EntryPointEvent {
  readonly door: string;
  readonly event: string;
  /** It ran, and nothing has failed since. */
  readonly isAlive: boolean;
  readonly runs: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  /** When it last did something, and in which client. */
  readonly lastAtMs: number;
  readonly client: string;
  readonly failures: number;
  readonly lastFailure: EntryPointNote | null;
  readonly ignored: number;
  readonly lastIgnored: EntryPointNote | null;
  readonly declined: number;
  readonly lastDeclined: EntryPointNote | null;
}

interface EntryPointNote {
  readonly why: string;
  readonly atMs: number;
}

function summariseEntryPoints(actions: readonly OwnAction[]): readonly EntryPointEvent[] {
  const groups = groupBy(actions, ({ door, event }) => `${door}\n${event}`);
  return [...groups].sort(([left], [right]) => (left < right ? 1 : -1)).map(([, group]) => summarise(group));
}

const ACTED: readonly OwnAction["kind"][] = ["folded", "injected", "compacted", "receipt", "signal", "blocked"];

function summarise(actions: readonly OwnAction[]): EntryPointEvent {
  const last = actions.at(-1);
  // Hooks record every run. The module records only what it did, so there an action counts as a run; only compactions have a duration.
  const ran = actions.filter(({ kind }) => kind === "ran");
  const runs = ran.length > 0 ? ran : actions.filter(({ kind }) => ACTED.includes(kind));
  const times = runs.flatMap((action) =>
    (action.kind === "ran" || action.kind === "compacted") && Number.isFinite(action.ms) ? [action.ms] : [],
  );
  const failures = listNotes(actions, "failed");
  const ignored = listNotes(actions, "ignored");
  const declined = listNotes(actions, "declined");
  const lastRun = runs.at(-1);
  return {
    door: String(last?.door ?? ""),
    event: last?.event ?? "",
    isAlive: lastRun !== undefined && lastRun.atMs >= (failures.at(-1)?.atMs ?? 0),
    runs: runs.length,
    medianMs: median(times) ?? null,
    p95Ms: quantile(times, 0.95) ?? null,
    lastAtMs: last?.atMs ?? 0,
    client: String(actions.findLast(({ client }) => client)?.client ?? ""),
    failures: failures.length,
    lastFailure: failures.at(-1) ?? null,
    ignored: ignored.length,
    lastIgnored: ignored.at(-1) ?? null,
    declined: declined.length,
    lastDeclined: declined.at(-1) ?? null,
  };
}

function listNotes(actions: readonly OwnAction[], kind: "failed" | "ignored" | "declined"): readonly EntryPointNote[] {
  return actions.flatMap((action) => {
    if (action.kind !== kind || !("why" in action)) return [];
    const what = "what" in action ? `${action.what}: ` : "";
    return [{ why: `${what}${action.why}`, atMs: action.atMs }];
  });
}

export interface ExaminedAgent extends Examined {
  readonly name: string;
  readonly title: string;
  readonly program: Client | undefined;
  /** How often its hooks ran in the newest sessions, and when last; `undefined` if it has no hooks of its own. */
  readonly runs: { readonly count: number; readonly lastAtMs: number } | undefined;
  readonly impossible: readonly string[];
}

/** Every client except Claude Code whose program or folder exists. */
async function examineAgents(terminal: Terminal, entryPoints: readonly EntryPointEvent[]) {
  const all = await Promise.all(HOSTS.slice(1).map((host) => examineAgent(host, terminal, entryPoints)));
  return all.filter((agent) => agent !== undefined);
}

async function examineAgent(
  host: Host,
  terminal: Terminal,
  entryPoints: readonly EntryPointEvent[],
): Promise<ExaminedAgent | undefined> {
  const { name, title } = host;
  const program = await findProgram(host.program, undefined, terminal);
  const home = host.locateHome(terminal.environment);
  if (program === undefined && !existsSync(home)) return undefined;
  const agent = AGENTS.find((one) => one.name === name);
  const found = { name, title, program };
  if (agent === undefined)
    return {
      ...found,
      isInstalled: false,
      what: "Plimsoll reads this agent's sessions",
      runs: undefined,
      impossible: [
        "Plimsoll does not run inside this agent",
        ...(host.recordsUsage === false ? ["sizes and costs are unknown, because this agent records no usage"] : []),
      ],
      problems: [],
    };
  const { isInstalled, what, problems } = agent.examine({ terminal, program });
  const own = entryPoints.filter(({ door }) => door === name);
  const count = own.reduce((sum, { runs }) => sum + runs, 0);
  const lastAtMs = Math.max(0, ...own.map((one) => one.lastAtMs));
  const runs = name === "codex" && isInstalled ? { count, lastAtMs } : undefined;
  const isSilent = runs?.count === 0 && host.listTranscripts(host.locateTranscripts(terminal.environment)).length > 0;
  const neverRan = {
    what: `the plugin is switched on in ${title}, but no session has run its hooks`,
    fix: `start ${title} in a terminal and accept the hooks when it asks, or open /hooks there`,
  };
  const all = isSilent ? [...problems, neverRan] : problems;
  return { ...found, isInstalled, what, runs, impossible: agent.impossible, problems: all };
}
