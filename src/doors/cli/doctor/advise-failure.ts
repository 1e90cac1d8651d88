import type { DoorEvent } from "./summarise-doors.ts";

const UPDATE = "update Plimsoll; if it fails again, report it with plimsoll doctor --json";
const NATIVE =
  'until then "compaction": "native" in ~/.claude/plimsoll.json leaves it to the client, whose own hooks and summary run';

/** What helps against a failure, by what it says of itself. */
export function adviseFailure({ event, lastFailure }: Pick<DoorEvent, "event" | "lastFailure">): string {
  const why = lastFailure?.why ?? "";
  const isStored = /artifacts?|original|\.plimsoll|state could not be saved/i.test(why);
  const place = isStored ? "the .plimsoll folder of that project" : "the folder that it names";
  if (/ENOSPC|no space|disk (is )?full/i.test(why)) return "make room on the disk";
  if (/EROFS|read-only/i.test(why)) return `the file system is read-only: make ${place} writable, or work in a copy`;
  if (/EACCES|EPERM|permission|cannot be written|could not be (kept|saved)/i.test(why))
    return `see that ${place} is yours and can be written: ls -ld .plimsoll, then chown or chmod it`;
  return event === "session.compact" ? `${UPDATE}; ${NATIVE}` : UPDATE;
}
