import { isUnfinished, type WorkStatus } from "./action.ts";
import type { Episode } from "./episodes/episode-ending.ts";
import type { SessionState } from "./session.ts";
import { findStandingRequest, isMereReply, isOvertaken, renderRequest } from "./standing-request.ts";
import type { UserWords } from "./track-words.ts";
import type { WorkItem } from "./track-work.ts";

/** A piece of work as it is carried across a compaction, wherever it was recorded. */
export interface OpenWork extends Omit<WorkItem, "createdRequest" | "startedRequest" | "createdBy"> {
  /** Who named it: the client's task tool, the model at the end of a turn, or the person. */
  readonly source: "tasks" | "model" | "person";
}

/** The order in which work comes up: in progress first, then by position on the list or task number. */
export function orderOpen<Item extends Pick<OpenWork, "id" | "status" | "place">>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((left, right) => rank(left.status) - rank(right.status) || placeOf(left) - placeOf(right));
}

/** Hosts number their tasks. An item without a number or position stays after the others, in its order. */
function placeOf({ id, place }: Pick<OpenWork, "id" | "place">): number {
  return place ?? (/^\d{1,9}$/.test(id) ? Number(id) : Number.MAX_SAFE_INTEGER);
}

/** All work, oldest first: the task list, whose status no guess overrules, what was asked for since, and the user's current request if it is not done. */
export function listWork(state: SessionState): readonly OpenWork[] {
  const lastTouch = Math.max(0, ...state.work.map((item) => item.changedRequest));
  const last = state.episodes.at(-1);
  const hasOpenItem = state.work.some(isUnfinished);
  const since = state.episodes.filter((episode) =>
    episode === last && isUnfinished(episode)
      ? episode.askedRequest >= lastTouch
      : !hasOpenItem && episode.startRequest >= lastTouch,
  );
  // A problem set aside for a further one counts as solved together with it.
  const settled = since.map((episode) =>
    last?.status === "done" && isUnfinished(episode) ? { ...episode, status: "done" as const } : episode,
  );
  return [
    ...state.work.map((item) => ({ ...item, source: "tasks" as const })),
    ...settled.map((episode) => describeEpisode(episode, episode === last ? state : undefined)),
  ];
}

/** Unfinished work is described by the person's current request: the first one may be done long ago. */
function describeEpisode(episode: Episode, state: SessionState | undefined): OpenWork {
  const { id, firstAsked, status, evidence, endRequest } = episode;
  const asked = state && isUnfinished(episode) ? findStandingRequest(state) : undefined;
  return {
    id,
    subject: asked && asked.request >= episode.startRequest ? nameRequest(asked) : firstAsked,
    status: state && asked && isOvertaken(state, asked) ? "dropped" : status,
    source: "person",
    evidence,
    changedRequest: endRequest,
  };
}

const MAX_CHARACTERS = 300;

function nameRequest(asked: UserWords): string {
  const quoted = renderRequest(asked, MAX_CHARACTERS);
  return isMereReply(asked.text) && asked.answers !== undefined ? quoted : quoted.slice(1, -1);
}

function rank(status: WorkStatus): number {
  return status === "active" ? 0 : 1;
}
