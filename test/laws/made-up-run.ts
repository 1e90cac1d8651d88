import { renderHeading } from "../../src/layers/ledger/ledger-text.ts";
import { RECORD_OPENING } from "../../src/survive/record/record-opening.ts";
import type { Message } from "../api/messages-body.ts";
import { type AuditOptions, auditRun } from "./audit-run.ts";
import { answered, picture, recallFrom, request, result, said, use } from "./request-log.ts";
import type { Verdict } from "./verdict.ts";

export type History = readonly Message[];

/** A conversation of three exchanges, with a picture that was given and one that was read. */
export const HISTORY: History = [
  said("<system-reminder>\nToday is Monday.\n</system-reminder>", "Paint the hull.\nIn red.", picture("R0lW")),
  answered("I look at it.", use("a"), use("b")),
  said(result("b", "two"), result("a", "one\n\n<system-reminder>\n9 tokens left\n</system-reminder>")),
  answered(use("c", { path: "x.png" })),
  said(
    result("c", [picture("UkVE"), { type: "text", text: "<system-reminder>\n8 left\n</system-reminder>" }]),
    "<system-reminder>\nThe user sent a new message while you were working:\nNot the bow.\n\nThis is how Claude Code surfaces messages.\n</system-reminder>",
  ),
  answered("It is a long way to the bow."),
];
export const LINE: string = "plimsoll:aaaaaaaaaaaa";
export const KEPT: Readonly<Record<string, string>> = {
  [`${LINE}#1`]: "one",
  [`${LINE}#1i`]: '{"command":"run a"}',
  [`${LINE}#2`]: "two",
  [`${LINE}#2i`]: '{"command":"run b"}',
  [`${LINE}#3i`]: '{"path":"x.png"}',
  [`${LINE}#3`]: "data:image/png;base64,UkVE",
  "plimsoll:bbbbbbbbbbbb": "data:image/png;base64,R0lW",
};
export const HEADING: string = renderHeading(3, LINE);
export const LEDGER_LINES: readonly string[] = [
  HEADING,
  "person: Paint the hull.",
  "  In red.",
  "person: [picture plimsoll:bbbbbbbbbbbb, image/png, 1 KB: recall shows it]",
  "assistant: I look at it.",
  "1 Bash run a → one",
  "2 Bash run b → two",
  "3 Read x.png → a picture",
  "person: Not the bow.",
  "assistant: It is a long way to the bow.",
];
const NEXT: History = [said("Go on."), answered("Gone.")];

export function recorded(lines: readonly string[] = LEDGER_LINES): Message {
  return said(`${RECORD_OPENING} Requests 1 to 3.\n\n${lines.join("\n")}\n\nWhat was said last follows.`);
}

/** The conversation request by request, then a compaction, then one request more. */
export function audit(
  compacted: Message,
  options: AuditOptions = {},
  kept: Readonly<Record<string, string>> = KEPT,
): Promise<Verdict> {
  const growing = [1, 3, 5].map((length) => request(HISTORY.slice(0, length)));
  const after = [compacted, ...NEXT.slice(0, 1)];
  const requests = [...growing, request(after), request([...after, ...NEXT.slice(1), said("And now?")])];
  // The last answer of the history is sent with the prompt that follows it.
  const whole = request([...HISTORY, said("Go on.")]);
  return auditRun({
    requests: [...requests.slice(0, 3), whole, ...requests.slice(3)],
    recall: recallFrom(kept),
    options,
  });
}
