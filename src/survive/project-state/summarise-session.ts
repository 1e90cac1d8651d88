import { clipLine, toOneLine } from "../../core/clip-text.ts";
import type { Episode } from "../../session/episodes/episode-ending.ts";
import { isSubstantial } from "../../session/episodes/episode-rules.ts";
import { baseName } from "../../session/file-path.ts";
import type { SessionState } from "../../session/session.ts";
import type { Happened } from "../record/happened.ts";
import { isVague } from "../record/next-step.ts";

const MAX_ASKED = 120;
const MAX_FILES = 3;

/** The session in one line: what was asked for and what was seen to be done; empty if nothing was. */
export function summariseSession(happened: Happened): string {
  const { state } = happened;
  const { paths } = listTouched(happened);
  const test = state.commands.findLast(({ isTest }) => isTest)?.tests?.verdict;
  const isCommitted = state.episodes.some(({ commits }) => commits.length > 0);
  // No numbers: amended and squashed commits, restored files and files written by a formatter make them wrong more often than not.
  const done = [
    ...(paths.length > 0 ? [`changed ${nameFiles(paths)}`] : []),
    ...(test === "passed" ? ["tests passed last"] : []),
    ...(isCommitted ? ["committed"] : []),
  ];
  const subjects = listSubjects(state.episodes);
  const asked = subjects.length > 0 ? subjects : [findRequest(state)].filter((request) => request !== "");
  if (asked.length === 0 || done.length === 0) return "";
  const named = chooseNamed(asked, state.episodes);
  const others = asked.length - named.length;
  const rest = others > 0 ? ` and ${others} other request${others === 1 ? "" : "s"}` : "";
  const inAll = asked.length > 1 ? "in all " : "";
  return `${named.map((subject) => `"${clipLine(subject, MAX_ASKED)}"`).join(", ")}${rest}: ${inAll}${done.join(", ")}`;
}

function listSubjects(episodes: readonly Episode[]): readonly string[] {
  const requests = episodes.map(({ firstAsked }) => toOneLine(firstAsked));
  return [...new Set(requests.filter((asked) => isSubstantial(asked) && !isVague(asked)))];
}

/** What came first, what changed most and what took longest: none of them alone describes the session. */
function chooseNamed(asked: readonly string[], episodes: readonly Episode[]): readonly string[] {
  const most = (weigh: (episode: Episode) => number): string =>
    toOneLine([...episodes].sort((left, right) => weigh(right) - weigh(left))[0]?.firstAsked ?? "");
  const wanted = new Set([
    asked[0],
    most(({ files, commits }) => files.length + commits.length),
    most(({ startRequest, endRequest }) => endRequest - startRequest),
  ]);
  return asked.filter((subject) => wanted.has(subject));
}

function nameFiles(paths: readonly string[]): string {
  const names = [...new Set(paths.map(baseName))].slice(-MAX_FILES);
  return [...names, ...(paths.length > names.length ? ["…"] : [])].join(", ");
}

/** The newest request of the user before a given one that says by itself what is wanted; "Yes" does not. */
export function findRequest({ words }: SessionState, before: number = Number.POSITIVE_INFINITY): string {
  const asked = words.filter(({ request }) => request < before).map(({ text }) => toOneLine(text));
  return asked.findLast((text) => isSubstantial(text) && !isVague(text)) ?? "";
}

/** Temporary files, or files for the client itself. A project may be in a temporary folder, so only files directly in it count. */
const ASIDE = /\/scratchpad\/|^(?:\/private)?\/tmp\/[^/]+$|\/\.claude\/(?:plans|projects|todos)\//i;
/** Tools that start an agent: it changes files that are not seen here. */
const SENDS = /^(?:Task|Agent)$/;

/** Changed files, by their last change, and whether subagents may have changed more. */
export function listTouched({ state, trail }: Happened): {
  readonly paths: readonly string[];
  readonly isMore: boolean;
} {
  const paths = state.files
    .filter(({ edits, isCreated, path }) => (edits > 0 || isCreated) && !ASIDE.test(path))
    .sort((left, right) => left.changedRequest - right.changedRequest)
    .map(({ path }) => path);
  return { paths, isMore: trail.calls.some(({ tool, outcome }) => SENDS.test(tool) && outcome === "done") };
}
