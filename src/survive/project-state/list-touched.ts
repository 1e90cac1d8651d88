import type { Happened } from "../record/happened.ts";

/** Written to be thrown away, or for the client itself. A project may lie in a temporary folder: only what stands in it bare is aside. */
const ASIDE = /\/scratchpad\/|^(?:\/private)?\/tmp\/[^/]+$|\/\.claude\/(?:plans|projects|todos)\//i;
/** What sends an agent off: it changes files that are not seen here. */
const SENDS = /^(?:Task|Agent)$/;

/** Files that were changed, in the order in which they last were; whether agents that were sent may have changed more. */
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
