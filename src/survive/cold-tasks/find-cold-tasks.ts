import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";

/** Requests without a word of it before a finished task is cold; named as the pipeline names it, whose turn is a request. */
export const TURNS_UNTIL_COLD = 20;

/** Tasks finished more than 20 requests ago whose subject nobody has spoken of in the last 20 requests, oldest first. */
export function findColdTasks({ work, requests }: SessionState): readonly WorkItem[] {
  const recent = requests.notes
    .filter((note) => note.request > requests.count - TURNS_UNTIL_COLD)
    .map((note) => normalize(note.words))
    .join("\n");
  return work.filter(
    ({ status, changedRequest, subject }) =>
      status === "done" && requests.count - changedRequest > TURNS_UNTIL_COLD && !mentions(recent, subject),
  );
}

/** A task without a subject can be spoken of by nobody. */
function mentions(recent: string, subject: string): boolean {
  const wanted = normalize(subject);
  return wanted !== "" && recent.includes(wanted);
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
