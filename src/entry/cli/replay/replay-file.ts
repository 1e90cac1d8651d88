import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { parentPort, Worker } from "node:worker_threads";
import { renderFailure } from "../../../core/render-failure.ts";
import { readContents } from "../../../hosts/catalogue.ts";
import type { RecordedContents } from "../../../hosts/follow-transcript.ts";
import { judgeCompaction, listCompactions } from "../../../recorded/list-compactions.ts";
import { POLICIES } from "../../../replay/catalogue.ts";
import { checkDollars, type DollarCheck } from "../../../replay/check-dollars.ts";
import { findNeeds } from "../../../replay/needs.ts";
import type { SummaryLoss } from "../../../replay/outcome.ts";
import { type ReplayOutcome, toWalk, type Walk } from "../../../replay/outcome.ts";
import type { Briefing, Policy } from "../../../replay/policy.ts";
import { REFERENCE } from "../../../replay/policy-names.ts";
import { prepareSession } from "../../../replay/prepare-session.ts";
import type { Marks } from "../../../replay/prompt-cache.ts";
import { type WalkOptions, walkSession } from "../../../replay/walk-session.ts";

interface FileTask {
  readonly path: string;
  readonly name: string;
  readonly policies: readonly string[];
  readonly marks: Marks;
}

/** The result of one file: plain data that can be passed between threads and cached. */
export type FileAnswer =
  | { readonly kind: "leftOut"; readonly why: string }
  /** Says nothing about the session: it could not be read this time. */
  | { readonly kind: "failed"; readonly why: string }
  | {
      readonly kind: "walked";
      readonly steps: number;
      readonly windowTokens: number;
      /** The id and time of its first request, which a resumed session repeats. */
      readonly firstRequest: string;
      readonly check: DollarCheck;
      /** What the summaries of the client itself lost; absent if it wrote none. */
      readonly loss?: SummaryLoss | undefined;
      readonly walks: Readonly<Record<string, Walk>>;
      /** The message of each policy that threw. */
      readonly failures: Readonly<Record<string, string>>;
    };

type KnownPolicies = ReadonlyMap<string, KnownPolicy>;

/** Replays one file under some policies. Never throws: an error is part of the result. */
async function replayFile(task: FileTask, policies: KnownPolicies): Promise<FileAnswer> {
  try {
    return await replay(task, policies);
  } catch (error) {
    return { kind: "failed", why: `cannot be replayed: ${renderFailure(error)}` };
  }
}

async function replay(task: FileTask, policies: KnownPolicies): Promise<FileAnswer> {
  const recorded = readContents(task.path);
  const { recording, tally, entries, unfinishedBytes } = recorded;
  const brokenLines = tally.malformed + (unfinishedBytes > 0 ? 1 : 0);
  const root = entries.find(({ cwd }) => cwd)?.cwd ?? "";
  const { vocabulary, restoresFiles = false, setsCacheLife = false } = recorded.host;
  const about = { name: task.name, file: task.path, recording, brokenLines, root };
  const session = prepareSession({ ...about, vocabulary, restoresFiles });
  if ("why" in session) return { kind: "leftOut", why: session.why };
  const { windowTokens } = session;
  const steps = session.steps.length;
  const subject = { session, needs: findNeeds(session) };
  const options = { marks: task.marks, clockMs: () => performance.now() };
  const { check, walk } = checkDollars(subject, options);
  const isWalked = task.marks === "client" && task.policies.includes(REFERENCE);
  const walks: Record<string, Walk> = isWalked ? { [REFERENCE]: toWalk(walk) } : {};
  const failures: Record<string, string> = {};
  for (const name of task.policies) {
    const named = policies.get(name);
    const policy = setsCacheLife ? named : (policies.get(named?.lifeOf ?? name) ?? named);
    if (!policy) continue;
    try {
      walks[name] ??= walks[policy.name] ?? toWalk(await policy.walk(subject, options));
    } catch (error) {
      failures[name] = renderFailure(error);
    }
  }
  const [first] = recording.steps;
  const firstRequest = `${first?.id} ${first?.atMs}`;
  return { kind: "walked", steps, windowTokens, firstRequest, check, loss: findLoss(recorded), walks, failures };
}

function findLoss(recorded: RecordedContents): SummaryLoss | undefined {
  const { events } = recorded;
  if (!events.some((event) => event.kind === "compaction" || (event.kind === "arrival" && event.source === "summary")))
    return undefined;
  let [summaries, facts, lost] = [0, 0, 0];
  for (const compaction of listCompactions(recorded)) {
    const receipt = judgeCompaction(compaction);
    summaries++;
    facts += receipt.held + receipt.paraphrased + receipt.lost.length;
    lost += receipt.lost.length;
  }
  return summaries > 0 ? { summaries, facts, lost } : undefined;
}

export interface KnownPolicy extends Pick<Policy, "name" | "about" | "lifeOf" | "beside"> {
  readonly walk: (subject: Briefing, options: WalkOptions) => ReplayOutcome | Promise<ReplayOutcome>;
}

export function toKnown(policy: Policy): KnownPolicy {
  const { name, about, lifeOf = name, beside: extras } = policy;
  const walk: KnownPolicy["walk"] = (subject, options) => walkSession(subject, policy, options);
  return { name, about, lifeOf, ...(extras && { beside: extras }), walk };
}

export const KNOWN_POLICIES: KnownPolicies = new Map(POLICIES.map((policy) => [policy.name, toKnown(policy)]));

export interface Replaying {
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  /** The module from which threads load further policies. */
  readonly module: string | undefined;
  isOver(): boolean;
  /** Called in any order. */
  onAnswer(index: number, answer: FileAnswer): void;
}

/** Absent if the program runs from its sources: then everything happens in this thread. */
export function locateWorker(): string | undefined {
  const worker = fileURLToPath(new URL("./replay-worker.cjs", import.meta.url));
  return existsSync(worker) ? worker : undefined;
}

/**
 * How much code of a function runs before V8 optimises it; twelve times its own measure. A replay is over before most of that has paid for
 * itself: compiling, in each thread anew, took a third of its processor time.
 */
const OPTIMISE_LATER = "--interrupt-budget=1600000";
/** Another version may know it by another name, and would say so on the screen. */
const KNOWS_IT = /^v2[0-4]\./;

/** Replays the tasks on all cores in the given order. Give the largest first for an even load. */
export async function replayInThreads(tasks: readonly FileTask[], replaying: Replaying): Promise<void> {
  const worker = locateWorker();
  // Only where the process is a replay's own: from the sources it may go on with other work.
  if (worker !== undefined && KNOWS_IT.test(process.version)) setFlagsFromString(OPTIMISE_LATER);
  const threads = Math.min(availableParallelism(), tasks.length);
  if (worker === undefined || threads < 2) {
    for (const [index, task] of tasks.entries()) {
      if (replaying.isOver()) return;
      replaying.onAnswer(index, await replayFile(task, replaying.policies));
      // Lets the bar be drawn and an interrupt be handled between two files.
      await new Promise(setImmediate);
    }
    return;
  }
  const queue = tasks.entries();
  await Promise.all(Array.from({ length: threads }, () => workThrough(queue, worker, replaying)));
}

/** A thread that dies loses only its current file, which is reported, and is replaced. */
async function workThrough(
  queue: Iterable<[number, FileTask]>,
  worker: string,
  { module, onAnswer, isOver }: Replaying,
): Promise<void> {
  let thread: Worker | undefined;
  for (const [index, task] of queue) {
    if (isOver()) break;
    thread ??= new Worker(worker, { workerData: module });
    try {
      onAnswer(index, await ask(thread, task));
    } catch (error) {
      const why = `the thread that replayed this session ended: ${renderFailure(error)}`;
      onAnswer(index, { kind: "failed", why });
      await thread.terminate();
      thread = undefined;
    }
  }
  await thread?.terminate();
}

function ask(thread: Worker, task: FileTask): Promise<FileAnswer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number): void => reject(new Error(`exit status ${code}`));
    thread.once("error", reject);
    thread.once("exit", onExit);
    thread.once("message", (answer: FileAnswer) => {
      thread.off("error", reject);
      thread.off("exit", onExit);
      resolve(answer);
    });
    thread.postMessage(task);
  });
}

export function answerTasks(known: Replaying["policies"] | Promise<Replaying["policies"]>): void {
  parentPort?.on("message", async (task: FileTask) => {
    const policies = await known;
    parentPort?.postMessage(await replayFile(task, policies));
  });
}
