import type { Author } from "../../core/message.ts";
import { REPAIR_OPENING } from "../../survive/receipt/plan-repair.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";

/** What the client itself puts into user messages: command echoes, notifications, interruptions. */
const HOST_OPENINGS: readonly string[] = [
  ...`<command-name> <command-message> <local-command- <bash-input> <bash-stdout> <bash-stderr>
  <system-reminder> <system_instruction> <ide_opened_file> <ide_selection> <ci-monitor-event>
  <task-notification> <agent-notification> <bash-notification>`.split(/\s+/),
  "[SYSTEM NOTIFICATION - NOT USER INPUT]",
  "<teammate-message",
  "Caveat: ",
  "Stop hook feedback:",
  // Our own texts that replace a history, or come back after a summary.
  RECORD_OPENING,
  REPAIR_OPENING,
];

/** Texts that are the client's only as a whole: after an interruption the person may have continued in the same text. */
const HOST_NOTES = /^(?:Tool loaded\.|\s*\[Request interrupted by user[^\]\n]{0,40}\]\s*)$/;

/** Who wrote a user text: the person's own words are always kept, the client's may be removed. */
export function decidePromptAuthor(text: string): Author {
  const opening = text.trimStart();
  const isHost = HOST_NOTES.test(text) || HOST_OPENINGS.some((start) => opening.startsWith(start));
  return isHost ? "host" : "person";
}
