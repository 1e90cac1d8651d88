import { RULES_HEADING } from "../../src/core/standing-rules.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { REPAIR_OPENING } from "../../src/survive/receipt/plan-repair.ts";
import { RECORD_OPENING } from "../../src/survive/record/record-opening.ts";

/** Every text that is neither a person's nor a model's is known by how it begins; these are all the beginnings. */

/** What Plimsoll writes in the place of a history. */
const REPLACEMENTS: readonly string[] = [RECORD_OPENING, LEDGER_OPENING];

/** What Plimsoll tells a model next to the conversation. */
const SAID: readonly string[] = [
  REPAIR_OPENING,
  RULES_HEADING,
  "Project rules (rules/*.md):",
  "Project state of earlier sessions (.plimsoll/)",
  "# Dev mode: ",
  "# Research mode: ",
  "# Review mode: ",
  "Caveman mode ",
  "Write the team summary in caveman mode",
  "The user asks about the context window. Measured now:",
  "This is a document of the project (docs/)",
  "Match effort to request complexity.",
];
const LIMIT = /^(?:WARN|CRITICAL): [\w-]+ rate limit: \d/;
const ADVICE = /^(?:Context at ~?\d+%\.|Context CRITICAL \(|\d+ tool calls\. )[^\n]*\nNote: /;

/** What the client puts into user messages by itself. */
const HOST: readonly string[] = [
  "<system-reminder>",
  "<command-name>",
  "<command-message>",
  "<local-command-",
  "<bash-input>",
  "<bash-stdout>",
  "<bash-stderr>",
  "<task-notification>",
  "<agent-notification>",
  "[SYSTEM NOTIFICATION - NOT USER INPUT]",
  "Caveat: ",
  "Stop hook feedback:",
  "CRITICAL: Respond with TEXT ONLY",
  "[Image: source: ",
  "Tool loaded.",
  "The user sent a new message while you were working:",
];

/** Behind it, in the same text, the person may have gone on. */
const INTERRUPTION = /^\[Request interrupted by user[^\]\n]*\]\s*$/;

/** The clients' own summaries. */
const SUMMARIES: readonly string[] = [
  "This session is being continued from a previous conversation that ran out of context.",
  "Another language model started to solve this problem and produced a summary of its thinking process.",
];

/** What stands in the place of one result, input or picture. */
const MARKER = /^\[(?:FOLDED: |CLEARED: |(?:picture|document) plimsoll:)/;

export type Origin = "person" | "host" | "told" | "replacement" | "summary";

export function originOf(text: string): Origin {
  const opening = text.trimStart();
  if (opening === "" || INTERRUPTION.test(opening) || HOST.some((start) => opening.startsWith(start))) return "host";
  if (SUMMARIES.some((start) => opening.startsWith(start))) return "summary";
  if (REPLACEMENTS.some((start) => opening.startsWith(start))) return "replacement";
  return LIMIT.test(opening) || ADVICE.test(opening) || SAID.some((start) => opening.startsWith(start))
    ? "told"
    : "person";
}

export function isMarker(text: string): boolean {
  return MARKER.test(text) && findHandles(text).length > 0;
}

const HANDLE = /\bplimsoll:[0-9a-f]{12}\b(?:#\w{1,20})?/g;

export function findHandles(text: string): readonly string[] {
  return text.includes("plimsoll:") ? [...new Set(text.match(HANDLE) ?? [])] : [];
}

/** The handle by which a marker gives back what it stands for: the last one, since a preview may quote others. */
export function findOwnHandle(text: string): string | undefined {
  return isMarker(text) ? findHandles(text).at(-1) : undefined;
}

/** `call:abc123` in a record: a call's result by the end of its id. Stretches of calls are lists, no handles. */
export function findCallHandles(text: string): readonly string[] {
  const [record = ""] = text.split(`\n${LEDGER_OPENING}`, 1);
  return [...new Set(record.match(/(?<!no result |\.\.)\bcall:\w+\b(?!\.\.)/g) ?? [])];
}

/** Older models get reminders within the text of a result, behind it. */
const REMINDERS = /(?:\n*<system-reminder>(?:(?!<system-reminder>)[\s\S])*?<\/system-reminder>\n*)+$/;

export function stripReminders(text: string): string {
  return text.includes("</system-reminder>") ? text.replace(REMINDERS, "") : text;
}

/**
 * Stands among other words for a picture or a loaded tool that was among them: ours, and what the client says where it left
 * out tools that it no longer has.
 */
const NOTE =
  /\s*\[(?:(?:picture|document) plimsoll:[^\]\n]*|\S+ was loaded; [^\]\n]*|Tool references removed - tools no longer available)\]/g;

export function stripNotes(text: string): string {
  return /\[(?:picture|document) plimsoll:| was loaded; |\[Tool references /.test(text)
    ? text.replaceAll(NOTE, "")
    : text;
}

const QUEUED = /The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how Claude Code surfaces/g;
const QUEUED_BARE = /^The user sent a new message while you were working:\n([\s\S]*)$/;

/** What a person typed while the model worked: the client wraps it into a reminder. */
export function findQueuedWords(text: string): readonly string[] {
  if (!text.includes("The user sent a new message while you were working:")) return [];
  const wrapped = [...text.matchAll(QUEUED)].map(([, words = ""]) => words);
  if (wrapped.length > 0) return wrapped;
  const [, bare] = QUEUED_BARE.exec(text.replace(/^<system-reminder>\n|\n<\/system-reminder>\s*$/g, "")) ?? [];
  return bare === undefined ? [] : [bare];
}
