import type { WorkStatus } from "./action.ts";
import type { Episode } from "./episode.ts";
import type { SessionState } from "./session.ts";
import { findStandingRequest, isMereReply, isOvertaken, renderRequest } from "./standing-request.ts";
import type { UserWords } from "./track-words.ts";

/** A piece of work as it is carried across a compaction, wherever it was written down. */
export interface OpenWork {
  readonly id: string;
  readonly subject: string;
  readonly status: WorkStatus;
  readonly evidence: string;
  readonly changedRequest: number;
}

/** What is still to be done, what is being done first. Where nobody kept a list, what the person asked for is the list. */
export function listOpenWork(state: SessionState): readonly OpenWork[] {
  return listWork(state)
    .filter(({ status }) => status === "active" || status === "open")
    .sort((left, right) => rank(left.status) - rank(right.status));
}

/**
 * All work, oldest first: the list that was kept, what was asked for since it was last touched, and what the person wants now where that is
 * not done.
 */
export function listWork(state: SessionState): readonly OpenWork[] {
  const lastTouch = Math.max(0, ...state.work.map((item) => item.changedRequest));
  const last = state.episodes.at(-1);
  const isOver = last?.status === "done" && state.turn?.last === "said" && state.turn.isTurnEnd === true;
  const items = state.work.map((item) => (isOver && item.status === "active" ? { ...item, status: ENDED } : item));
  const hasOpenItem = items.some(isUnfinished);
  const since = state.episodes.filter((episode) =>
    episode === last && isUnfinished(episode)
      ? episode.askedRequest >= lastTouch
      : !hasOpenItem && episode.startRequest >= lastTouch,
  );
  const told = since.map((episode) => (last?.status === "done" ? settle(episode) : episode));
  return [...items, ...told.map((episode) => describeEpisode(episode, episode === last ? state : undefined))];
}

/** What was being done when the model came to its last word is not said to be done, and no longer to be open. */
const ENDED: WorkStatus = "cancelled";

function isUnfinished({ status }: { readonly status: WorkStatus }): boolean {
  return status === "open" || status === "active";
}

/** A problem set aside for a further one is taken for solved together with that. */
function settle(episode: Episode): Episode {
  return isUnfinished(episode) ? { ...episode, status: "done" } : episode;
}

/** What is not done is told by what the person wants now: what they began with may be done long ago. */
function describeEpisode(episode: Episode, state: SessionState | undefined): OpenWork {
  const { id, firstAsked, status, evidence, endRequest } = episode;
  const asked = state && isUnfinished(episode) ? findStandingRequest(state) : undefined;
  return {
    id,
    subject: asked && asked.request >= episode.startRequest ? nameRequest(asked) : firstAsked,
    status: state && asked && isOvertaken(state, asked) ? ENDED : status,
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
