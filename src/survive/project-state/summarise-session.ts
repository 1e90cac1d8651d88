import { clipLine } from "../../core/clip-text.ts";
import { isSubstantial } from "../../session/episode-rules.ts";
import type { SessionState } from "../../session/session.ts";
import { isVague } from "../record/is-vague.ts";
import { findRequest } from "./find-request.ts";

const MAX_ASKED = 120;
const MAX_FILES = 3;

/** The session in one line: what was asked for and what was seen to be done; empty where nothing was. */
export function summariseSession(state: SessionState): string {
  const asked = findSubject(state);
  const changed = state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated);
  const test = state.commands.findLast(({ isTest }) => isTest)?.tests?.verdict;
  const commits = new Set(state.episodes.flatMap((episode) => episode.commits)).size;
  const done = [
    ...(changed.length > 0 ? [`${count(changed.length, "file")} changed (${nameFiles(changed)})`] : []),
    ...(test === "passed" || test === "failed" ? [`tests ${test} last`] : []),
    ...(commits > 0 ? [count(commits, "commit")] : []),
  ];
  if (asked === "" || done.length === 0) return "";
  return `"${clipLine(asked, MAX_ASKED)}": ${done.join(", ")}`;
}

/** What most of the session was spent on. */
function findSubject(state: SessionState): string {
  const stretches = state.episodes
    .filter(({ firstAsked }) => isSubstantial(firstAsked) && !isVague(firstAsked))
    .map(({ firstAsked, startRequest, endRequest }) => ({ firstAsked, requests: endRequest - startRequest }));
  const longest = stretches.sort((left, right) => right.requests - left.requests)[0];
  return longest?.firstAsked ?? findRequest(state);
}

function nameFiles(files: SessionState["files"]): string {
  const names = [...files]
    .sort((left, right) => right.edits - left.edits)
    .slice(0, MAX_FILES)
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  return [...names, ...(files.length > names.length ? ["…"] : [])].join(", ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
