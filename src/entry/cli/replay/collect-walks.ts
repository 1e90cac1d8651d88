import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { hostOfListed, locateHome } from "../../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { keepOwnFile } from "../../../recorded/own-data.ts";
import { explainLeftOut, type NamedCheck } from "../../../replay/check-dollars.ts";
import type { WalkedSession } from "../../../replay/outcome.ts";
import type { Marks } from "../../../replay/prompt-cache.ts";
import type { LeftOut } from "../../../replay/session.ts";
import type { Terminal } from "../command.ts";
import { createProgress } from "../print/progress.ts";
import { type FileAnswer, locateWorker, type Replaying, replayInThreads } from "./replay-file.ts";

export interface ReplayRequest extends Pick<Replaying, "policies" | "module"> {
  readonly marks: Marks;
  /** Whether to ignore the results of earlier runs. */
  readonly isFresh: boolean;
  /** Whether to leave out a session whose simulation is far from its bill; the lab includes all. */
  readonly isHeldToBill: boolean;
  /** After this time no further session is started; the next run continues. */
  readonly mostMs?: number;
  /** From 0 to 1, after every file. */
  onProgress?(share: number): void;
}

export interface CollectedWalks {
  readonly sessions: readonly WalkedSession[];
  readonly checks: readonly NamedCheck[];
  readonly leftOut: readonly LeftOut[];
  /** Files that the time did not suffice for. */
  readonly waiting: number;
}

/** Replays every file under every requested policy, sorted by name. Results of earlier runs are reused. */
export async function collectWalks(
  files: readonly TranscriptFile[],
  request: ReplayRequest,
  terminal: Terminal,
): Promise<CollectedWalks> {
  const store = openReplayStore(request, terminal);
  const jobs = nameSessions(files).map(({ name, file }) => {
    const known = request.isFresh ? undefined : store.find(file);
    return { name, file, known, missing: listMissing(known, [...request.policies.keys()]) };
  });
  const answers = new Map<string, FileAnswer>();
  const { marks, mostMs = Number.POSITIVE_INFINITY } = request;
  const first = request.mostMs === undefined ? "bytes" : "modifiedMs";
  const due = jobs
    .filter(({ missing }) => missing.length > 0)
    .sort((left, right) => right.file[first] - left.file[first]);
  const progress = createProgress(terminal, "Replaying sessions");
  const startedMs = terminal.nowMs();
  const totalBytes = due.reduce((sum, { file }) => sum + file.bytes, 0);
  let doneBytes = 0;
  const tasks = due.map(({ name, file, missing }) => ({ path: file.path, name, policies: missing, marks }));
  const stopDrawing = progress.keepDrawing(() => [doneBytes, totalBytes]);
  await replayInThreads(tasks, {
    ...request,
    isOver: () => terminal.nowMs() - startedMs > mostMs,
    onAnswer(index, answer) {
      const job = due[index];
      if (!job) return;
      const whole = addKnown(answer, job.known);
      answers.set(job.name, whole);
      // A failure is not kept, so that the next run tries again.
      if (whole.kind !== "failed") store.put(job.file, whole);
      doneBytes += job.file.bytes;
      progress.advance(doneBytes, totalBytes);
      request.onProgress?.(totalBytes > 0 ? doneBytes / totalBytes : 1);
    },
  });
  stopDrawing();
  progress.finish();
  const named = jobs.flatMap(({ name, file, known, missing }) => {
    const answer = answers.get(name) ?? (missing.length === 0 ? known : undefined);
    return answer ? [{ name, file, answer }] : [];
  });
  return { ...sortOut(named, request), waiting: jobs.length - named.length };
}

/** The policies still to be replayed; none if it is known that the file cannot be. */
function listMissing(known: RememberedReplay | undefined, policies: readonly string[]): readonly string[] {
  if (known?.kind === "leftOut") return [];
  return policies.filter((name) => !known?.walks[name]);
}

function addKnown(answer: FileAnswer, known: RememberedReplay | undefined): FileAnswer {
  if (answer.kind !== "walked" || known?.kind !== "walked") return answer;
  return { ...answer, walks: { ...known.walks, ...answer.walks } };
}

interface NamedAnswer {
  readonly name: string;
  readonly file: TranscriptFile;
  readonly answer: FileAnswer;
}

function sortOut(answers: readonly NamedAnswer[], request: ReplayRequest): Omit<CollectedWalks, "waiting"> {
  const longest = findLongest(answers);
  const counted: (WalkedSession & NamedCheck)[] = [];
  const leftOut: LeftOut[] = [];
  for (const named of answers) {
    const { name, file, answer } = named;
    const why = findReason(named, request, longest);
    if (why !== undefined) leftOut.push({ name, why });
    else if (answer.kind === "walked") {
      const { steps, windowTokens, check, loss } = answer;
      const whose = { repository: file.project, client: hostOfListed(file).title, recordedUsd: check.billedUsd };
      const walks = Object.entries(answer.walks).filter(([policy]) => request.policies.has(policy));
      counted.push({ name, path: file.path, ...whose, loss, steps, windowTokens, check, walks: new Map(walks) });
    }
  }
  const reasons = request.isHeldToBill ? explainLeftOut(counted) : new Map<string, string>();
  for (const [name, why] of reasons) leftOut.push({ name, why });
  const kept = counted.filter(({ name }) => !reasons.has(name));
  return { sessions: kept.map(({ check: _, path: __, ...session }) => session), checks: kept, leftOut };
}

/** A resumed session repeats earlier requests: of sessions with the same first request only the longest counts. */
function findLongest(answers: readonly NamedAnswer[]) {
  const longest = new Map<string, { readonly name: string; readonly steps: number }>();
  for (const { name, answer } of answers) {
    if (answer.kind !== "walked") continue;
    const { firstRequest, steps } = answer;
    if (steps > (longest.get(firstRequest)?.steps ?? 0)) longest.set(firstRequest, { name, steps });
  }
  return longest;
}

/** A session that fails under one policy is left out of all totals, because totals over different sessions do not compare. */
function findReason(
  { name, answer }: NamedAnswer,
  request: ReplayRequest,
  longest: ReturnType<typeof findLongest>,
): string | undefined {
  if (answer.kind !== "walked") return answer.why;
  const same = longest.get(answer.firstRequest)?.name ?? name;
  if (same !== name) return `duplicate: starts with the same request as ${same}, and that session is at least as long`;
  const failed = [...request.policies.keys()].find((policy) => !answer.walks[policy]);
  return failed && `${failed} failed: ${answer.failures[failed] ?? "reason unknown"}`;
}

/** Names each file by its path below the common folder, with slashes on every system, sorted by name. */
function nameSessions(files: readonly TranscriptFile[]) {
  const split = files.map((file) => ({ file, segments: path.resolve(file.path).split(path.sep) }));
  const [first] = split;
  let common = 0;
  const isCommon = (at: number): boolean =>
    split.every(({ segments }) => at < segments.length - 1 && segments[at] === first?.segments[at]);
  while (first && isCommon(common)) common++;
  return split
    .map(({ file, segments }) => ({ name: segments.slice(common).join("/"), file }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** A result for a file that has not changed since this same program replayed it. */
type RememberedReplay = Exclude<FileAnswer, { readonly kind: "failed" }>;

interface ReplayStore {
  find(file: TranscriptFile): RememberedReplay | undefined;
  put(file: TranscriptFile, remembered: RememberedReplay): void;
}

const FORMAT = 4;
/** A file may be written twice within the same tick of its file time. */
const SETTLED_MS = 2000;

/**
 * One file per session, written as soon as the session is done, so that an interrupted run can continue. It is only a cache: an
 * unreadable file is replayed again, and a failed write is ignored. Programs are told apart by their bytes, not their version: a
 * figure must never come from other code than the one that prints it; so nothing is remembered where a module adds policies.
 */
function openReplayStore({ marks, module }: ReplayRequest, terminal: Terminal): ReplayStore {
  const worker = locateWorker();
  if (worker === undefined || module !== undefined) return { find: () => undefined, put: () => undefined };
  const program = sha256(readFileSync(worker)).slice(0, 32);
  const folder = path.join(locateHome(terminal.environment), "data", "plimsoll", "replay");
  const place = (file: TranscriptFile): string =>
    path.join(folder, `${sha256(path.resolve(file.path)).slice(0, 32)}.json`);
  const identify = ({ path: name, bytes, modifiedMs }: TranscriptFile) => {
    return { format: FORMAT, program, marks, path: path.resolve(name), bytes, modifiedMs };
  };
  /** The program's hash vouches for the shape of what it wrote. */
  const isOf = (file: TranscriptFile, stored: unknown): stored is RememberedReplay =>
    isObject(stored) && Object.entries(identify(file)).every(([key, value]) => stored[key] === value);
  return {
    find(file) {
      try {
        const stored: unknown = JSON.parse(readFileSync(place(file), "utf8"));
        return isOf(file, stored) ? stored : undefined;
      } catch {
        return undefined;
      }
    },
    put(file, remembered) {
      if (terminal.nowMs() - file.modifiedMs < SETTLED_MS) return;
      keepOwnFile(place(file), JSON.stringify({ ...identify(file), ...remembered }));
    },
  };
}
