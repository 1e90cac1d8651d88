import { isChange, isUnfinished, type Outcome } from "../action.ts";
import { type ClosingFacts, isAwaiting } from "../closing.ts";
import { normalizePath } from "../file-path.ts";
import type { HappeningOf, Tracker } from "../happening.ts";
import { isTestCommand, readTestOutcome } from "../test-command.ts";
import {
  decideEnding,
  type Episode,
  isDelivery,
  MAX_CLOSING_CHARACTERS,
  reportsProblem,
  statesGoal,
} from "./episode-ending.ts";
import { addsProblem, isContinuation } from "./episode-rules.ts";

const MAX_EPISODES = 500;
const MAX_ASKED_CHARACTERS = 300;
const MAX_FILES = 100;
const MAX_COMMITS = 20;
/** With this many files of its own an episode is separate work. */
const SOON_FILES = 3;
/** The command itself, not a hook or a setting named after it. */
const COMMIT = /(?:^|[\s;&|(])git(?:\s-[cC]\s?\S{1,200}){0,4}\s{1,3}commit(?=\s|$)/;
const COMMITTED = /\[[^\]\n]{1,200} [0-9a-f]{4,40}\]|\b\d{1,6} files? changed\b/;
const AMENDS = /\bcommit\b[^;&|]{0,200}--(?:amend|fixup)/;

/** Prompts open an episode, files and commits show where it continues or ends, and the model's last words give its status. */
export function createEpisodeTracker(saved: readonly Episode[] = []): Tracker<readonly Episode[]> {
  const episodes = [...saved];

  const change = (update: Partial<Episode>): void => {
    const last = episodes.pop();
    if (last) episodes.push({ ...last, ...update });
  };

  /** What was unanswered or interrupted has been skipped; what it achieved stays done. */
  const settle = (episode: Episode | undefined, evidence: string): void => {
    if (!episode || !isUnfinished(episode)) return;
    const status = hasResult(episode) ? "done" : "dropped";
    episodes.splice(episodes.indexOf(episode), 1, { ...episode, status, evidence });
  };

  const begin = (happening: HappeningOf<"asked">): void => {
    const { text, request } = happening;
    const last = episodes.at(-1);
    const firstAsked = text.trim().slice(0, MAX_ASKED_CHARACTERS);
    const evidence = `request:${request}`;
    const asked = {
      askedRequest: request,
      lastAsked: firstAsked,
      status: "active",
      evidence,
      isInterrupted: false,
    } as const;
    const [hasTrouble, hasGoal] = [reportsProblem(text), statesGoal(text)];
    if (last && isContinuation(last, happening)) {
      change({
        ...asked,
        followUps: last.followUps + 1,
        closing: "",
        hasTrouble: hasTrouble || (last.hasTrouble && last.status !== "done"),
        hasGoal: hasGoal || last.hasGoal,
      });
      return;
    }
    const isSetAside = last?.hasTrouble === true && addsProblem(text);
    settle(episodes.at(-2), evidence);
    if (!isSetAside) settle(last, evidence);
    episodes.push({
      ...asked,
      id: `episode:${(Number(last?.id.slice("episode:".length)) || 0) + 1}`,
      firstAsked,
      startRequest: request,
      endRequest: request,
      files: [],
      commits: [],
      followUps: 0,
      closing: "",
      changedRequest: 0,
      committedRequest: 0,
      spokenAtMs: undefined,
      hasTrouble,
      hasGoal,
      hasFailingTest: false,
    });
    if (episodes.length > MAX_EPISODES) episodes.shift();
  };

  const touch = (given: string, request: number): void => {
    const path = normalizePath(given);
    const [before, last] = [episodes.at(-2), episodes.at(-1)];
    if (!last) return;
    if (before && isSameWork(before, last, path)) episodes.splice(-2, 2, join(before, last));
    const files = (episodes.at(-1) ?? last).files.filter((file) => file !== path);
    change({ files: [...files, path].slice(-MAX_FILES), changedRequest: request });
  };

  const followOutcome = ({ action, outcome, request, callId }: HappeningOf<"outcome">): void => {
    // Work continues, so the earlier words were not its end.
    change({ endRequest: request, status: "active", evidence: `request:${request}`, closing: "" });
    if (action.kind === "run" && isTestCommand(action.command))
      change({ hasFailingTest: readTestOutcome(outcome.text, outcome.exitCode).verdict === "failed" });
    if (outcome.isError || outcome.isRefused) return;
    if (isChange(action) && action.path !== "") touch(action.path, request);
    if (action.kind !== "run" || (outcome.exitCode ?? 0) !== 0) return;
    if (isDelivery(action.command)) change({ hasGoal: false });
    if (!isCommitted(action.command, outcome)) return;
    const known = episodes.at(-1)?.commits ?? [];
    const commits = AMENDS.test(action.command) && known.length > 0 ? known : [...known, callId].slice(-MAX_COMMITS);
    change({ commits, committedRequest: request, status: "done", evidence: callId });
  };

  /** An answer without a following call ends the episode: finished, or waiting for the person. */
  const close = (text: string, request: number, facts: ClosingFacts): void => {
    const last = episodes.at(-1);
    if (!last) return;
    const closing = text.trim();
    const status = decideEnding(last, closing, facts);
    const proof =
      last.committedRequest > 0 && last.committedRequest >= last.changedRequest ? last.commits.at(-1) : undefined;
    const evidence = (status === "done" && proof) || `request:${request}`;
    change({ closing: closing.slice(-MAX_CLOSING_CHARACTERS), endRequest: request, status, evidence });
  };

  return {
    follow(happening) {
      const { request } = happening;
      if (happening.kind === "asked") begin(happening);
      if (happening.kind === "request" && happening.atMs !== undefined) change({ spokenAtMs: happening.atMs });
      if (happening.kind === "reopened") change({ status: "active", evidence: `request:${request}` });
      if (happening.kind === "act") change({ status: "active", endRequest: request, evidence: `request:${request}` });
      if (happening.kind === "outcome") followOutcome(happening);
      if (happening.kind === "said") close(happening.text, request, happening);
      if (happening.kind === "interrupted")
        change({ status: "open", evidence: `request:${request}`, isInterrupted: true });
    },
    state: () => episodes.slice(),
  };
}

/** Git reports its commit unless it is told to be quiet; a command that still runs has committed nothing yet. */
export function isCommitted(command: string, { exitCode, text }: Outcome): boolean {
  if (exitCode !== 0 || !COMMIT.test(command)) return false;
  return text.trim() === "" || /\bcommit\b.{0,80}\s-(?:\w{0,3}q|-quiet)/.test(command) || COMMITTED.test(text);
}

function hasResult(episode: Episode): boolean {
  // Only a remark after the answer was taken back.
  if (episode.followUps > 0 && episode.endRequest <= episode.askedRequest) return true;
  if (episode.isInterrupted) return false;
  // A long answer is a result, unless something is still broken; helpers' results arrive later.
  const isClosingFull = episode.closing.length === MAX_CLOSING_CHARACTERS && !episode.hasTrouble;
  return episode.changedRequest > 0 || episode.committedRequest > 0 || isClosingFull || isAwaiting(episode.closing);
}

/** A prompt that soon changes a file which the previous one left uncommitted continues the same work. */
function isSameWork(before: Episode, last: Episode, path: string): boolean {
  if (last.files.length >= SOON_FILES || last.committedRequest > 0 || before.status === "dropped") return false;
  return before.changedRequest > before.committedRequest && before.files.includes(path);
}

function join(before: Episode, last: Episode): Episode {
  const files = [...before.files.filter((file) => !last.files.includes(file)), ...last.files];
  return {
    ...last,
    id: before.id,
    firstAsked: before.firstAsked,
    startRequest: before.startRequest,
    followUps: before.followUps + last.followUps + 1,
    files: files.slice(-MAX_FILES),
    commits: [...before.commits, ...last.commits].slice(-MAX_COMMITS),
    hasGoal: last.hasGoal || before.hasGoal,
    changedRequest: Math.max(before.changedRequest, last.changedRequest),
    committedRequest: Math.max(before.committedRequest, last.committedRequest),
  };
}
