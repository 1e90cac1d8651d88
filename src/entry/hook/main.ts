import { toOneLine } from "../../core/clip-text.ts";
import { writeJournal } from "../../files/write-journal.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import { print, runEvent, STDERR, STDOUT } from "./frame.ts";
import { readInput } from "./read-input.ts";

/** `node hook.cjs EVENT` with the event's JSON on standard input. Always exits with 0. */
async function main(): Promise<void> {
  const event = process.argv[2] ?? "";
  if (process.env.PLIMSOLL_OFF === "1") return;
  const { text, folder, client, actions, isSilent } = await runEvent(event, readQuietly(), process.env);
  print(STDOUT, text);
  for (const action of actions) if (action.kind === "failed") print(STDERR, `plimsoll: ${toOneLine(action.why)}\n`);
  if (isSilent) return;
  const ran: ActionDetail = { kind: "ran", ms: Math.round(process.uptime() * 1000) };
  writeJournal(folder, { door: "hook", event, client, actions: [...actions, ran] });
}

function readQuietly(): string {
  try {
    return readInput();
  } catch {
    // Without standard input there is no event; the frame reports that.
    return "";
  }
}

// Errors are caught where they occur; an unforeseen one must not fail the event either. Exiting at once saves a teardown that the system does anyway.
main().then(leave, leave);

function leave(): void {
  process.exit(0);
}
