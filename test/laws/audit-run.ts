import type { ApiRequest } from "../api/api-request.ts";
import type { Violation } from "../api/validate-messages.ts";
import { validateRequest } from "../api/validate-request.ts";
import { createTruthChecker } from "./check-truth.ts";
import { type Fetched, fetchHandles, type Recall } from "./fetch-handles.ts";
import { createFollower } from "./follow-things.ts";
import { listSteps, type Step } from "./list-steps.ts";
import { createResolver, type Resolved } from "./resolve-reading.ts";
import { splitConversations } from "./split-conversations.ts";
import { pictureKey, textKey } from "./things.ts";
import { excerptOf, type InvalidRequest, type Missing, type Untruth, type Verdict } from "./verdict.ts";
import { createAnswerChecker } from "./whole-answers.ts";

export interface AuditOptions {
  /** Who answers compactions: where the client does, what its summary leaves out is its own affair. `plimsoll` unless told. */
  readonly summarises?: "plimsoll" | "client";
  /** Who answers subagents' compactions; the client unless told. */
  readonly summarisesSubagents?: "plimsoll" | "client";
  /** Whether a person may have gone back and taken something away with it. They may unless told. */
  readonly mayRewind?: boolean;
  /** What a person gave, in words or as the base64 of a picture: each must have stood in some request. */
  readonly given?: readonly string[];
}

export interface Audit {
  /** As the scripted API logs them, all lanes. */
  readonly requests: readonly ApiRequest[];
  readonly recall: Recall;
  readonly options?: AuditOptions;
}

/** Checks the laws of conservation and truth, and the validity of every request, on the log of a run. */
export async function auditRun({ requests, recall, options = {} }: Audit): Promise<Verdict> {
  const logs = splitConversations(requests);
  const conversations = logs.map((log) => ({
    steps: listSteps(log, options.mayRewind ?? true),
    mayForget: (log.isSubagent ? (options.summarisesSubagents ?? "client") : options.summarises) === "client",
  }));
  const readings = conversations.flatMap(({ steps }) => steps.flatMap(({ fresh }) => fresh));
  const fetched = await fetchHandles(
    readings.flatMap(({ handles }) => handles.map(({ handle }) => handle)),
    recall,
  );
  const resolve = createResolver(fetched);
  const audits = conversations.map(({ steps, mayForget }) => auditSteps(steps, { fetched, resolve, mayForget }));
  const sum = (pick: (audit: ConversationAudit) => number): number => audits.reduce((all, one) => all + pick(one), 0);
  const stood = new Set(readings.flatMap((reading) => reading.things.map(({ key }) => key)));
  return {
    requests: requests.length,
    followed: sum(({ total }) => total.followed),
    inView: sum(({ total }) => total.inView),
    behindHandles: sum(({ total }) => total.behind),
    takenBack: sum(({ total }) => total.released),
    handlesFetched: [...fetched.values()].filter((recalled) => recalled !== undefined).length,
    missing: [...findUngiven(options.given ?? [], stood), ...audits.flatMap(({ missing }) => missing)],
    untrue: audits.flatMap(({ untrue }) => untrue),
    invalid: listInvalid(requests, new Map(audits.flatMap(({ violations }) => violations))),
    prefixBreaks: conversations
      .flatMap(({ steps }) => steps.filter(({ kind }) => kind !== "begun" && kind !== "grown"))
      .map(({ index }) => index),
  };
}

interface ConversationAudit {
  readonly missing: readonly Missing[];
  readonly untrue: readonly Untruth[];
  readonly violations: readonly (readonly [request: number, violations: readonly Violation[]])[];
  readonly total: ReturnType<ReturnType<typeof createFollower>["total"]>;
}

interface Surroundings {
  readonly fetched: Fetched;
  readonly resolve: (reading: Step["fresh"][number]) => Resolved;
  readonly mayForget: boolean;
}

function auditSteps(steps: readonly Step[], { fetched, resolve, mayForget }: Surroundings): ConversationAudit {
  const follower = createFollower();
  const truth = createTruthChecker(fetched);
  const checkAnswers = createAnswerChecker();
  const missing: Missing[] = [];
  const untrue: Untruth[] = [];
  const violations: (readonly [number, readonly Violation[]])[] = [];
  const unfetched = new Set<string>();
  for (const step of steps) {
    const { index, kind } = step;
    const [dropped, fresh] = [step.dropped.map(resolve), step.fresh.map(resolve)];
    follower.update(dropped, fresh);
    if (kind === "rewound") follower.release(dropped);
    if (kind === "returned" || (kind === "summarised" && mayForget)) follower.releaseGone();
    missing.push(...follower.findGone(dropped, index));
    follower.follow(fresh, index, kind === "begun" || kind === "grown" || kind === "rewound");
    for (const handle of listUnfetched(step, fetched)) {
      if (unfetched.has(handle)) continue;
      unfetched.add(handle);
      missing.push({ what: "handle", excerpt: handle, firstSeen: index, goneAt: index });
    }
    const checked = truth.check(step);
    untrue.push(...checked.untrue, ...checkAnswers(step));
    if (checked.violations.length > 0) violations.push([index, checked.violations]);
  }
  return { missing, untrue, violations, total: follower.total() };
}

/** Ours, and nothing is kept under them. A call whose result is still in view has not been put away yet. */
function listUnfetched({ fresh }: Step, fetched: Fetched): readonly string[] {
  const shown = fresh.flatMap(({ things }) => things.flatMap(({ callId }) => callId ?? []));
  const isShown = (handle: string): boolean =>
    handle.startsWith("call:") && shown.some((callId) => callId.endsWith(handle.slice("call:".length)));
  return fresh
    .flatMap(({ handles }) => handles)
    .filter(({ handle, isOurs }) => isOurs && fetched.get(handle) === undefined && !isShown(handle))
    .map(({ handle }) => handle);
}

function findUngiven(given: readonly string[], stood: ReadonlySet<string>): readonly Missing[] {
  return given
    .filter((given) => !stood.has(textKey(given)) && !stood.has(pictureKey(given)))
    .map((text) => ({ what: "prompt", excerpt: excerptOf(text), firstSeen: -1, goneAt: -1 }));
}

function listInvalid(
  requests: readonly ApiRequest[],
  more: ReadonlyMap<number, readonly Violation[]>,
): readonly InvalidRequest[] {
  return requests.flatMap(({ body }, request) => {
    const violations = [...validateRequest(body), ...(more.get(request) ?? [])];
    return violations.length === 0 ? [] : [{ request, violations }];
  });
}
