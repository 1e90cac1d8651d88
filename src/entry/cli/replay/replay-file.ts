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

export interface FileTask {
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
export async function replayFile(task: FileTask, policies: KnownPolicies): Promise<FileAnswer> {
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
  const session = prepareSession({
    name: task.name,
    file: task.path,
    recording,
    brokenLines,
    root,
    vocabulary,
    restoresFiles,
  });
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
  return {
    name,
    about,
    lifeOf,
    ...(extras && { beside: extras }),
    walk: (subject, options) => walkSession(subject, policy, options),
  };
}

export const KNOWN_POLICIES: KnownPolicies = new Map(POLICIES.map((policy) => [policy.name, toKnown(policy)]));
