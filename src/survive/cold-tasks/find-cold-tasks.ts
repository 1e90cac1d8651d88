import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";

/** Turns without a word of it before a finished task is cold. */
export const TURNS_UNTIL_COLD = 20;

/** Tasks finished more than 20 turns ago whose subject nobody has spoken of in the last 20 turns, oldest first. */
export function findColdTasks({ work, turns }: SessionState): readonly WorkItem[] {
  const recent = turns.notes
    .filter((note) => note.turn > turns.turn - TURNS_UNTIL_COLD)
    .map((note) => normalize(note.words))
    .join("\n");
  return work.filter(
    ({ status, changedTurn, subject }) =>
      status === "done" && turns.turn - changedTurn > TURNS_UNTIL_COLD && !mentions(recent, subject),
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
