import type { WorkStatus } from "./action.ts";
import type { Episode } from "./episode.ts";
import { isSubstantial } from "./episode-rules.ts";
import type { SessionState } from "./session.ts";

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

/** All work, oldest first: the list that was kept, and what was asked for since it was last touched. */
export function listWork(state: SessionState): readonly OpenWork[] {
  const lastTouch = Math.max(0, ...state.work.map((item) => item.changedRequest));
  const hasOpenItem = state.work.some(({ status }) => status === "active" || status === "open");
  const since = state.episodes.filter(({ startRequest }) => !hasOpenItem && startRequest >= lastTouch);
  const isLastDone = since.at(-1)?.status === "done";
  return [...state.work, ...since.map((episode) => describeEpisode(isLastDone ? settle(episode) : episode))];
}

/** A problem set aside for a further one is taken for solved together with that. */
function settle(episode: Episode): Episode {
  return episode.status === "open" || episode.status === "active" ? { ...episode, status: "done" } : episode;
}

function describeEpisode({ id, firstAsked, lastAsked, status, evidence, endRequest }: Episode): OpenWork {
  const isFurther = lastAsked !== firstAsked && isSubstantial(lastAsked);
  return {
    id,
    subject: isFurther ? `${firstAsked} (last: ${lastAsked})` : firstAsked,
    status,
    evidence,
    changedRequest: endRequest,
  };
}

function rank(status: WorkStatus): number {
  return status === "active" ? 0 : 1;
}
