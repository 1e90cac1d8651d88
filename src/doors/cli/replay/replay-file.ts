import { renderFailure } from "../../../core/render-failure.ts";
import { hostOf, readSession } from "../../../hosts/catalogue.ts";
import { POLICIES } from "../../../replay/catalogue.ts";
import { checkDollars, type DollarCheck } from "../../../replay/check-dollars.ts";
import { findNeeds } from "../../../replay/needs.ts";
import { type ReplayOutcome, toWalk, type Walk } from "../../../replay/outcome.ts";
import type { Briefing, Policy } from "../../../replay/policy.ts";
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
  const { recording, tally, entries, unfinishedBytes } = readSession(task.path);
  const brokenLines = tally.malformed + (unfinishedBytes > 0 ? 1 : 0);
  const root = entries.find(({ cwd }) => cwd)?.cwd ?? "";
  const { vocabulary, restoresFiles = false } = hostOf(task.path);
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
  const check = checkDollars(subject);
  const walks: Record<string, Walk> = {};
  const failures: Record<string, string> = {};
  const options = { marks: task.marks, clockMs: () => performance.now() };
  for (const name of task.policies) {
    const policy = policies.get(name);
    if (!policy) continue;
    try {
      walks[name] = toWalk(await policy.walk(subject, options));
    } catch (error) {
      failures[name] = renderFailure(error);
    }
  }
  const [first] = recording.steps;
  const firstRequest = `${first?.id} ${first?.atMs}`;
  return { kind: "walked", steps, windowTokens, firstRequest, check, walks, failures };
}

export interface KnownPolicy {
  readonly name: string;
  readonly about: string;
  readonly walk: (subject: Briefing, options: WalkOptions) => ReplayOutcome | Promise<ReplayOutcome>;
}

export function toKnown(policy: Policy): KnownPolicy {
  const { name, about } = policy;
  return { name, about, walk: (subject, options) => walkSession(subject, policy, options) };
}

export const KNOWN_POLICIES: KnownPolicies = new Map(POLICIES.map((policy) => [policy.name, toKnown(policy)]));
