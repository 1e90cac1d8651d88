import { orderOpen } from "./open-work.ts";
import type { SessionState } from "./session.ts";
import { findStandingRequest } from "./standing-request.ts";
import type { WorkItem } from "./track-work.ts";

/** What is not done of the list, as far as that was touched since the person said what they want; what is being done first. */
export function listItems(state: SessionState): readonly WorkItem[] {
  const asked = findStandingRequest(state)?.request ?? 0;
  if (!state.work.some(({ changedRequest }) => changedRequest > asked)) return [];
  return orderOpen(state.work.filter(({ status }) => status === "active" || status === "open"));
}
